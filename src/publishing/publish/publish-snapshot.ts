/** Publishes a whole directory of record files. */
import { isDeepStrictEqual } from "node:util";
import type { WarningList } from "../../contract/publication-report.ts";
import { makeFolders } from "../../engine/files/make-folders.ts";
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
import { isDecisionKind, snapshotsPath } from "../../engine/snapshots/snapshot-layout.ts";
import { buildStoreOnThreads } from "../../engine/store/build-store.ts";
import { completeAcceptances } from "./acceptances.ts";
import { findRecordWarnings, readWarned, timeZoneDefault } from "./check-candidate.ts";
import { snapshotIds } from "./list-snapshots.ts";
import { type CurrentSnapshot, readCurrentSnapshot } from "./open-published.ts";
import { type Plan, type PublicationReport, type PublicationRequest, publish } from "./publication.ts";
import { refuseRootInForeignDirectory } from "./publish-lock.ts";
import { PublishProblems } from "./publish-problem.ts";
import { decisionFiles, type MadeFile, stageMade } from "./record-files.ts";
import { refuseLosses, refuseLostCurrent, refuseLostRows } from "./refuse-losses.ts";
import { wholeSecond } from "./snapshot-id.ts";
import { type NextContent, newestRecordedAt, nextManifest, type Staging } from "./stage-snapshot.ts";
import { verifyFiles } from "./verify-snapshot.ts";
import { findWarnings, refusePlan } from "./warnings/find-warnings.ts";
import { noWarnings, withOrigins } from "./warnings/warning.ts";

export interface PublishRequest extends PublicationRequest {
  /** The record files to publish. They are copied and stay as they are. */
  readonly candidateDirectory: string;
  /** Publish although a table lost rows, or although that cannot be determined. */
  readonly allowShrink: boolean;
  /** Publish although a source loses all its prices, or what was appended is lost. */
  readonly allowLoss?: boolean | undefined;
}

export interface PublishReport extends PublicationReport, PublishDetails {}

interface PublishDetails {
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
  const { dataDirectory, dryRun, onBytes } = request;
  // Folders that root makes would be in the way of the user of the directory.
  if (!dryRun) await refuseRootInForeignDirectory(dataDirectory);
  // Reading takes long, so it comes before the lock.
  const candidate = await checkRequested(request);
  if (!dryRun) await makeFolders(snapshotsPath(dataDirectory));
  return await publish(request, async () => {
    return await planPublication(request, candidate, await readCurrentSnapshot(dataDirectory, onBytes));
  });
}

/** Checks the candidate as it is. */
async function checkRequested({ dataDirectory, candidateDirectory, ...request }: PublishRequest): Promise<Candidate> {
  const { onBytes } = request;
  const now = wholeSecond(request.now);
  const read = (): Promise<Candidate> => readCandidate(candidateDirectory, now, { onBytes });
  return await readWarned(candidateDirectory, read, async (valid) => {
    const current = await readCurrentSnapshot(dataDirectory);
    return await findRecordWarnings(valid, now, timeZoneDefault, { before: current?.store, isPartial: true });
  });
}

/**
 * Compares a checked candidate with the current snapshot, and plans its files and all decisions in force.
 *
 * @throws {PublicationRefusedError} with every reason why the candidate may not follow it.
 */
