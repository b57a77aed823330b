/** Puts what a new snapshot has of the current one into its staging folder. */
import { rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { ManifestFile } from "../dataset/manifest.ts";
import { ProblemList } from "../dataset/problem.ts";
import { compareFiles } from "../dataset/read-candidate.ts";
import type { Tables } from "../dataset/read-tables.ts";
import { inspectRecordFile } from "../dataset/record-file.ts";
import { originsNameOf, pricesDirectoryName, pricesNameOf, type TableKind } from "../dataset/snapshot-layout.ts";
import { shareFile } from "../files/share-file.ts";
import type { TableChange } from "./merge-tables.ts";
import type { ParentSnapshot } from "./open-published.ts";
import type { StepObserver } from "./publish-steps.ts";
import { recordFileText } from "./record-file-text.ts";
import { writeDigested } from "./stage-snapshot.ts";
import { tableKinds } from "./table-records.ts";

/**
 * Shares files of the current snapshot. Only their size is checked; `verify` hashes them, because they are the bulk.
 *
 * @throws {DatasetError} when one is missing or of another size; nothing is shared then.
 */
export async function shareCurrent(
  parent: ParentSnapshot,
  files: readonly ManifestFile[],
  staging: string,
  onStep: StepObserver,
): Promise<void> {
  await shareNamed(parent, new Map(files.map((file) => [file, file.name])), staging, onStep);
}

/**
 * Shares the origins of prices files of the current snapshot.
 *
 * @param names By the name of a prices file, the one that it has in the new snapshot.
 * @returns The manifest's entries.
 * @throws as `shareCurrent`.
 */
export async function shareOrigins(
  parent: ParentSnapshot,
  names: ReadonlyMap<string, string>,
  staging: string,
  onStep: StepObserver,
): Promise<ManifestFile[]> {
  const entries = new Map<ManifestFile, ManifestFile>();
  for (const file of parent.manifest.files) {
    const pricesName = file.kind === "origins" ? names.get(pricesNameOf(file.name)) : undefined;
    if (pricesName !== undefined) entries.set(file, originsEntry(pricesName, file));
  }
  const storedNames = new Map([...entries].map(([file, { name }]) => [file, name]));
  await shareNamed(parent, storedNames, staging, onStep);
  return [...entries.values()];
}

/** Shares files under the names given. */
async function shareNamed(
  { directory, folderName }: Pick<ParentSnapshot, "directory" | "folderName">,
  names: ReadonlyMap<ManifestFile, string>,
  staging: string,
  onStep: StepObserver,
): Promise<void> {
  const problems = new ProblemList();
  for (const file of names.keys()) {
    const fault = await inspectRecordFile(directory, file.name, file);
    if (fault !== undefined) problems.add({ file: `${folderName}/${file.name}`, ...fault, kind: "checksum" });
  }
  problems.throwIfAny("the current snapshot");
  for (const [{ name }, stored] of names) {
    await shareFile(join(directory, name), join(staging, stored));
    await onStep("file-shared");
  }
}

/**
 * Writes the small tables that have changed, and shares the others and the rulings.
 *
 * @param tables Those of the new snapshot.
 * @returns The manifest's entries.
 */
export async function stageTables(
  parent: ParentSnapshot,
  tables: Tables,
  changes: readonly TableChange[],
  staging: string,
  onStep: StepObserver,
): Promise<ManifestFile[]> {
  const isChanged = (kind: string): boolean => changes.some((change) => change.kind === kind);
  const kept = parent.manifest.files.filter(({ kind }) => kind !== "prices" && kind !== "origins" && !isChanged(kind));
  await shareCurrent(parent, kept, staging, onStep);
  const written: ManifestFile[] = [];
  for (const kind of tableKinds.filter(isChanged)) {
    written.push(await writeTable(kind));
    await onStep("file-copied");
  }
  return [...kept, ...written];

  async function writeTable<Kind extends TableKind>(kind: Kind): Promise<ManifestFile> {
    const { file: name, records } = tables[kind];
    const text = Buffer.from(recordFileText<Kind>(kind, records));
    const digest = await writeDigested(join(staging, name), [text]);
    return { name, kind, ...digest, rows: records.length, sequence: 0, replaces: 0 };
  }
}

/** The manifest's entry of the origins of a prices file. @param pricesName The name of that file in the snapshot. */
export function originsEntry(
  pricesName: string,
  { bytes, rows, sha256 }: Pick<ManifestFile, "bytes" | "rows" | "sha256">,
): ManifestFile {
  return { name: originsNameOf(pricesName), kind: "origins", bytes, rows, sha256, sequence: 0, replaces: 0 };
}

/**
 * Completes the folder of prices: it is removed when no file lies in it.
 *
 * @returns The entries by kind, then name.
 */
export async function completePrices(staging: string, files: readonly ManifestFile[]): Promise<ManifestFile[]> {
  const isUsed = files.some(({ name }) => name.startsWith(`${pricesDirectoryName}/`));
  if (!isUsed) await rmdir(join(staging, pricesDirectoryName));
  return files.toSorted(compareFiles);
}
