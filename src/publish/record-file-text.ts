import { type Records, recordFormats } from "../dataset/record-formats.ts";
import { writtenRecord } from "../dataset/schema.ts";
import { type TableKind, tableFileNames } from "../dataset/snapshot-layout.ts";

/** The content of the file of a small table, with these records in their order. */
export function recordFileText<Kind extends TableKind>(kind: Kind, records: readonly Records[Kind][]): string {
  const written = records.map((record) => writtenRecord<Records[Kind]>(recordFormats[kind], record));
  if (tableFileNames[kind].endsWith(".json")) return `${JSON.stringify(written, null, 2)}\n`;
  return written.map((record) => `${JSON.stringify(record)}\n`).join("");
}
