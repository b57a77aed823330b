/** Small tables and decisions as record files, and what identifies a record of each small table. */
import { hash } from "node:crypto";
import type { FileDigest } from "../../engine/files/hash-file.ts";
import { type Records, recordFormats } from "../../engine/model/records.ts";
import { continuationKey } from "../../engine/snapshots/check-links.ts";
import { writtenRecord } from "../../engine/snapshots/check-record.ts";
import type { ManifestFile } from "../../engine/snapshots/manifest.ts";
import type { PriceDecisions } from "../../engine/snapshots/price-decisions.ts";
import type { Tables } from "../../engine/snapshots/read-tables.ts";
import {
  type DecisionKind,
  decisionFileNames,
  decisionKinds,
  recordKinds,
  singleFileNames,
  type TableKind,
} from "../../engine/snapshots/snapshot-layout.ts";
import type { Staging } from "./stage-snapshot.ts";

export const tableKinds: readonly TableKind[] = recordKinds.filter((kind) => kind !== "prices");

/** Identifier and name of each kind of record. */
export const identities: {
  readonly [Kind in TableKind]: (record: Records[Kind]) => readonly [id: string, name: string];
} = {
  counties: ({ id, name }) => [String(id), name],
  crops: ({ id, name }) => [String(id), name],
  units: ({ category }) => [category, category],
  "market-types": ({ type }) => [type, type],
  products: ({ uuid, name }) => [uuid, name],
  markets: ({ uuid, name }) => [uuid, name],
  "exchange-rates": ({ month, currency }) => [`${month} ${currency}`, `${month} ${currency}`],
  continuations: (record) => [continuationKey(record), continuationKey(record)],
  "market-continuations": ({ marketUuid }) => [marketUuid, marketUuid],
};

/** The content of the file of a small table or of decisions, with these records in their order. */
export function recordFileText<Kind extends TableKind | DecisionKind>(
  kind: Kind,
  records: readonly Records[Kind][],
): string {
  const written = records.map((record) => writtenRecord<Records[Kind]>(recordFormats[kind], record));
  if (singleFileNames[kind].endsWith(".json")) return `${JSON.stringify(written, null, 2)}\n`;
  return written.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** A record file that is made here, and not copied: its entry of the manifest, and its bytes. */
export interface MadeFile {
  readonly entry: ManifestFile;
  readonly content: Buffer;
}

/** The files of some small tables, under the names that the tables have. */
export function tableFiles(tables: Tables, kinds: readonly TableKind[]): MadeFile[] {
  return kinds.map(<Kind extends TableKind>(kind: Kind) => {
    const { file: name, records } = tables[kind];
    const content = Buffer.from(recordFileText<Kind>(kind, records));
    return { content, entry: { name, kind, ...digestOf(content), rows: records.length, sequence: 0, replaces: 0 } };
  });
}

/**
 * The files of the decisions of a snapshot, lines in their order; none of an empty list.
 *
 * @param withheld Number of prices of the snapshot's files that are left out.
 */
export function decisionFiles(decisions: PriceDecisions, withheld: number): MadeFile[] {
  return decisionKinds
    .filter((kind) => decisions[kind].length > 0)
    .map((kind) => {
      const { length: rows } = decisions[kind];
      const content = Buffer.from(recordFileText<DecisionKind>(kind, decisions[kind]));
      const { bytes, sha256 } = digestOf(content);
      const entry = { name: decisionFileNames[kind], kind, bytes, rows, sha256, sequence: 0, replaces: 0 };
      return { content, entry: kind === "withdrawals" ? { ...entry, withheld } : entry };
    });
}

function digestOf(content: Buffer): FileDigest {
  return { bytes: content.length, sha256: hash("sha256", content) };
}

/** Writes files that are made here into the staging folder of their snapshot, flushed. */
export async function stageMade(staging: Staging, files: readonly MadeFile[]): Promise<void> {
  for (const { entry, content } of files) await staging.write(entry.name, [content]);
}
