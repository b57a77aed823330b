import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Compilation } from "../compiled/compile-snapshot.ts";
import { snapshotIdentity } from "../dataset/load-dataset.ts";
import { contentHash, type Manifest, tableRows } from "../dataset/manifest.ts";
import { DatasetError, ProblemList } from "../dataset/problem.ts";
import type { Candidate } from "../dataset/read-candidate.ts";
import {
  type RecordKind,
  rejectedFileName,
  type SnapshotId,
  snapshotPath,
  snapshotsPath,
} from "../dataset/snapshot-layout.ts";
import type { BytesObserver } from "../dataset/stored-file.ts";
import { fixedUtcOffset } from "../domain/calendar-day.ts";
import type { Instant } from "../domain/instant.ts";
import { withScratchFolder } from "../files/scratch-folder.ts";
import { flushDirectory } from "../files/write-file-durably.ts";
import { buildStoreOnThreads } from "../store/build-store.ts";
import type { Store } from "../store/store.ts";
import { activateSnapshot } from "./activate-snapshot.ts";
import { checkCandidate } from "./check-candidate.ts";
import { refuseLostRows } from "./compare-tables.ts";
import { compileStaged } from "./compile-staged.ts";
import { type CurrentSnapshot, readCurrentSnapshot, refuseLostCurrent } from "./current-snapshot.ts";
import { snapshotIds } from "./list-snapshots.ts";
import { warnOfNewValues } from "./price-warnings.ts";
import { withPublishLock } from "./publish-lock.ts";
import { ignoreSteps, type StepObserver } from "./publish-step.ts";
import { type SiftedCandidate, siftCandidate } from "./quarantine.ts";
import { type RejectedRow, rejectedText } from "./rejected-rows.ts";
import { removeStrays, stagingPrefix } from "./remove-strays.ts";
import { changesBetween, type SnapshotChanges } from "./snapshot-changes.ts";
import { greatestId, nextPublication, wholeSecond } from "./snapshot-id.ts";
import { stageSnapshot } from "./stage-snapshot.ts";
import { verifyFiles } from "./verify-files.ts";

export interface PublishRequest {
  /** The dataset directory; made when missing. */
  readonly dataDirectory: string;
  /** The record files to be published. They are copied and stay as they are. */
  readonly candidateDirectory: string;
  readonly now: Instant;
  /** Says what the snapshot is; instead of the note in the candidate's own manifest.json. */
  readonly note?: string | undefined;
  /** Publish although a table lost rows, or although nobody can tell whether it did. */
  readonly allowShrink: boolean;
  /** Set bad price rows aside, if they are few, instead of refusing all. */
  readonly quarantine: boolean;
  /** Do everything short of writing, and tell what readers would see change. */
  readonly dryRun: boolean;
  readonly onStep?: StepObserver | undefined;
  /** Told while record files are read. */
  readonly onBytes?: BytesObserver | undefined;
}

export interface PublishReport {
  readonly outcome: "published" | "already-current" | "would-publish";
  /** The snapshot published, current, or to be published if it were now. */
  readonly id: SnapshotId;
  readonly parent: SnapshotId | null;
  /** Number of records of each table. */
  readonly rows: Readonly<Record<RecordKind, number>>;
  /** Price rows that were or would be set aside; `rows` is without them. */
  readonly rejected: readonly RejectedRow[];
  readonly warnings: ProblemList;
  /** What readers would see change; only of a dry run, and only if there is a current snapshot that can be read. */
  readonly changes: SnapshotChanges | undefined;
  /** How compiling its store ended; only if it was published. Without a compiled store it is served all the same. */
  readonly compilation: Compilation | undefined;
}

/** The zone of the first snapshot, if its directory names none. */
const timeZoneDefault = "Africa/Nairobi";

/**
 * Publishes a directory of record files: check it, compare it with the current snapshot, copy it under a temporary
 * name, give it its id, and point `CURRENT` at it. Whatever fails, the current snapshot stays the current one.
 *
 * A directory that equals the current snapshot in its files, time zone and attribution is not published again, unless
 * the current one is damaged. What a directory does not say of itself (time zone, attribution) stays as it is now.
 *
 * @throws {DatasetError} with every reason why the directory cannot be published.
 * @throws {SnapshotUnavailableError} when `CURRENT` holds no id.
 * @throws {LockHeldError} when another publisher is at work for longer than ten seconds.
 */