async function planPublication(
  request: PublishRequest,
  checked: Candidate,
  found: CurrentSnapshot | undefined,
): Promise<Plan<PublishDetails>> {
  const [problems, uncompared] = [new PublishProblems(), noWarnings()];
  const parent = found?.snapshot?.manifest;
  const decisions = await decisionsInForce(request, found, problems);
  const { candidate, made } = withDecisions(checked, decisions);
  const { directory, header, reading } = candidate;
  const details = { withheld: reading.withheld };
  const content = {
    timeZone: header.timeZone ?? parent?.timeZone ?? timeZoneDefault,
    parent: found?.id ?? null,
    note: request.note ?? header.note,
    attribution: header.attribution ?? parent?.attribution ?? [],
    sources: header.sources ?? parent?.sources ?? {},
    periods: periodsOfSources(header.periods ?? parent?.periods ?? {}, reading.records.prices.sourceNames),
    files: candidate.files,
  };
  const isRepeat = parent !== undefined && isRepeated(content, parent);
  // A compiled store does not show damage of the files that it was made from.
  const current = isRepeat ? await withDamage(found as CurrentSnapshot) : found;
  if (isRepeat && current?.error === undefined) return { outcome: "already-current", manifest: parent, details };
  // The same files again, over damaged ones, lose nothing.
  const allowLoss = isRepeat || request.allowLoss;
  if (current !== undefined) {
    await compareWithCurrent({ ...request, allowLoss }, candidate, current, problems, uncompared);
  } else if (!request.allowShrink) {
    refuseLostCurrent(content, await snapshotIds(request.dataDirectory), problems);
  }
  const manifest = await nextManifest(request, content, newestRecordedAt(reading.records.prices));
  const store = await buildStoreOnThreads({ snapshot: snapshotIdentity(manifest), ...reading.records });
  const before = current?.store;
  const warnings = await withOrigins(findWarnings({ after: store, before, reading }), reading.originsPaths);
  warnings.addAll(uncompared.problems, uncompared.counts);
  refusePlan(directory, problems, warnings, request.strict);
  const stage = async (staging: Staging): Promise<void> => {
    const copied = candidate.files.filter(({ kind }) => !isDecisionKind(kind));
    for (const file of copied) await staging.copyChecked(directory, file);
    await stageMade(staging, made);
  };
  const { accepted = [] } = reading.records;
  return { manifest, store, before, accepted, warnings, stage, logged: { counts: details }, details };
}

/** The current snapshot, with what is wrong with its files. */
async function withDamage(current: CurrentSnapshot): Promise<CurrentSnapshot> {
  const { snapshot, error } = current;
  if (snapshot === undefined || error !== undefined) return current;
  const damage = await verifyFiles(snapshot.directory, snapshot.manifest);
  return damage.total === 0 ? current : { ...current, error: new DatasetError(snapshot.directory, damage) };
}

/**
 * The decisions of the current snapshot.
 *
 * @param problems Receives that they cannot be read: they would be lost unnoticed.
 */
async function decisionsInForce(
  { allowLoss = false }: PublishRequest,
  found: CurrentSnapshot | undefined,
  problems: PublishProblems,
): Promise<PriceDecisions> {
  const { snapshot: current, store } = found ?? {};
  if (current === undefined) return noDecisions;
  try {
    const decisions = await current.readDecisions();
    const { accepted } = store === undefined ? decisions : completeAcceptances(decisions.accepted, store);
    return { ...decisions, accepted };
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
): { readonly candidate: Candidate; readonly made: readonly MadeFile[] } {
  const { reading } = candidate;
  const decisions = {
    accepted: joinDecisions(inForce.accepted, reading.decisions.accepted),
    withdrawals: joinDecisions(inForce.withdrawals, reading.decisions.withdrawals),
  };
  const kept = withholdPrices(reading, decisions.withdrawals);
  const withheld = reading.withheld + kept.withheld;
  const made = decisionFiles(decisions, withheld);
  const files = [...candidate.files.filter(({ kind }) => !isDecisionKind(kind)), ...made.map(({ entry }) => entry)];
  const next = { ...kept.placed, records: { ...kept.placed.records, accepted: decisions.accepted }, withheld };
  return { candidate: { ...candidate, files, reading: next }, made };
}

/** Returns whether publishing this would only repeat the current snapshot, but for the values of acceptances. */
function isRepeated(content: NextContent, current: Manifest): boolean {
  const acceptedCount = ({ files }: NextContent): number => files.find(({ kind }) => kind === "accepted")?.rows ?? 0;
  const others = (from: NextContent): NextContent => {
    return { ...from, files: from.files.filter(({ kind }) => kind !== "accepted") };
  };
  return (
    contentHash(others(content)) === contentHash(others(current)) &&
    // All acceptances in force are among those of the candidate.
    acceptedCount(content) === acceptedCount(current) &&
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
