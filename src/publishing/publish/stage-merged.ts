/** Puts what a new snapshot has of the current one into its staging folder. */
import { join } from "node:path";
import type { ManifestFile } from "../../engine/snapshots/manifest.ts";
import { ProblemList } from "../../engine/snapshots/problem.ts";
import type { Tables } from "../../engine/snapshots/read-tables.ts";
import { inspectRecordFile } from "../../engine/snapshots/record-file.ts";
import { originsNameOf, pricesNameOf } from "../../engine/snapshots/snapshot-layout.ts";
import type { TableChange } from "./merge-tables.ts";
import type { PublishedSnapshot } from "./open-published.ts";
import { type MadeFile, stageMade, tableFiles, tableKinds } from "./record-files.ts";
import type { Staging } from "./stage-snapshot.ts";

/**
 * Shares files of the current snapshot. Only their size is checked; `verify` hashes them, because they are the bulk.
 *
 * @param storedName The name that a file gets; its own when absent.
 * @throws {DatasetError} when one is missing or of another size; nothing is shared then.
 */
export async function shareCurrent(
  { directory, folderName }: PublishedSnapshot,
  files: readonly ManifestFile[],
  staging: Staging,
  storedName: (file: ManifestFile) => string = ({ name }) => name,
): Promise<void> {
  const problems = new ProblemList();
  for (const file of files) {
    const fault = await inspectRecordFile(directory, file.name, file);
    if (fault !== undefined) problems.add({ file: `${folderName}/${file.name}`, ...fault, kind: "checksum" });
  }
  problems.throwIfAny("the current snapshot");
  for (const file of files) await staging.share(join(directory, file.name), storedName(file));
}

/**
 * Shares the origins of prices files of the current snapshot.
 *
 * @param names By the name of a prices file, the one that it has in the new snapshot.
 * @returns The manifest's entries.
 * @throws as `shareCurrent`.
 */
export async function shareOrigins(
  parent: PublishedSnapshot,
  names: ReadonlyMap<string, string>,
  staging: Staging,
): Promise<ManifestFile[]> {
  const storedName = ({ name }: ManifestFile): string => names.get(pricesNameOf(name)) as string;
  const origins = parent.manifest.files.filter(({ kind, name }) => kind === "origins" && names.has(pricesNameOf(name)));
  await shareCurrent(parent, origins, staging, (file) => originsNameOf(storedName(file)));
  return origins.map((file) => originsEntry(storedName(file), file));
}

/** The files of the next snapshot that hold no prices and no origins. */
export interface TablesPlan {
  /** Small tables and decisions of the current snapshot, which are shared. */
  readonly shared: readonly ManifestFile[];
  /** Small tables that have changed, and acceptances into which values were written. */
  readonly made: readonly MadeFile[];
}

/**
 * Plans the files of small tables and decisions.
 *
 * @param tables The tables of the next snapshot.
 * @param decisions Files of decisions that take the place of the current ones.
 */
export function planTables(
  parent: PublishedSnapshot,
  tables: Tables,
  changes: readonly TableChange[],
  decisions: readonly MadeFile[],
): TablesPlan {
  const changed = tableKinds.filter((kind) => changes.some((change) => change.kind === kind));
  const made = [...tableFiles(tables, changed), ...decisions];
  const isShared = ({ kind }: ManifestFile): boolean =>
    kind !== "prices" && kind !== "origins" && !made.some(({ entry }) => entry.kind === kind);
  return { shared: parent.manifest.files.filter(isShared), made };
}

/** Returns the manifest's entries of planned files. */
export function tableEntries({ shared, made }: TablesPlan): ManifestFile[] {
  return [...shared, ...made.map(({ entry }) => entry)];
}

/** Puts planned files into the staging folder. @throws as `shareCurrent`. */
export async function stageTables(
  parent: PublishedSnapshot,
  { shared, made }: TablesPlan,
  staging: Staging,
): Promise<void> {
  await shareCurrent(parent, shared, staging);
  await stageMade(staging, made);
}

/** The manifest's entry of the origins of a prices file. @param pricesName The name of that file in the snapshot. */
export function originsEntry(
  pricesName: string,
  { bytes, rows, sha256 }: Pick<ManifestFile, "bytes" | "rows" | "sha256">,
): ManifestFile {
  return { name: originsNameOf(pricesName), kind: "origins", bytes, rows, sha256, sequence: 0, replaces: 0 };
}
