/** Tables as Parquet: typed columns, dictionaries where values repeat, Snappy, row groups that end with a product. */
import type { SchemaElement } from "hyparquet";
import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer";
import { instantText } from "../model/calendar.ts";
import { describeSource } from "../model/dataset.ts";
import { allSources } from "../query/describe-prices.ts";
import type { Store } from "../store/store.ts";
import { citationOf } from "./citation.ts";
import { type Cell, type Columns, type ColumnType, cellReader, type RowBlocks } from "./table-columns.ts";
import { listText } from "./table-text.ts";

/** Rows after which a group ends: with the next part, and at the latest. */
const groupRowsMin = 20_000;
const groupRowsMax = 100_000;

type Element = Omit<SchemaElement, "name" | "repetition_type">;

const elements: Readonly<Record<ColumnType, Element>> = {
  // As text, because few readers know the type of UUIDs; the rest would give 16 bytes.
  uuid: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  texts: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  type_counts: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  number: { type: "DOUBLE" },
  integer: { type: "INT32" },
  boolean: { type: "BOOLEAN" },
  date: { type: "INT32", converted_type: "DATE" },
  // An instant, which readers show in a time zone. Readers older than logical types know the converted type alone.
  timestamp: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
};

/**
 * A table as the bytes of a Parquet file.
 *
 * @param blocks Rows of the store.
 * @param partOf The part of a row, such as its product: a row group ends with a part where it has enough rows.
 * @returns A piece for each row group, and one for the end. Cost: memory for the rows of one group.
 */
export function* tableParquet<Row>(
  store: Store,
  columns: Columns<Row>,
  blocks: RowBlocks<Row>,
  partOf: (row: Row) => unknown = () => 0,
): Generator<Uint8Array> {
  const writer = new ByteWriter();
  const schema: SchemaElement[] = [
    { name: "root", num_children: columns.length },
    ...columns.map(({ name, type }): SchemaElement => ({ name, repetition_type: "OPTIONAL", ...elements[type] })),
  ];
  const parquet = new ParquetWriter({
    writer,
    schema,
    createdBy: "kenya-farm-prices",
    kvMetadata: Object.entries(describeOrigin(store)).map(([key, value]) => ({ key, value })),
  });
  const values = columns.map((column) => cellReader(store, column, (cell) => valueOfCell(cell, column.type)));
  let group: ColumnSource["data"][] = columns.map(() => []);
  let count = 0;
  let part: unknown;
  for (const block of blocks) {
    for (let at = 0; at < block.length; at++) {
      const row = block[at] as Row;
      const isEnd = count >= groupRowsMax || (count >= groupRowsMin && partOf(row) !== part);
      if (isEnd) yield endGroup();
      part = partOf(row);
      for (const [position, readValue] of values.entries()) (group[position] as unknown[]).push(readValue(row));
      count++;
    }
  }
  if (count > 0) yield endGroup();
  parquet.finish();
  yield takeBytes(writer);

  function endGroup(): Uint8Array {
    const columnData = columns.map(({ name }, at): ColumnSource => ({ name, data: group[at] ?? [] }));
    parquet.write({ columnData, rowGroupSize: count });
    group = columns.map(() => []);
    count = 0;
    return takeBytes(writer);
  }
}

/** Returns what the file says of its origin: texts, those of lists as JSON. */
function describeOrigin(store: Store): Readonly<Record<string, string>> {
  const { snapshot } = store;
  const sources = allSources(store);
  return {
    snapshot: snapshot.id,
    created_at: instantText(snapshot.createdAt),
    time_zone: snapshot.timeZone,
    sources: JSON.stringify(sources.map((source) => describeSource(snapshot, source))),
    attribution: JSON.stringify(snapshot.attribution),
    citation: citationOf(snapshot, sources),
  };
}

/** Takes what was written since; `offset` goes on counting. */
function takeBytes(writer: ByteWriter): Uint8Array {
  const bytes = new Uint8Array(writer.buffer, 0, writer.index).slice();
  writer.index = 0;
  return bytes;
}

type Value = string | number | boolean | Date | undefined;

function valueOfCell(cell: Cell, type: ColumnType): Value {
  if (cell === null) return undefined;
  if (typeof cell === "object") return listText(cell);
  return type === "date" || type === "timestamp" ? new Date(cell as string | number) : cell;
}
