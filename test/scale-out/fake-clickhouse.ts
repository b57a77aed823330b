/**
 * A server that answers over HTTP as ClickHouse does, as far as a load sees it: it has the tables that statements make,
 * rename and drop, refuses to make one that is there and to rename or drop one that is not, and counts rows.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Test } from "tap";
import { ClickHouseServer } from "../../scripts/scale-out/clickhouse-server.ts";

/** Answers a statement in place of the server; undefined leaves it to the server, unless it has been answered. */
type Answer = (statement: string, request: IncomingMessage, response: ServerResponse) => string | undefined;

export interface FakeServer {
  readonly url: URL;
  readonly server: ClickHouseServer;
  readonly statements: string[];
  /** The engine of each table by its name. */
  readonly tables: Map<string, string>;
  /** Rows that came with the last insert: on all shards. */
  rows: number;
  /** True if the last insert came to its end. */
  isWhole: boolean;
}

/** The names that mean one snapshot or another. */
export const tableNames = ["prices", "newest_prices", "prices_by_county", "series"] as const;

/** Rows of a table of this shard alone, whatever lies on the others. */
const rowsOfShard = 7;

/** Starts a server that ends with the test. */
export async function startServer(t: Test, answer: Answer = () => undefined): Promise<FakeServer> {
  const listener = createServer(async (request, response) => {
    const query = new URL(request.url ?? "", "http://localhost").searchParams.get("query");
    const statement = query ?? (await text(request));
    fake.statements.push(statement);
    const reply = answer(statement, request, response);
    if (reply !== undefined || response.headersSent) {
      if (!response.headersSent) response.end(reply);
      return;
    }
    if (query !== null) {
      fake.isWhole = false;
      const rows = await text(request).catch(() => undefined);
      if (rows === undefined) return;
      fake.rows = rows.split("\n").length - 1;
      fake.isWhole = true;
    }
    try {
      response.end(answerOf(fake, statement));
    } catch (error) {
      response.writeHead(500).end((error as Error).message);
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  t.teardown(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const url = new URL(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`);
  const server = new ClickHouseServer(url);
  const fake: FakeServer = { url, server, statements: [], tables: new Map(), rows: 0, isWhole: false };
  return fake;
}

/** Gives a server the tables of a snapshot; with a suffix such as `_next`, or none, those that have all shards' rows. */
export function addSnapshot({ tables }: FakeServer, ending: string, suffix?: string): void {
  for (const name of tableNames) {
    tables.set(`${name}_${ending}`, "MergeTree()");
    if (suffix !== undefined) tables.set(`${name}${suffix}`, distributed(`${name}_${ending}`));
  }
}

function distributed(table: string): string {
  return `Distributed(farm_prices, currentDatabase(), ${table})`;
}

/** @throws {Error} where ClickHouse would refuse the statement. */
function answerOf({ tables, rows }: FakeServer, statement: string): string {
  const [, mayBe, made = ""] = /^CREATE TABLE (IF NOT EXISTS )?(\w+)/.exec(statement) ?? [];
  if (made !== "" && !tables.has(made)) {
    const [, engine] = /ENGINE = (.+)$/.exec(statement) ?? [];
    const [, copied = ""] = / AS (\w+)$/.exec(statement) ?? [];
    tables.set(made, engine ?? engineOf(tables, copied));
  } else if (made !== "" && mayBe === undefined) throw new Error(`Code: 57, Table ${made} already exists`);
  if (statement.startsWith("RENAME TABLE")) {
    for (const [, from = "", to = ""] of statement.matchAll(/(\w+) TO (\w+)/g)) {
      if (tables.has(to)) throw new Error(`Code: 57, Table ${to} already exists`);
      tables.set(to, engineOf(tables, from));
      tables.delete(from);
    }
  }
  const [, mayMiss, dropped = ""] = /^DROP TABLE (IF EXISTS )?(\w+)/.exec(statement) ?? [];
  if (dropped !== "" && !tables.delete(dropped) && mayMiss === undefined) engineOf(tables, dropped);
  if (statement.startsWith("SHOW CREATE TABLE")) {
    const name = statement.split(" ").at(-1) ?? "";
    return `CREATE TABLE default.${name} ( … ) ENGINE = ${engineOf(tables, name)}`;
  }
  if (statement.includes("FROM system.tables")) {
    const names = [...tables.keys()].filter((name) => !statement.includes("name = 'prices'") || name === "prices");
    return names.map((name) => `${JSON.stringify({ name })}\n`).join("");
  }
  const [, counted] = /^SELECT (?:count\(\)|sum\(price_count\)).* FROM (\w+)/.exec(statement) ?? [];
  if (counted === undefined) return "";
  return `{"prices":${engineOf(tables, counted).startsWith("Distributed") ? rows : rowsOfShard}}\n`;
}

function engineOf(tables: ReadonlyMap<string, string>, name: string): string {
  const engine = tables.get(name);
  if (engine === undefined) throw new Error(`Code: 60, Table default.${name} does not exist`);
  return engine;
}
