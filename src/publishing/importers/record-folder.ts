/** The folder of record files that an import makes. */

import { type FolderClaim, requireFreeFolder, writeWholeFolder } from "../../engine/files/whole-folder.ts";
import { recordLines } from "../../engine/snapshots/record-texts.ts";
import {
  manifestFileName,
  originsNameOf,
  type RecordKind,
  recordKinds,
  tableFileNames,
} from "../../engine/snapshots/snapshot-layout.ts";

const pricesFileName = "prices.ndjson";
const fileNames = { ...tableFileNames, prices: pricesFileName, origins: originsNameOf(pricesFileName) };
const kinds = [...recordKinds, "origins"] as const;

/**
 * Claims a folder for record files of some kinds, with their origins and a manifest.
 *
 * @param replaces True if an earlier import in that folder may be replaced.
 * @throws {FolderTakenError} when the folder must not be written to.
 */
export async function claimRecordFolder(
  path: string,
  replaces: boolean,
  held: readonly RecordKind[],
): Promise<FolderClaim> {
  const names = [manifestFileName, ...held.map((kind) => fileNames[kind]), fileNames.origins];
  const folder = { path, fileNames: names, signName: fileNames.origins, called: "an earlier import", replaces };
  await requireFreeFolder(folder);
  return folder;
}

/**
 * Writes the files of an import; lines are made while they are written. A table that is an empty array has no file.
 *
 * @param manifest None is written where it is undefined.
 */
export async function writeRecordFolder(
  folder: FolderClaim,
  records: Readonly<Partial<Record<(typeof kinds)[number], Iterable<object>>>>,
  manifest: object | undefined,
): Promise<void> {
  const tables = kinds.flatMap((kind) => {
    const [name, table = []] = [fileNames[kind], records[kind]];
    if (Array.isArray(table) && table.length === 0) return [];
    return { name, pieces: name.endsWith(".ndjson") ? recordLines(table) : jsonOf([...table]) };
  });
  const head = manifest === undefined ? [] : [{ name: manifestFileName, pieces: jsonOf(manifest) }];
  await writeWholeFolder(folder, [...head, ...tables]);
}

function jsonOf(value: unknown): string[] {
  return [JSON.stringify(value, null, 2), "\n"];
}
