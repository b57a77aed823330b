/** Publishes a whole directory of record files. */
import { mkdir } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { WarningList } from "../../contract/publication-report.ts";
import { flushDirectory } from "../../engine/files/write-file-durably.ts";
import { snapshotIdentity } from "../../engine/snapshots/load-dataset.ts";
import { contentHash, type Manifest, periodsOfSources } from "../../engine/snapshots/manifest.ts";
import {
  joinDecisions,
  noDecisions,
  type PriceDecisions,
  withholdPrices,
} from "../../engine/snapshots/price-decisions.ts";
import { DatasetError } from "../../engine/snapshots/problem.ts";
import { type Candidate, readCandidate } from "../../engine/snapshots/read-candidate.ts";
import { isDecisionKind, rejectedFileName, snapshotsPath } from "../../engine/snapshots/snapshot-layout.ts";
import { buildStoreOnThreads } from "../../engine/store/build-store.ts";
import { findRecordWarnings, readWarned, timeZoneDefault } from "./check-candidate.ts";
import { snapshotIds } from "./list-snapshots.ts";
import { type CurrentSnapshot, type PublishedSnapshot, readCurrentSnapshot } from "./open-published.ts";
import { PublicationRefusedError, PublishProblems } from "./publish-problem.ts";
import { ignoreSteps } from "./publish-steps.ts";
import { type SiftedCandidate, siftCandidate } from "./quarantine.ts";
import { decisionEntries, stageDecisions } from "./record-files.ts";
import { refuseLosses, refuseLostCurrent, refuseLostRows } from "./refuse-losses.ts";
import { type RejectedRow, rejectedText } from "./rejected-rows.ts";
import {
  type NextSnapshot,
  type PublicationReport,
  type PublicationRequest,
  runPublication,
  type Unchanged,
  type WorkFolders,
} from "./run-publication.ts";
import { wholeSecond } from "./snapshot-id.ts";
import { type NextContent, newestRecordedAt, nextManifest, type Staging } from "./stage-snapshot.ts";
import { verifyFiles } from "./verify-snapshot.ts";
import { findWarnings, refuseStrict } from "./warnings/find-warnings.ts";
import { noWarnings } from "./warnings/warning.ts";

export interface PublishRequest extends PublicationRequest {
  /** The record files to publish. They are copied and stay as they are. */
  readonly candidateDirectory: string;
  /** Publish although a table lost rows, or although that cannot be determined. */
  readonly allowShrink: boolean;
  /** Publish although a source loses all its prices, or what was appended is lost. */
  readonly allowLoss?: boolean | undefined;
  /** Reject bad price rows, if they are few, instead of the whole directory. */
  readonly quarantine: boolean;
}

export interface PublishReport extends PublicationReport, PublishDetails {}

interface PublishDetails {
  /** Price rows that were or would be rejected; `rows` is without them. */
  readonly rejected: readonly RejectedRow[];
  /** Number of prices of the directory that are left out because they are withdrawn. */
  readonly withheld: number;
}

/**
 * Publishes a directory of record files: checks it, compares it with the current snapshot, copies it under a temporary
 * name, renames it to its id, and points `CURRENT` at it. When any of these fails, the current snapshot stays current.
 *
 * A directory that equals the current snapshot in its files, time zone, attribution, details and periods of sources is
 * not published again, unless the current one is damaged. A directory without one of these inherits that of the current
 * snapshot. Decisions on prices stay in force, with those of the directory.
 *
 * @throws {DatasetError} with every reason why the directory cannot be published.
 * @throws {SnapshotUnavailableError} when `CURRENT` holds no id.
 * @throws {LockHeldError} when another publisher holds the lock for more than ten seconds.
 */
export async function publishSnapshot(request: PublishRequest): Promise<PublishReport> {
  const { dataDirectory, dryRun, quarantine, onStep = ignoreSteps } = request;
  // A quarantine makes a folder beside the snapshots, and only the holder of the lock may do that.
  const checked = quarantine ? undefined : await checkRequested(request);
  if (!dryRun) {
    await mkdir(snapshotsPath(dataDirectory), { recursive: true });
    await flushDirectory(dataDirectory);
  }
  return await runPublication<PublishDetails>(request, {
    async plan({ makeStaging, makeScratch }) {
      const sifted = checked ?? (await checkRequested(request, await makeScratch()));
      if (!dryRun && sifted.rejected.length > 0) await onStep("quarantined");
      return await planPublication(request, sifted, makeStaging);
    },
    logged: ({ rejected, withheld }) => ({ counts: { rejected: rejected.length, withheld } }),
  });
}

/** @param scratch An empty folder for the accepted rows of a quarantine; without one, no row may be rejected. */
async function checkRequested(request: PublishRequest, scratch?: Staging): Promise<SiftedCandidate> {
  const { dataDirectory, candidateDirectory, onBytes } = request;
  const now = wholeSecond(request.now);
  if (scratch !== undefined) return await siftCandidate(candidateDirectory, now, scratch, onBytes);
  const read = (): Promise<Candidate> => readCandidate(candidateDirectory, now, { onBytes });
  const candidate = await readWarned(candidateDirectory, read, async (fit) => {
    const current = await readCurrentSnapshot(dataDirectory);
    return await findRecordWarnings(fit, now, timeZoneDefault, { before: current?.store, isPartial: true });
  });
  return { candidate, rejected: [] };
}

