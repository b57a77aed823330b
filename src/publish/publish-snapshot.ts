import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { contentHash, type Manifest, tableRows } from "../dataset/manifest.ts";
import { ProblemList } from "../dataset/problem.ts";
import type { Candidate } from "../dataset/read-candidate.ts";
import { type RecordKind, type SnapshotId, snapshotsPath } from "../dataset/snapshot-layout.ts";
import type { Instant } from "../domain/instant.ts";
import { fixedUtcOffset } from "../domain/time-zone.ts";
import { withExclusiveLock } from "../files/exclusive-lock.ts";
import { flushDirectory } from "../files/write-file-durably.ts";
import { activateSnapshot } from "./activate-snapshot.ts";
import { checkCandidate } from "./check-candidate.ts";
import { refuseLostRows } from "./compare-tables.ts";
import { type CurrentSnapshot, readCurrentSnapshot } from "./current-snapshot.ts";
import { warnOfNewValues } from "./price-warnings.ts";
import { nextPublication, wholeSecond } from "./snapshot-id.ts";
import { removeAbandonedStages, stageSnapshot } from "./stage-snapshot.ts";

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
  /** Do everything short of writing. */
  readonly dryRun: boolean;
}

export interface PublishReport {
  readonly outcome: "published" | "already-current" | "would-publish";
  /** The snapshot published, current, or to be published if it were now. */
  readonly id: SnapshotId;
  readonly parent: SnapshotId | null;
  /** Number of records of each table. */
  readonly rows: Readonly<Record<RecordKind, number>>;
  readonly warnings: ProblemList;
}

/** The zone of the first snapshot, if its directory names none. */
const timeZoneDefault = "Africa/Nairobi";

const lockFileName = ".publish.lock";
const lockWaitMilliseconds = 10_000;

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
  const { dataDirectory, candidateDirectory } = request;
  const now = wholeSecond(request.now);
  const { candidate, warnings } = await checkCandidate(candidateDirectory, now);
  if (request.dryRun) {
    const { report } = await prepare();
    return report;
  }
  await mkdir(snapshotsPath(dataDirectory), { recursive: true });
  await flushDirectory(dataDirectory);
  return await withExclusiveLock(join(dataDirectory, lockFileName), lockWaitMilliseconds, async () => {
    await removeAbandonedStages(dataDirectory);
    const { manifest, report } = await prepare();
    if (report.outcome === "already-current") return report;
    const staging = await stageSnapshot(dataDirectory, candidateDirectory, manifest);
    await activateSnapshot(dataDirectory, staging, manifest.id);
    return { ...report, outcome: "published" };
  });

  async function prepare(): Promise<{ manifest: Manifest; report: PublishReport }> {
    const current = await readCurrentSnapshot(dataDirectory);
    const rows = tableRows(candidate.files);
    if (current !== undefined && isSame(candidate, current)) {
      const { manifest } = current;
      return {
        manifest,
        report: { outcome: "already-current", id: manifest.id, parent: manifest.parent, rows, warnings },
      };
    }
    if (current !== undefined) compareWithCurrent(candidate, current, request.allowShrink, warnings);
    const manifest = manifestOf(candidate, current, now, request.note);
    const { id, parent } = manifest;
    return { manifest, report: { outcome: "would-publish", id, parent, rows, warnings } };
  }
}

/** A current snapshot that is whole. */
type WholeSnapshot = CurrentSnapshot & { readonly manifest: Manifest };

function isSame(candidate: Candidate, current: CurrentSnapshot): current is WholeSnapshot {
  const { manifest, dataset } = current;
  if (manifest === undefined || dataset === undefined) return false;
  const { timeZone, attribution } = candidate.header;
  return (
    contentHash(candidate.files) === contentHash(manifest.files) &&
    (timeZone ?? manifest.timeZone) === manifest.timeZone &&
    isDeepStrictEqual(attribution ?? manifest.attribution, manifest.attribution)
  );
}

function compareWithCurrent(
  candidate: Candidate,
  current: CurrentSnapshot,
  allowShrink: boolean,
  warnings: ProblemList,
): void {
  const { id, manifest, dataset, error } = current;
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
  if (dataset !== undefined) warnOfNewValues(candidate.reading, dataset.prices, warnings);
}

function manifestOf(
  candidate: Candidate,
  current: CurrentSnapshot | undefined,
  now: Instant,
  note: string | undefined,
): Manifest {
  const { header, files } = candidate;
  const timeZone = header.timeZone ?? current?.manifest?.timeZone ?? timeZoneDefault;
  const utcOffset = fixedUtcOffset(timeZone);
  if (utcOffset === undefined) throw new RangeError(`time zone is ${timeZone}, expected one that has been checked`);
  const parent = current?.id ?? null;
  return {
    ...nextPublication(now, parent, contentHash(files)),
    timeZone,
    utcOffset,
    parent,
    note: note ?? header.note,
    attribution: header.attribution ?? current?.manifest?.attribution ?? [],
    files,
  };
}
