/** Files of rulings in a snapshot: their content, and their entries of the manifest. */
import { hash } from "node:crypto";
import type { ManifestFile } from "../dataset/manifest.ts";
import type { PriceRulings } from "../dataset/price-rulings.ts";
import { type RulingKind, rulingFileNames, rulingKinds } from "../dataset/snapshot-layout.ts";
import type { Staging } from "./stage-snapshot.ts";
import { recordFileText } from "./table-records.ts";

/** A file of rulings. */
interface RulingFile {
  readonly kind: RulingKind;
  readonly name: string;
  readonly rows: number;
  readonly content: Buffer;
}

/** The files of the rulings of a snapshot, lines in their order; none of an empty list. */
export function rulingFiles(rulings: PriceRulings): RulingFile[] {
  return rulingKinds
    .filter((kind) => rulings[kind].length > 0)
    .map((kind) => {
      const content = Buffer.from(recordFileText<RulingKind>(kind, rulings[kind]));
      return { kind, name: rulingFileNames[kind], rows: rulings[kind].length, content };
    });
}

/**
 * The manifest's entries of these files.
 *
 * @param withheld How many prices of the snapshot's files are left out.
 */
export function rulingEntries(rulings: PriceRulings, withheld: number): ManifestFile[] {
  return rulingFiles(rulings).map(({ kind, name, rows, content }) => {
    const sha256 = hash("sha256", content);
    const entry = { name, kind, bytes: content.length, rows, sha256, sequence: 0, replaces: 0 };
    return kind === "withdrawals" ? { ...entry, withheld } : entry;
  });
}

/** Writes these files into the staging folder of their snapshot, flushed. */
export async function stageRulings(staging: Staging, rulings: PriceRulings): Promise<void> {
  for (const { name, content } of rulingFiles(rulings)) await staging.write(name, [content]);
}
