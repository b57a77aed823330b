/** Loads a snapshot into ClickHouse beside the one that is served, and exchanges them when all of it is there. */
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import type { BytesObserver } from "../../src/engine/snapshots/stored-file.ts";
import { streamRows } from "../../src/publishing/publish/stream-rows.ts";
import { ClickHouseError, type ClickHouseServer, readStatements } from "./clickhouse-server.ts";

export interface LoadRequest {
  readonly dataDirectory: string;
  readonly id: SnapshotId;
  /** One of each shard; the first is the one that is asked. */
  readonly servers: readonly [ClickHouseServer, ...ClickHouseServer[]];
  readonly onBytes?: BytesObserver | undefined;
}

export interface LoadReport {
  /** 0 where the snapshot was served already. */
  readonly rows: number;
  readonly replaced: number;
  readonly withheld: number;
  /** On the disks of all shards, all tables of the snapshot together. */
  readonly bytes: number;
  /** Snapshots whose tables were removed. */
  readonly removed: readonly string[];
}

/** The tables of a snapshot on a shard: one of these names, an underscore and its id. */
const tables = ["prices", "newest_prices", "prices_by_county", "series"] as const;

/**
 * Loads a snapshot. Until its end the names mean the snapshot before, whose tables stay; older ones are removed.
 * One load at a time.
 *
 * @throws {ClickHouseError} {DatasetError} {SnapshotUnavailableError} when nothing has changed for readers.
 */
export async function loadSnapshot({ dataDirectory, id, servers, onBytes }: LoadRequest): Promise<LoadReport> {
  const [asked] = servers;
  const snapshot = tableEnding(id);
  const before = await servedSnapshot(asked);
  if (before === snapshot) return { rows: 0, replaced: 0, withheld: 0, bytes: 0, removed: [] };
  await removeLoad(servers, snapshot);
  let streamed: Awaited<ReturnType<typeof streamRows>>;
  try {
    await onAll(servers, "tables.sql", { snapshot });
    await onAll([asked], "distributed.sql", { snapshot });
    streamed = await asked.insert("prices_next", (write) => streamRows({ dataDirectory, id, write, onBytes }));
    await onAll(servers, "fill.sql", { snapshot });
    await checkCounts(asked, streamed.rows);
  } catch (error) {
    // The error is what matters; the next load removes what is still there.
    await removeLoad(servers, snapshot).catch(() => {});
    throw error;
  }
  await onAll([asked], "exchange.sql");
  const { rows, replaced, withheld } = streamed;
  const bytes = await bytesOnDisk(servers, snapshot);
  return { rows, replaced, withheld, bytes, removed: await removeOlder(servers, [snapshot, before]) };
}

function tableEnding(id: SnapshotId): string {
  return id.replaceAll("-", "_");
}

/** @returns The ending of the tables that the names mean; undefined before the first load. */
async function servedSnapshot(asked: ClickHouseServer): Promise<string | undefined> {
  const found = await asked.rows(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'prices'",
  );
  if (found.length === 0) return undefined;
  return /prices_(\d{8}T\d{6}Z_[0-9a-f]{12})/.exec(await asked.ask("SHOW CREATE TABLE prices"))?.[1];
}

async function onAll(
  servers: readonly ClickHouseServer[],
  file: string,
  values?: Readonly<Record<string, string>>,
): Promise<void> {
  const statements = await readStatements(file, values);
  await Promise.all(
    servers.map(async (server) => {
      for (const statement of statements) await server.ask(statement);
    }),
  );
}

/** Removes the tables of a load that did not come to its end. */
async function removeLoad(servers: LoadRequest["servers"], snapshot: string): Promise<void> {
  for (const table of tables) await servers[0].ask(`DROP TABLE IF EXISTS ${table}_next`);
  await dropTables(servers, snapshot);
}

async function dropTables(servers: readonly ClickHouseServer[], snapshot: string): Promise<void> {
  for (const server of servers) {
    for (const table of tables) await server.ask(`DROP TABLE IF EXISTS ${table}_${snapshot}`);
  }
}

/** @throws {ClickHouseError} where the shards have another number of prices than were sent. */
async function checkCounts(asked: ClickHouseServer, sent: number): Promise<void> {
  for (const [table, count] of [
    ["prices", "count()"],
    ["prices_by_county", "count()"],
    ["series", "sum(price_count)"],
  ]) {
    const [row] = await asked.rows(`SELECT ${count} AS prices FROM ${table}_next`);
    const found = Number(row?.["prices"] ?? 0);
    if (found !== sent) throw new ClickHouseError(`${table}_next: found ${found} prices, expected the ${sent} sent`);
  }
}

async function bytesOnDisk(servers: readonly ClickHouseServer[], snapshot: string): Promise<number> {
  const query =
    "SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase() " +
    `AND endsWith(table, '_${snapshot}')`;
  const found = await Promise.all(servers.map((server) => server.rows(query)));
  return found.reduce((sum, [row]) => sum + Number(row?.["bytes"] ?? 0), 0);
}

/** Removes the tables of all snapshots but some. @returns Their endings. */
async function removeOlder(servers: readonly ClickHouseServer[], kept: readonly (string | undefined)[]) {
  const query = "SELECT name FROM system.tables WHERE database = currentDatabase()";
  const found = await Promise.all(servers.map((server) => server.rows(query)));
  const name = new RegExp(`^(?:${tables.join("|")})_(\\d{8}T\\d{6}Z_[0-9a-f]{12})$`);
  const endings = found.flat().map((row) => name.exec(String(row["name"]))?.[1]);
  const older = [...new Set(endings)].filter((ending) => ending !== undefined && !kept.includes(ending)) as string[];
  for (const ending of older) await dropTables(servers, ending);
  return older;
}