/** Compares a checked candidate with the current snapshot, makes its manifest, and copies its files. */
async function planPublication(
  request: PublishRequest,
  { candidate: given, rejected }: SiftedCandidate,
  makeStaging: WorkFolders["makeStaging"],
): Promise<NextSnapshot<PublishDetails> | Unchanged<PublishDetails>> {
  const { dataDirectory, dryRun, allowShrink, strict, onBytes } = request;
  const [problems, uncompared] = [new PublishProblems(), noWarnings()];
  let current = await readCurrentSnapshot(dataDirectory, onBytes);
  const parent = current?.snapshot?.manifest;
  const { candidate, decisions } = withDecisions(given, await decisionsInForce(request, current?.snapshot, problems));
  const { directory, header, reading } = candidate;
  const details = { rejected, withheld: reading.withheld };
  const content = {
    timeZone: header.timeZone ?? parent?.timeZone ?? timeZoneDefault,
    parent: current?.id ?? null,
    note: request.note ?? header.note,
    attribution: header.attribution ?? parent?.attribution ?? [],
    sources: header.sources ?? parent?.sources ?? {},
    periods: periodsOfSources(header.periods ?? parent?.periods ?? {}, reading.records.prices.sourceNames),
    files: candidate.files,
  };
  let { allowLoss = false } = request;
  if (current?.snapshot !== undefined && isRepeated(content, current.snapshot.manifest)) {
    const { directory, manifest } = current.snapshot;
    // A compiled store does not show damage of the files that it was made from.
    const damage = await verifyFiles(directory, manifest);
    if (current.error === undefined && damage.total === 0) {
      return { outcome: "already-current", manifest, details };
    }
    current = { ...current, error: current.error ?? new DatasetError(directory, damage) };
    // The same files again, over damaged ones, lose nothing.
    allowLoss = true;
  }
  if (current !== undefined) {
    await compareWithCurrent({ ...request, allowLoss }, candidate, current, problems, uncompared);
  }
  if (current === undefined && !allowShrink) refuseLostCurrent(directory, content, await snapshotIds(dataDirectory));
  const manifest = await nextManifest(request, content, newestRecordedAt(reading.records.prices));
  const store = await buildStoreOnThreads({ snapshot: snapshotIdentity(manifest), ...reading.records });
  const before = current?.store;
  const warnings = findWarnings({ after: store, before, reading });
  warnings.addAll(uncompared.problems, uncompared.counts);
  if (problems.total > 0) throw new PublicationRefusedError(directory, problems, warnings);
  refuseStrict(warnings, strict, directory);
  const staging = await makeStaging();
  // The manifest is made from the files that were checked: a dry run copies none.
  if (!dryRun) {
    const records = candidate.files.filter(({ kind }) => !isDecisionKind(kind));
    for (const file of records) await staging.copyChecked(directory, file);
    if (rejected.length > 0) await staging.write(rejectedFileName, [Buffer.from(rejectedText(rejected))]);
    await stageDecisions(staging, decisions);
  }
  return { staging, manifest, store, before, warnings, details };
}

/**
 * The decisions of the current snapshot.
 *
 * @param problems Receives that they cannot be read: they would be lost unnoticed.
 */
async function decisionsInForce(
  { allowLoss = false }: PublishRequest,
  current: PublishedSnapshot | undefined,
  problems: PublishProblems,
): Promise<PriceDecisions> {
  if (current === undefined) return noDecisions;
  try {
    return await current.readDecisions();
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    const found = `decisions on prices that cannot be read (${error.message})`;
    const wanted = "those to stay in force";
    if (!allowLoss) problems.add({ file: current.folderName, kind: "not-compared", found, wanted });
    return noDecisions;
  }
}

/** A candidate under decisions that are in force beside its own: withdrawn prices are left out. */
function withDecisions(
  candidate: Candidate,
  inForce: PriceDecisions,
): { readonly candidate: Candidate; readonly decisions: PriceDecisions } {
  const { reading } = candidate;
  const decisions = {
    accepted: joinDecisions(inForce.accepted, reading.decisions.accepted),
    withdrawals: joinDecisions(inForce.withdrawals, reading.decisions.withdrawals),
  };
  const kept = withholdPrices(reading, decisions.withdrawals);
  const withheld = reading.withheld + kept.withheld;
  const accepted = decisions.accepted.map(({ uuid }) => uuid);
  const files = [
    ...candidate.files.filter(({ kind }) => !isDecisionKind(kind)),
    ...decisionEntries(decisions, withheld),
  ];
  const next = { ...kept.placed, records: { ...kept.placed.records, accepted }, withheld };
  return { candidate: { ...candidate, files, reading: next }, decisions };
}

/** Returns whether publishing this would only repeat the current snapshot. */
function isRepeated(content: NextContent, current: Manifest): boolean {
  return (
    contentHash(content) === contentHash(current) &&
    content.timeZone === current.timeZone &&
    isDeepStrictEqual(content.attribution, current.attribution)
  );
}

/** Adds the reasons why the candidate may not follow the current snapshot to `problems`. */
async function compareWithCurrent(
  { allowShrink, allowLoss, onBytes }: PublishRequest,
  candidate: Candidate,
  current: CurrentSnapshot,
  problems: PublishProblems,
  warnings: WarningList,
): Promise<void> {
  const { id, snapshot, store, error } = current;
  if (error !== undefined) {
    const found = `the current snapshot broken (${error.message})`;
    const uncompared = { file: `snapshots/${id}`, kind: "not-compared", found, wanted: "one to compare with" } as const;
    // Without its manifest the number of its rows is unknown, and they might be lost unnoticed.
    if (snapshot === undefined && !allowShrink) problems.add(uncompared);
    else warnings.add(uncompared);
  }
  if (snapshot === undefined) return;
  if (!allowShrink) refuseLostRows(candidate.files, snapshot.manifest.files, problems);
  if (store !== undefined && !allowLoss) await refuseLosses(candidate.reading, snapshot, store, problems, onBytes);
}
