/** Loads a snapshot into ClickHouse beside the one that is served, and exchanges them when all of it is there. */
import { snapshotIdPattern } from "../../src/engine/model/ids.ts";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import type { BytesObserver } from "../../src/engine/snapshots/stored-file.ts";
import { streamRows } from "../../src/publishing/publish/stream-rows.ts";
import { ClickHouseError, type ClickHouseServer, readStatements } from "./clickhouse-server.ts";

export interface LoadRequest {
  readonly dataDirectory: string;
  readonly id: SnapshotId;
  /** All replicas of all shards. */
  readonly servers: readonly [first: ClickHouseServer, ...others: ClickHouseServer[]];
  readonly onBytes?: BytesObserver | undefined;
}

export interface LoadReport {
  /** True where nothing was done; then all counts are 0. */
  readonly isServedAlready: boolean;
  readonly rows: number;
  readonly replaced: number;
  readonly withheld: number;
  /** On the disks of all servers, all tables of the snapshot together. */
  readonly bytes: number;
  /** Snapshots whose tables were removed. */
  readonly removed: readonly string[];
}

/** The tables of a snapshot on a shard: one of these names, an underscore and its id. */
const tables = ["prices", "newest_prices", "prices_by_county", "series"] as const;

/** Matches an id without its anchors, and as in names of tables: with _ in place of -. */
const endingPattern = snapshotIdPattern.slice(1, -1).replace("Z-", "Z_");
const servedTable = new RegExp(`prices_(${endingPattern})`);
const tableOfSnapshot = new RegExp(`^(?:${tables.join("|")})_(${endingPattern})$`);

/**
 * Loads a snapshot. Until its end the names mean the snapshot before, whose tables stay; older ones are removed. Where
 * a load was ended between the exchange of one server and another, the next one goes on there. One load at a time.
 *
 * @throws {ClickHouseError} {DatasetError} {SnapshotUnavailableError} when nothing has changed for readers, unless it
 *   is the exchange that some server refuses.
 */
export async function loadSnapshot(request: LoadRequest): Promise<LoadReport> {
  const { id, servers } = request;
  const snapshot = id.replaceAll("-", "_");
  const served = await Promise.all(servers.map(servedSnapshot));
  if (served.every((ending) => ending === snapshot)) {
    return { isServedAlready: true, rows: 0, replaced: 0, withheld: 0, bytes: 0, removed: [] };
  }
  const done = servers.find((_, at) => served[at] === snapshot);
  const counts = done === undefined ? await fillTables(request, snapshot) : await countRows(done);
  const behind = servers.filter((_, at) => served[at] !== snapshot);
  await onAll(behind, "exchange.sql");
  const bytes = await bytesOnDisk(servers, snapshot);
  return { isServedAlready: false, ...counts, bytes, removed: await removeOlder(servers, [snapshot, ...served]) };
}

type Counts = Pick<LoadReport, "rows" | "replaced" | "withheld">;

/** Makes and fills the tables of a snapshot on all servers. Where that fails, they are removed. */
async function fillTables({ dataDirectory, id, servers, onBytes }: LoadRequest, snapshot: string): Promise<Counts> {
  const [first] = servers;
  await removeLoad(servers, snapshot);
  try {
    await onAll(servers, "tables.sql", { snapshot });
    await onAll(servers, "distributed.sql", { snapshot });
    const streamed = await first.insert("prices_next", (write) => streamRows({ dataDirectory, id, write, onBytes }));
    await onAll(servers, "fill.sql", { snapshot });
    for (const server of servers) await checkCounts(server, streamed.rows);
    const { rows, replaced, withheld } = streamed;
    return { rows, replaced, withheld };
  } catch (error) {
    // The error is what matters; the next load removes what is still there.
    await removeLoad(servers, snapshot).catch(() => {});
    throw error;
  }
}

/** The rows on all shards of the snapshot that a server serves. */
async function countRows(server: ClickHouseServer): Promise<Counts> {
  const [row] = await server.rows("SELECT sum(price_count) AS prices FROM series");
  return { rows: Number(row?.["prices"] ?? 0), replaced: 0, withheld: 0 };
}

/** @returns The ending of the tables that the names mean; undefined before the first load. */
async function servedSnapshot(server: ClickHouseServer): Promise<string | undefined> {
  const found = await server.rows(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'prices'",
  );
  if (found.length === 0) return undefined;
  return servedTable.exec(await server.ask("SHOW CREATE TABLE prices"))?.[1];
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
  for (const server of servers) {
    for (const table of tables) await server.ask(`DROP TABLE IF EXISTS ${table}_next`);
  }
  await dropTables(servers, snapshot);
}

async function dropTables(servers: readonly ClickHouseServer[], snapshot: string): Promise<void> {
  for (const server of servers) {
    for (const table of tables) await server.ask(`DROP TABLE IF EXISTS ${table}_${snapshot}`);
  }
}

/** @throws {ClickHouseError} where a server finds another number of prices on all shards than were sent. */
async function checkCounts(server: ClickHouseServer, sent: number): Promise<void> {
  for (const [table, count] of [
    ["prices", "count()"],
    ["prices_by_county", "count()"],
    ["series", "sum(price_count)"],
  ]) {
    const [row] = await server.rows(`SELECT ${count} AS prices FROM ${table}_next`);
    const found = Number(row?.["prices"] ?? 0);
    if (found !== sent)
      throw new ClickHouseError(`${server.name}: ${table}_next: found ${found} prices, expected the ${sent} sent`);
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
async function removeOlder(
  servers: readonly ClickHouseServer[],
  kept: readonly (string | undefined)[],
): Promise<readonly string[]> {
  const query = "SELECT name FROM system.tables WHERE database = currentDatabase()";
  const found = await Promise.all(servers.map((server) => server.rows(query)));
  const endings = found.flat().map((row) => tableOfSnapshot.exec(String(row["name"]))?.[1]);
  const older = [...new Set(endings)].filter((ending) => ending !== undefined && !kept.includes(ending)) as string[];
  for (const ending of older) await dropTables(servers, ending);
  return older;
}
