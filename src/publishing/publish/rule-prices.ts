/**
 * Rulings on single prices: a suspicious price is accepted, a price is withdrawn, and either is undone. A ruling is a
 * line in a file of the next snapshot, which shares all record files of the current one: none of them is edited, so
 * sequences and bases stay as they are.
 */

import { emptyPriceTable } from "../../engine/model/dataset.ts";
import type { Uuid } from "../../engine/model/ids.ts";
import type { PriceRuling } from "../../engine/model/records.ts";
import { readManifestRecords, snapshotIdentity } from "../../engine/snapshots/load-dataset.ts";
import { ProblemList } from "../../engine/snapshots/problem.ts";
import { compareFiles } from "../../engine/snapshots/read-candidate.ts";
import { isRulingKind, type RulingKind } from "../../engine/snapshots/snapshot-layout.ts";
import { buildStoreOnThreads, withAcceptedPrices } from "../../engine/store/build-store.ts";
import { extendStoreOnThreads } from "../../engine/store/extend-store.ts";
import type { Store } from "../../engine/store/store.ts";
import { isSuspicious } from "../../engine/store/suspicious-prices.ts";
import { findRow } from "../../engine/store/uuid-index.ts";
import { PublishedSnapshot } from "./open-published.ts";
import { rulingEntries, stageRulings } from "./record-files.ts";
import { type PublicationReport, type PublicationRequest, runPublication } from "./run-publication.ts";
import { wholeSecond } from "./snapshot-id.ts";
import { shareCurrent } from "./stage-merged.ts";
import { nextManifest } from "./stage-snapshot.ts";
import { noWarnings } from "./warnings/warning.ts";

export interface RulingRequest extends PublicationRequest {
  /** The list of rulings that changes. */
  readonly kind: RulingKind;
  readonly uuids: readonly Uuid[];
  /** What is ruled; undefined where the rulings on these prices are undone. */
  readonly ruling: Pick<PriceRuling, "reason" | "by"> | undefined;
}

export interface RulingReport extends PublicationReport, RulingDetails {}

interface RulingDetails {
  /** The prices whose ruling is new, or undone. */
  readonly ruled: readonly Uuid[];
  /** Those that have this ruling already. */
  readonly knownCount: number;
  /** How many of those reinstated are in no file any more, so that none comes back. */
  readonly missingCount: number;
}

/**
 * Publishes rulings on prices, or takes them back.
 *
 * Cost: a withdrawal reads no prices file and indexes the others anew, as an append does; a price that is reinstated is
 * read from its file, and so are all others; an acceptance marks all prices anew.
 *
 * @throws {DatasetError} with every uuid that is of no price, of one that is not suspicious where it is to be accepted,
 *   or of one without a ruling to undo.
 * @throws {SnapshotUnavailableError} when there is no current snapshot.
 * @throws {LockHeldError} when another publisher holds the lock for more than ten seconds.
 */
export async function rulePrices(request: RulingRequest): Promise<RulingReport> {
  const { dataDirectory, kind, ruling, now, note = null, dryRun, onBytes } = request;
  return await runPublication<RulingDetails>(request, {
    async plan({ makeStaging }) {
      const parent = await PublishedSnapshot.readWanted(dataDirectory);
      const { manifest: current } = parent;
      const before = await parent.readRulings();
      const storeBefore = await parent.openStore(onBytes);
      const uuids = [...new Set(request.uuids)];
      const listed = new Set(before[kind].map(({ uuid }) => uuid));
      const unlisted = uuids.filter((uuid) => !listed.has(uuid));
      refuseUnfit(request, parent, storeBefore, unlisted);
      const ruled = ruling === undefined ? uuids : unlisted;
      const knownCount = uuids.length - ruled.length;
      if (ruled.length === 0) {
        return { staying: "already-current", manifest: current, details: { ruled, knownCount, missingCount: 0 } };
      }
      const named = new Set(ruled);
      const others = before[kind].filter(({ uuid }) => !named.has(uuid));
      const when = wholeSecond(now);
      const added = ruling === undefined ? [] : ruled.map((uuid): PriceRuling => ({ uuid, ...ruling, when }));
      const rulings = { ...before, [kind]: [...others, ...added] };
      const isReinstated = kind === "withdrawals" && ruling === undefined;
      const { withdrawals } = rulings;
      const reading = isReinstated
        ? await readManifestRecords(parent.directory, current, { onBytes, withdrawals })
        : undefined;
      const withheldBefore = current.files.find((file) => file.kind === "withdrawals")?.withheld ?? 0;
      const withheld = reading?.withheld ?? withheldBefore + (kind === "withdrawals" ? ruled.length : 0);
      const missingCount = reading === undefined ? 0 : ruled.length - (withheldBefore - withheld);
      const kept = current.files.filter((file) => !isRulingKind(file.kind));
      const staging = await makeStaging();
      if (!dryRun) {
        await shareCurrent(parent, kept, staging);
        await stageRulings(staging, rulings);
      }
      const files = [...kept, ...rulingEntries(rulings, withheld)].sort(compareFiles);
      const manifest = await nextManifest(request, { ...current, note, parent: current.id, files }, null);
      const snapshot = snapshotIdentity(manifest);
      const accepted = rulings.accepted.map(({ uuid }) => uuid);
      let store: Store;
      if (reading !== undefined) store = await buildStoreOnThreads({ ...reading.records, snapshot });
      else if (kind === "accepted") store = withAcceptedPrices(storeBefore, snapshot, accepted);
      else {
        const prices = emptyPriceTable();
        store = await extendStoreOnThreads(storeBefore, { snapshot, prices, withdrawn: ruled, accepted });
      }
      const details = { ruled, knownCount, missingCount };
      // As of an append, the stores are compared for a dry run alone.
      return { staging, manifest, store, before: dryRun ? storeBefore : undefined, warnings: noWarnings(), details };
    },
    logged: ({ ruled, knownCount: known }) => ({ counts: { ruled: ruled.length, known }, prices: ruled }),
  });
}

/**
 * @param uuids Those that the list of rulings does not have.
 * @throws {DatasetError} with each that may not be ruled on.
 */
function refuseUnfit(
  request: RulingRequest,
  { folderName }: PublishedSnapshot,
  store: Store,
  uuids: readonly Uuid[],
): void {
  const problems = new ProblemList();
  for (const uuid of uuids) {
    const wanted = missingOf(request, store, uuid);
    if (wanted !== undefined) problems.add({ file: folderName, kind: "reference", found: uuid, wanted });
  }
  problems.throwIfAny("the prices to rule on");
}

/** What a uuid that is not in the list should be; undefined where it may be added to it. */
function missingOf({ kind, ruling }: RulingRequest, store: Store, uuid: Uuid): string | undefined {
  if (ruling === undefined) return kind === "accepted" ? "a price that was accepted" : "a price that is withdrawn";
  const row = findRow(store.rowByUuid, store.prices.uuids, uuid);
  if (row === undefined) return "the uuid of a price of the current snapshot";
  if (kind === "withdrawals" || isSuspicious(store.suspicious, row)) return undefined;
  return "a price that is marked as suspicious";
}
