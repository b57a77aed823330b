/** Small tables and decisions as record files, and what identifies a record of each small table. */
import { hash } from "node:crypto";
import { type Records, recordFormats } from "../../engine/model/records.ts";
import { continuationKey } from "../../engine/snapshots/check-links.ts";
import { writtenRecord } from "../../engine/snapshots/check-record.ts";
import type { ManifestFile } from "../../engine/snapshots/manifest.ts";
import type { PriceDecisions } from "../../engine/snapshots/price-decisions.ts";
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

/** A file of decisions. */
interface DecisionFile {
  readonly kind: DecisionKind;
  readonly name: string;
  readonly rows: number;
  readonly content: Buffer;
}

/** The files of the decisions of a snapshot, lines in their order; none of an empty list. */
export function decisionFiles(decisions: PriceDecisions): DecisionFile[] {
  return decisionKinds
    .filter((kind) => decisions[kind].length > 0)
    .map((kind) => {
      const content = Buffer.from(recordFileText<DecisionKind>(kind, decisions[kind]));
      return { kind, name: decisionFileNames[kind], rows: decisions[kind].length, content };
    });
}

/**
 * The manifest's entries of these files.
 *
 * @param withheld How many prices of the snapshot's files are left out.
 */
export function decisionEntries(decisions: PriceDecisions, withheld: number): ManifestFile[] {
  return decisionFiles(decisions).map(({ kind, name, rows, content }) => {
    const sha256 = hash("sha256", content);
    const entry = { name, kind, bytes: content.length, rows, sha256, sequence: 0, replaces: 0 };
    return kind === "withdrawals" ? { ...entry, withheld } : entry;
  });
}

/** Writes these files into the staging folder of their snapshot, flushed. */
export async function stageDecisions(staging: Staging, decisions: PriceDecisions): Promise<void> {
  for (const { name, content } of decisionFiles(decisions)) await staging.write(name, [content]);
}
