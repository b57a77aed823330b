/**
 * Decisions on single prices: a suspicious price is accepted, a price is withdrawn, and either is undone. A decision
 * is a line in a file of the next snapshot, which shares all record files of the current one: none of them is edited,
 * so sequences and bases stay as they are.
 */

import { emptyPriceTable } from "../../engine/model/dataset.ts";
import { findRow, type Uuid } from "../../engine/model/ids.ts";
import type { PriceDecision } from "../../engine/model/records.ts";
import { type RecordsReading, readManifestRecords, snapshotIdentity } from "../../engine/snapshots/load-dataset.ts";
import type { Manifest } from "../../engine/snapshots/manifest.ts";
import type { PriceDecisions } from "../../engine/snapshots/price-decisions.ts";
import { ProblemList } from "../../engine/snapshots/problem.ts";
import { compareFiles } from "../../engine/snapshots/read-candidate.ts";
import { type DecisionKind, isDecisionKind } from "../../engine/snapshots/snapshot-layout.ts";
import { buildStoreOnThreads, withAcceptedPrices } from "../../engine/store/build-store.ts";
import { extendStoreOnThreads } from "../../engine/store/extend-store.ts";
import type { Store } from "../../engine/store/store.ts";
import { isSuspicious } from "../../engine/store/suspicious-prices.ts";
import { completeAcceptances, findLapsed } from "./acceptances.ts";
import { PublishedSnapshot } from "./open-published.ts";
import { uuidWords } from "./price-changes.ts";
import { type Plan, type PublicationReport, type PublicationRequest, publish } from "./publication.ts";
import { decisionFiles } from "./record-files.ts";
import { wholeSecond } from "./snapshot-id.ts";
import { stageTables, tableEntries } from "./stage-merged.ts";
import { nextManifest, type Staging } from "./stage-snapshot.ts";
import { findWarnings, refusePlan } from "./warnings/find-warnings.ts";
import { noWarnings } from "./warnings/warning.ts";

export interface DecisionRequest extends PublicationRequest {
  /** The list of decisions that changes. */
  readonly kind: DecisionKind;
  readonly uuids: readonly Uuid[];
  /** The decision; undefined where the decisions on these prices are undone. */
  readonly decision: Pick<PriceDecision, "reason" | "by"> | undefined;
}

export interface DecisionReport extends PublicationReport, DecisionDetails {}

interface DecisionDetails {
  /** Prices whose decision is new, or undone. */
  readonly decided: readonly Uuid[];
  /** Number of prices that have this decision already. */
  readonly knownCount: number;
  /** Number of reinstated prices that are in no file any more, so that none comes back. */
  readonly missingCount: number;
}

/**
 * Publishes decisions on prices, or takes them back.
 *
 * Cost: a withdrawal reads no prices file and indexes the others again, as an append does; a price that is reinstated
 * is read from its file, and so are all others; an acceptance marks all prices again.
 *
 * @throws {DatasetError} with every uuid that is of no price, of one that is not suspicious where it is to be accepted,
 *   or of one without a decision to undo.
 * @throws {SnapshotUnavailableError} when there is no current snapshot.
 * @throws {LockHeldError} when another publisher holds the lock for more than ten seconds.
 */
export async function decidePrices(request: DecisionRequest): Promise<DecisionReport> {
  return await publish(request, async () => {
    return await planDecisions(request, await PublishedSnapshot.readWanted(request.dataDirectory));
  });
}

/**
 * Plans all record files of the current snapshot, and other lists of decisions.
 *
 * @throws {DatasetError} with each price that may not be decided on.
 * @throws {PublicationRefusedError} for warnings of reinstated prices that the request does not allow.
 */
