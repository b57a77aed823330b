/** The folder of record files that an import makes. */

import { type FolderClaim, requireFreeFolder, writeWholeFolder } from "../../engine/files/whole-folder.ts";
import { recordFormats } from "../../engine/model/records.ts";
import { inputFaults } from "../../engine/snapshots/input-values.ts";
import { checkManifestDraft } from "../../engine/snapshots/manifest.ts";
import { ProblemList, problemsReadMax } from "../../engine/snapshots/problem.ts";
import { recordLines, type UncheckedRecord } from "../../engine/snapshots/record-texts.ts";
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
 * @param path The table that is imported, for messages.
 * @param manifest None is written where it is undefined.
 * @throws {DatasetError} naming records and fields that `append` and `publish` would refuse; then nothing is written.
 */
export async function writeRecordFolder(
  path: string,
  folder: FolderClaim,
  records: Readonly<Partial<Record<(typeof kinds)[number], Iterable<object>>>>,
  manifest: object | undefined,
): Promise<void> {
  const problems = new ProblemList(problemsReadMax);
  const tables = kinds.flatMap((kind) => {
    const [name, ofKind = []] = [fileNames[kind], records[kind]];
    if (Array.isArray(ofKind) && ofKind.length === 0) return [];
    const table = checkedRecords(kind, ofKind, problems, path);
    return { name, pieces: name.endsWith(".ndjson") ? recordLines(table) : jsonOf([...table]) };
  });
  const head = manifest === undefined ? [] : [{ name: manifestFileName, pieces: jsonOf(manifest) }];
  if (manifest !== undefined) checkManifestDraft(manifest as UncheckedRecord, problems);
  await writeWholeFolder(folder, [...head, ...tables]);
}

/** The same records, each checked when it is taken; behind the last of them nothing comes if one is refused. */
function* checkedRecords(
  kind: (typeof kinds)[number],
  records: Iterable<object>,
  problems: ProblemList,
  path: string,
): Generator<object, void> {
  let line = 0;
  for (const record of records) {
    line++;
    for (const fault of inputFaults(recordFormats[kind], record))
      problems.add({ file: fileNames[kind], line, ...fault });
    yield record;
  }
  problems.throwIfAny(path);
}

function jsonOf(value: unknown): string[] {
  return [JSON.stringify(value, null, 2), "\n"];
}
