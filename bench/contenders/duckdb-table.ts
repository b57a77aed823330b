import type { Dataset } from "../../src/engine/model/dataset.ts";
import { wordsPerUuid } from "../../src/engine/model/ids.ts";
import type { DuckDbApi, DuckDbConnection, DuckDbType, DuckDbValue } from "./duckdb-api.ts";
import { type PeerColumn, peerColumnReaders, peerOrder } from "./peer-prices.ts";
import type { PeerTables } from "./peer-tables.ts";

/** Columns that are not `INTEGER`. */
const otherTypes = {
  price: "DOUBLE",
  value: "DOUBLE",
  recorded_at: "BIGINT",
  created_at: "BIGINT",
  updated_at: "BIGINT",
  notes: "VARCHAR",
} as const satisfies Partial<Record<PeerColumn, string>>;

/** Rows of a data chunk, DuckDB's own vector size. */
const chunkRows = 2048;

/**
 * A database in memory with table `prices`, sorted as our store is, so that zone maps leave out other products and
 * `rowid` ascends in answer order within a product; and a unique index on uuid.
 */
export async function createDuckDbTable(
  api: DuckDbApi,
  dataset: Dataset,
  tables: PeerTables,
): Promise<DuckDbConnection> {
  const connection = await (await api.DuckDBInstance.create(":memory:")).connect();
  const readers = peerColumnReaders(dataset, tables);
  const columns = Object.keys(readers) as PeerColumn[];
  const definitions = columns.map((column) => `${column} ${typeOf(column)}`).join(", ");
  await connection.run(`CREATE TABLE prices (uuid UUID, ${definitions})`);
  const types: DuckDbType[] = [api.UUID, ...columns.map((column) => api[typeOf(column)])];
  const appender = await connection.createAppender("prices");
  const order = peerOrder(dataset, tables);
  for (let from = 0; from < order.length; from += chunkRows) {
    const rows = Array.from(order.subarray(from, from + chunkRows));
    const chunk = api.DuckDBDataChunk.create(types, rows.length);
    chunk.setColumnValues(
      0,
      rows.map((row) => api.DuckDBUUIDValue.fromUint128(uuidNumber(dataset.prices.uuids, row))),
    );
    for (const [at, column] of columns.entries()) {
      const read: (row: number) => DuckDbValue = readers[column];
      const values = typeOf(column) === "BIGINT" ? rows.map((row) => BigInt(Number(read(row)))) : rows.map(read);
      chunk.setColumnValues(at + 1, values);
    }
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  await connection.run("CREATE UNIQUE INDEX by_uuid ON prices (uuid)");
  return connection;
}

function typeOf(column: PeerColumn): "INTEGER" | (typeof otherTypes)[keyof typeof otherTypes] {
  return column in otherTypes ? otherTypes[column as keyof typeof otherTypes] : "INTEGER";
}

function uuidNumber(words: Uint32Array, row: number): bigint {
  let number = 0n;
  for (let word = 0; word < wordsPerUuid; word++) {
    number = (number << 32n) | BigInt(words[row * wordsPerUuid + word] as number);
  }
  return number;
}
