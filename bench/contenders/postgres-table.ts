import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { readUuid } from "../../src/engine/model/ids.ts";
import { type PeerColumn, peerColumnReaders, peerOrder } from "./peer-prices.ts";
import type { PeerTables } from "./peer-tables.ts";
import type { PostgresClient } from "./postgres-api.ts";

/** Columns that are not `integer`. */
const otherTypes: Readonly<Partial<Record<PeerColumn, string>>> = {
  price: "double precision",
  value: "double precision",
  recorded_at: "bigint",
  created_at: "bigint",
  updated_at: "bigint",
  notes: "text",
};

/**
 * The indexes that the questions of the race over HTTP want: a price by uuid; a product's prices in answer order, which
 * also count; and what statistics read of a row, so that they read the index alone.
 */
const indexes = [
  "CREATE UNIQUE INDEX by_uuid ON prices (uuid)",
  "CREATE INDEX by_product ON prices (product, recorded_at DESC, uuid)",
  "CREATE INDEX by_product_day ON prices (product, day) INCLUDE (month, week, value, is_converted)",
];

/** Rows in one piece of the stream. */
const pieceRows = 2048;

/**
 * Fills a new database with table `prices`, sorted as our store is, and its indexes, and lets it gather its statistics.
 */
export async function createPostgresTable(client: PostgresClient, dataset: Dataset, tables: PeerTables): Promise<void> {
  const readers = peerColumnReaders(dataset, tables);
  const columns = Object.keys(readers) as PeerColumn[];
  const definitions = columns.map((column) => `${column} ${otherTypes[column] ?? "integer"}`).join(", ");
  await client.unsafe(`CREATE UNLOGGED TABLE prices (uuid uuid NOT NULL, ${definitions})`);
  const readColumns = columns.map((column) => readers[column]);
  const rows = peerOrder(dataset, tables);
  const destination = await client.unsafe("COPY prices FROM STDIN").writable();
  await pipeline(Readable.from(textOf(rows)), destination);
  for (const index of indexes) await client.unsafe(index);
  // Also sets the visibility map, without which no scan reads an index alone.
  await client.unsafe("VACUUM (ANALYZE) prices");

  function* textOf(order: Uint32Array): Generator<string> {
    for (let from = 0; from < order.length; from += pieceRows) {
      let text = "";
      for (const row of order.subarray(from, from + pieceRows)) {
        const fields = readColumns.map((read) => fieldText(read(row)));
        text += `${[readUuid(dataset.prices.uuids, row), ...fields].join("\t")}\n`;
      }
      yield text;
    }
  }
}

/** A value in the text format of `COPY`. */
function fieldText(value: number | string | null): string {
  if (value === null) return "\\N";
  if (typeof value === "number") return String(value);
  return value.replace(/[\\\t\n\r]/g, (character) => escapes[character] as string);
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