async function planDecisions(request: DecisionRequest, parent: PublishedSnapshot): Promise<Plan<DecisionDetails>> {
  const { kind, decision, now, note = null, onBytes } = request;
  const { manifest: current } = parent;
  const lists = await parent.readDecisions();
  const before = await parent.openStore(onBytes);
  const uuids = [...new Set(request.uuids)];
  const listed = new Set(lists[kind].map(({ uuid }) => uuid));
  // A price that has other values than the accepted ones may be accepted again.
  if (decision !== undefined && kind === "accepted")
    for (const { uuid } of findLapsed(lists.accepted, before)) listed.delete(uuid);
  const unlisted = uuids.filter((uuid) => !listed.has(uuid));
  refuseUndecidable(request, parent, before, unlisted);
  const decided = decision === undefined ? uuids : unlisted;
  const knownCount = uuids.length - decided.length;
  if (decided.length === 0) {
    return { outcome: "already-current", manifest: current, details: { decided, knownCount, missingCount: 0 } };
  }
  const named = new Set(decided);
  const others = lists[kind].filter(({ uuid }) => !named.has(uuid));
  const when = wholeSecond(now);
  const added = decision === undefined ? [] : decided.map((uuid): PriceDecision => ({ uuid, ...decision, when }));
  // Acceptances get the values of their prices.
  const changed = { ...lists, [kind]: [...others, ...added] };
  const decisions = { ...changed, accepted: completeAcceptances(changed.accepted, before).accepted };
  const withheldBefore = current.files.find((file) => file.kind === "withdrawals")?.withheld ?? 0;
  // A price that is reinstated is in no store, so it is read from its file, and with it all others.
  const isReinstated = kind === "withdrawals" && decision === undefined;
  const { accepted, withdrawals } = decisions;
  const reading = isReinstated
    ? await readManifestRecords(parent.directory, current, { onBytes, withdrawals })
    : undefined;
  const withheld = reading?.withheld ?? withheldBefore + (kind === "withdrawals" ? decided.length : 0);
  const missingCount = reading === undefined ? 0 : decided.length - (withheldBefore - withheld);
  const shared = current.files.filter((file) => !isDecisionKind(file.kind));
  const made = decisionFiles(decisions, withheld);
  const files = tableEntries({ shared, made }).sort(compareFiles);
  const manifest = await nextManifest(request, { ...current, note, parent: current.id, files }, null);
  const store = await storeAfterDecisions(before, manifest, decisions, reading ?? (kind === "accepted" ? [] : decided));
  // What was appended for a withdrawn price has not been judged: it was in no store.
  const warnings = isReinstated ? findWarnings({ after: store, before, accepted }) : noWarnings();
  refusePlan("the prices to reinstate", new ProblemList(), warnings, request.strict);
  const details = { decided, knownCount, missingCount };
  const stage = (staging: Staging): Promise<void> => stageTables(parent, { shared, made }, staging);
  const logged = { counts: { ruled: decided.length, known: knownCount }, prices: decided };
  return { manifest, store, before, changed: uuidWords(decided), accepted, warnings, stage, logged, details };
}

/**
 * The store under other decisions.
 *
 * @param source It is made of this: the records of all prices; or the store before, without the prices that are
 *   withdrawn, if any.
 */
async function storeAfterDecisions(
  before: Store,
  manifest: Manifest,
  decisions: PriceDecisions,
  source: RecordsReading | readonly Uuid[],
): Promise<Store> {
  const snapshot = snapshotIdentity(manifest);
  if ("records" in source) return await buildStoreOnThreads({ ...source.records, snapshot });
  const { accepted } = decisions;
  if (source.length === 0) return withAcceptedPrices(before, snapshot, accepted);
  return await extendStoreOnThreads(before, { snapshot, prices: emptyPriceTable(), withdrawn: source, accepted });
}

/**
 * @param uuids Prices that the list of decisions does not have.
 * @throws {DatasetError} with each that may not be decided on.
 */
function refuseUndecidable(
  { kind, decision }: DecisionRequest,
  { folderName }: PublishedSnapshot,
  store: Store,
  uuids: readonly Uuid[],
): void {
  const problems = new ProblemList();
  const refuse = (found: Uuid, wanted: string): void =>
    problems.add({ file: folderName, kind: "reference", found, wanted });
  for (const uuid of uuids) {
    const row = findRow(store.rowByUuid, store.prices.uuids, uuid);
    if (decision === undefined) refuse(uuid, `a price that ${kind === "accepted" ? "was accepted" : "is withdrawn"}`);
    else if (row === undefined) refuse(uuid, "the uuid of a price of the current snapshot");
    else if (kind === "accepted" && !isSuspicious(store.suspicious, row)) {
      refuse(uuid, "a price that is marked as suspicious");
    }
  }
  problems.throwIfAny("the prices to decide on");
}