export async function publishSnapshot(request: PublishRequest): Promise<PublishReport> {
  const { dataDirectory, candidateDirectory, onStep = ignoreSteps, onBytes } = request;
  const now = wholeSecond(request.now);
  if (request.dryRun) {
    return await withScratchFolder(join(tmpdir(), "publish-"), async (makeFolder) => {
      const sifted = await check(makeFolder);
      const { report, current, manifest } = await prepare(sifted);
      if (report.outcome === "already-current" || current?.store === undefined) return report;
      return { ...report, changes: changesBetween(current.store, await storeOf(sifted.candidate, manifest)) };
    });
  }
  // With a quarantine a folder may have to be made beside the snapshots, and that only the holder of the lock may do.
  const early = request.quarantine ? undefined : await check();
  await mkdir(snapshotsPath(dataDirectory), { recursive: true });
  await flushDirectory(dataDirectory);
  return await withPublishLock(dataDirectory, async () => {
    await onStep("locked");
    await removeStrays(dataDirectory, onStep);
    return await withScratchFolder(join(snapshotsPath(dataDirectory), stagingPrefix), async (makeFolder) => {
      const sifted = early ?? (await check(makeFolder));
      if (sifted.rejected.length > 0) await onStep("quarantined");
      return await publish(sifted);
    });
  });

  async function check(makeFolder?: () => Promise<string>): Promise<SiftedCandidate> {
    if (request.quarantine && makeFolder !== undefined) {
      return await siftCandidate(candidateDirectory, now, makeFolder, onBytes);
    }
    return { ...(await checkCandidate(candidateDirectory, now, { onBytes })), rejected: [] };
  }

  async function publish(sifted: SiftedCandidate): Promise<PublishReport> {
    const { candidate, rejected } = sifted;
    const { manifest, report } = await prepare(sifted);
    if (report.outcome === "already-current") return report;
    const unlisted = rejected.length === 0 ? [] : [{ name: rejectedFileName, content: rejectedText(rejected) }];
    const staging = await stageSnapshot(dataDirectory, candidate.directory, manifest, unlisted, onStep);
    const store = await storeOf(candidate, manifest);
    const compilation = await compileStaged(dataDirectory, staging, manifest, store, onStep);
    await activateSnapshot(dataDirectory, staging, manifest.id, onStep);
    return { ...report, outcome: "published", compilation };
  }

  async function prepare({ candidate, warnings, rejected }: SiftedCandidate): Promise<{
    readonly manifest: Manifest;
    readonly current: CurrentSnapshot | undefined;
    readonly report: PublishReport;
  }> {
    let current = await readCurrentSnapshot(dataDirectory, { onBytes });
    const common = { rows: tableRows(candidate.files), rejected, warnings, changes: undefined, compilation: undefined };
    if (current?.manifest !== undefined && isRepeated(candidate, current.manifest)) {
      const { manifest } = current;
      const damage = current.error ?? (await damageOf(dataDirectory, manifest));
      const { id, parent } = manifest;
      if (damage === undefined) {
        return { manifest, current, report: { outcome: "already-current", id, parent, ...common } };
      }
      current = { ...current, error: damage };
    }
    const ids = await snapshotIds(dataDirectory);
    if (current !== undefined) compareWithCurrent(candidate, current, request.allowShrink, warnings);
    else if (!request.allowShrink) refuseLostCurrent(candidate, ids);
    const greatest = greatestId([...ids, ...(current === undefined ? [] : [current.id])]);
    const manifest = manifestOf(candidate, current, { now, greatest, note: request.note });
    const { id, parent } = manifest;
    return { manifest, current, report: { outcome: "would-publish", id, parent, ...common } };
  }
}

/** Whether publishing the candidate would only repeat the current snapshot. */
function isRepeated({ header, files }: Candidate, manifest: Manifest): boolean {
  const { timeZone, attribution } = header;
  return (
    contentHash(files) === contentHash(manifest.files) &&
    (timeZone ?? manifest.timeZone) === manifest.timeZone &&
    isDeepStrictEqual(attribution ?? manifest.attribution, manifest.attribution)
  );
}

/** What is wrong with the files of a snapshot, which its compiled store would not tell. */
async function damageOf(dataDirectory: string, manifest: Manifest): Promise<DatasetError | undefined> {
  const problems = new ProblemList();
  const directory = snapshotPath(dataDirectory, manifest.id);
  await verifyFiles(directory, manifest, problems);
  return problems.total === 0 ? undefined : new DatasetError(directory, problems);
}

function compareWithCurrent(
  candidate: Candidate,
  current: CurrentSnapshot,
  allowShrink: boolean,
  warnings: ProblemList,
): void {
  const { id, manifest, store, error } = current;
  const problems = new ProblemList();
  if (error !== undefined) {
    const found = `the current snapshot broken (${error.message})`;
    const uncompared = { file: `snapshots/${id}`, kind: "not-compared", found, wanted: "one to compare with" } as const;
    // Without its manifest nobody knows how many rows there were, and losing them unseen is what must not happen.
    if (manifest === undefined && !allowShrink) problems.add(uncompared);
    else warnings.add(uncompared);
  }
  if (manifest !== undefined && !allowShrink) refuseLostRows(candidate.files, manifest.files, problems);
  problems.throwIfAny(candidate.directory);
  if (store !== undefined) warnOfNewValues(candidate.reading, store.prices, warnings);
}

function manifestOf(
  candidate: Candidate,
  current: CurrentSnapshot | undefined,
  publication: { readonly now: Instant; readonly greatest: SnapshotId | null; readonly note: string | undefined },
): Manifest {
  const { header, files } = candidate;
  const { now, greatest, note } = publication;
  const timeZone = header.timeZone ?? current?.manifest?.timeZone ?? timeZoneDefault;
  const utcOffset = fixedUtcOffset(timeZone);
  if (utcOffset === undefined) throw new RangeError(`time zone is ${timeZone}, expected one that has been checked`);
  return {
    ...nextPublication(now, greatest, contentHash(files)),
    timeZone,
    utcOffset,
    parent: current?.id ?? null,
    note: note ?? header.note,
    attribution: header.attribution ?? current?.manifest?.attribution ?? [],
    files,
  };
}

async function storeOf(candidate: Candidate, manifest: Manifest): Promise<Store> {
  return await buildStoreOnThreads({ snapshot: snapshotIdentity(manifest), ...candidate.reading.records });
}
