import { DatabaseSync } from "node:sqlite";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { wordsPerUuid } from "../../src/engine/model/ids.ts";
import { type PeerColumn, peerColumnReaders, peerOrder } from "./peer-prices.ts";
import type { PeerTables } from "./peer-tables.ts";

/** What statistics read of a row; at the end of an index it spares SQLite the way from index to table. */
const samples = "value, is_converted, day, week, month";

/**
 * The indexes, in the order of their making. Each holds answer order (newest first, then uuid) behind its first
 * columns.
 */
const indexes = {
  by_product: `product, recorded_at DESC, uuid, ${samples}, market, county, market_type`,
  by_product_county: `product, county, recorded_at DESC, uuid, ${samples}, market`,
  by_product_market: `product, market, recorded_at DESC, uuid, ${samples}, county`,
  by_product_market_unit: "product, market, unit, recorded_at DESC, uuid",
  by_market: "market, recorded_at DESC, uuid",
  by_county: "county, recorded_at DESC, uuid, price",
  by_time: "recorded_at DESC, uuid, price",
  by_price: "price",
};

/**
 * Columns that are not `INTEGER`. Numbers come as floating-point ones; only a typed column stores them in few bytes.
 */
const otherTypes: Readonly<Partial<Record<PeerColumn, string>>> = { price: "REAL", value: "REAL", notes: "TEXT" };

/** Kibibytes of page cache, negative as SQLite wants them; a database in memory never has to give pages back. */
const settings = `
  PRAGMA page_size = 8192; PRAGMA cache_size = -262144; PRAGMA temp_store = MEMORY; PRAGMA threads = 2;
  PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;`;

/**
 * A database in memory with table `prices` (sorted as our store is, so that neighbours in an answer are neighbours in
 * memory), its indexes, and table `series` of all triples of product, market and unit that occur.
 */
export function createSqliteDatabase(dataset: Dataset, tables: PeerTables): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec(settings);
  insertPrices(database, dataset, tables);
  database.exec("CREATE UNIQUE INDEX by_uuid ON prices (uuid)");
  for (const [name, columns] of Object.entries(indexes)) database.exec(`CREATE INDEX ${name} ON prices (${columns})`);
  database.exec(`
    CREATE TABLE series (product INTEGER, market INTEGER, unit INTEGER, PRIMARY KEY (product, market, unit))
      WITHOUT ROWID;
    INSERT INTO series SELECT DISTINCT product, market, unit FROM prices;
    ANALYZE`);
  return database;
}

function insertPrices(database: DatabaseSync, dataset: Dataset, tables: PeerTables): void {
  const readers = peerColumnReaders(dataset, tables);
  const columns = Object.keys(readers) as PeerColumn[];
  const definitions = columns.map((column) => `${column} ${otherTypes[column] ?? "INTEGER"}`).join(", ");
  database.exec(`CREATE TABLE prices (id INTEGER PRIMARY KEY, uuid BLOB NOT NULL, ${definitions})`);
  const placeholders = columns.map(() => "?").join(", ");
  const insert = database.prepare(`INSERT INTO prices VALUES (?, ?, ${placeholders})`);
  const readColumns = columns.map((column) => readers[column]);
  const bytes = new Uint8Array(16);
  const words = new DataView(bytes.buffer);
  database.exec("BEGIN");
  for (const [id, row] of peerOrder(dataset, tables).entries()) {
    for (let word = 0; word < wordsPerUuid; word++) {
      words.setUint32(4 * word, dataset.prices.uuids[row * wordsPerUuid + word] as number);
    }
    insert.run(id, bytes, ...readColumns.map((read) => read(row)));
  }
  database.exec("COMMIT");
}
