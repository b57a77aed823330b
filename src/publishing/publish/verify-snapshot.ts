/** Checks whether a published snapshot is as it was published. */
import { join } from "node:path";
import { compareStores } from "../../engine/compiled/compare-stores.ts";
import { readCompiledSnapshot } from "../../engine/compiled/compiled-folder.ts";
import { CompiledStoreError } from "../../engine/compiled/compiled-store-error.ts";
import { hashFile } from "../../engine/files/hash-file.ts";
import { readCurrentIfAny } from "../../engine/snapshots/current-snapshot.ts";
import { loadManifestDataset } from "../../engine/snapshots/load-dataset.ts";
import { type Manifest, type ManifestFile, type TableRows, tableRows } from "../../engine/snapshots/manifest.ts";
import { type Fault, ProblemList } from "../../engine/snapshots/problem.ts";
import { faultsAgainstManifest, inspectRecordFile } from "../../engine/snapshots/record-file.ts";
import { compiledName, logFileName, type SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { type BytesObserver, faultOfReading } from "../../engine/snapshots/stored-file.ts";
import { buildStoreOnThreads } from "../../engine/store/build-store.ts";
import { PublishedSnapshot } from "./open-published.ts";
import { readLog } from "./publication-log.ts";

export interface VerificationReport {
  readonly id: SnapshotId;
  readonly rows: TableRows;
  /** True if it has a compiled store of this version's layout, which then equals the store built from the records. */
  readonly isCompiled: boolean;
  /** Says which other layout its compiled store has, which another version reads; undefined where it has none. */
  readonly otherLayout: string | undefined;
  /** Faults of the log of the dataset directory, a line each. */
  readonly logFaults: readonly string[];
}

/**
 * Checks a published snapshot completely: hashes every file, checks every record, builds the store from the records and
 * compares it with the compiled one, byte by byte.
 *
 * @param wanted The current snapshot when absent.
 * @throws {SnapshotUnavailableError} when there is no such snapshot.
 * @throws {DatasetError} with everything that is wrong. A wrong compiled store may be deleted: it is compiled again.
 */
export async function verifySnapshot(
  dataDirectory: string,
  wanted?: SnapshotId,
  onBytes?: BytesObserver,
): Promise<VerificationReport> {
  const { directory, manifest } = await PublishedSnapshot.readWanted(dataDirectory, wanted);
  const { id } = manifest;
  const dataset = await loadManifestDataset(directory, manifest, { onBytes, readsOrigins: true });
  const store = await buildStoreOnThreads(dataset);
  const compiled = await readCompiledSnapshot(dataDirectory, manifest);
  const refusal = compiled instanceof CompiledStoreError ? compiled : undefined;
  const otherLayout = refusal?.code === "layout" ? refusal.message : undefined;
  const isAbsent = refusal?.code === "missing" || otherLayout !== undefined;
  const problems = new ProblemList();
  const about = {
    file: `compiled/${compiledName(id)}`,
    kind: "compiled",
    wanted: "the store built from the records; delete the file, it is compiled again",
  } as const;
  if (!(compiled instanceof CompiledStoreError)) {
    for (const path of compareStores(store, compiled)) problems.add({ ...about, found: `other values in ${path}` });
  } else if (!isAbsent) {
    const found = `a compiled store that cannot be used (${compiled.code}: ${compiled.message})`;
    problems.add({ ...about, found });
  }
  problems.throwIfAny(`snapshot ${id}`);
  const logFaults = await verifyLog(dataDirectory);
  return { id, rows: tableRows(manifest.files), isCompiled: !isAbsent, otherLayout, logFaults };
}

/** Returns the faults of the log, a last line that leads elsewhere than `CURRENT` among them. */
async function verifyLog(dataDirectory: string): Promise<string[]> {
  const { entries, faults } = await readLog(dataDirectory);
  const current = await readCurrentIfAny(dataDirectory);
  const last = entries.at(-1);
  if (last === undefined || current === null || last.to === current) return [...faults];
  return [...faults, `${logFileName}: the last change led to ${last.to}, but ${current} is current: one is not logged`];
}

/**
 * Finds every file of a snapshot whose size or SHA-256 differs from the manifest. It does not check the records: they
 * were checked when the manifest got their SHA-256.
 *
 * Cost: reads every file once.
 */
export async function verifyFiles(directory: string, { files }: Manifest): Promise<ProblemList> {
  const problems = new ProblemList();
  for (const file of files) {
    const fault = (await inspectRecordFile(directory, file.name, file)) ?? (await contentFault(directory, file));
    if (fault !== undefined) problems.add({ file: file.name, ...fault });
  }
  return problems;
}

async function contentFault(directory: string, file: ManifestFile): Promise<Fault | undefined> {
  try {
    const sha256 = await hashFile(join(directory, file.name), { refusesLinks: true });
    return faultsAgainstManifest({ sha256 }, file)[0];
  } catch (error) {
    return faultOfReading(error);
  }
}
