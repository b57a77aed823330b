/**
 * Rulings on single prices: a suspicious price is accepted, a price is withdrawn, and either is undone. A ruling is a
 * line in a file of the next snapshot, which shares all record files of the current one: none of them is edited, so
 * sequences and bases stay as they are.
 */
import { readManifestRecords, snapshotIdentity } from "../dataset/load-dataset.ts";
import type { PriceRulings } from "../dataset/price-rulings.ts";
import { ProblemList } from "../dataset/problem.ts";
import { compareFiles } from "../dataset/read-candidate.ts";
import { isRulingKind, type RulingKind } from "../dataset/snapshot-layout.ts";
import { type Dataset, emptyPriceTable } from "../domain/dataset.ts";
import type { Uuid } from "../domain/ids.ts";
import type { PriceRuling } from "../domain/records.ts";
import { buildStoreOnThreads, withAcceptedPrices } from "../store/build-store.ts";
import { extendStoreOnThreads } from "../store/extend-store.ts";
import type { Store } from "../store/store.ts";
import { isSuspicious } from "../store/suspicious-prices.ts";
import { findRow } from "../store/uuid-index.ts";
import { ParentSnapshot } from "./open-published.ts";
import { rulingEntries, stageRulings } from "./ruling-files.ts";
import {
  type NextSnapshot,
  type PublicationReport,
  type PublicationRequest,
  runPublication,
} from "./run-publication.ts";
import { wholeSecond } from "./snapshot-id.ts";
import { shareCurrent } from "./stage-merged.ts";
import { nextManifest, type Staging } from "./stage-snapshot.ts";
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

/** The rulings of the next snapshot. */
interface NextRulings {
  readonly parent: ParentSnapshot;
  readonly before: Store;
  readonly rulings: PriceRulings;
  readonly ruled: readonly Uuid[];
  readonly knownCount: number;
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
  return await runPublication<NextRulings, RulingDetails>(request, {
    async read() {
      const next = await readRulings(request);
      if (next.ruled.length > 0) return next;
      const { parent, knownCount } = next;
      const details = { ruled: [], knownCount, missingCount: 0 };
      return { staying: "already-current", manifest: parent.manifest, details };
    },
    plan: async (next, staging) => await planRulings(request, next, staging),
    logged: ({ ruled, knownCount: known }) => ({ counts: { ruled: ruled.length, known }, prices: ruled }),
  });
}

async function readRulings(request: RulingRequest): Promise<NextRulings> {
  const { dataDirectory, kind, ruling, now, onBytes } = request;
  const parent = await ParentSnapshot.read(dataDirectory);
  const rulings = await parent.readRulings();
  const before = await parent.openStore(onBytes);
  const uuids = [...new Set(request.uuids)];
  const listed = new Set(rulings[kind].map(({ uuid }) => uuid));
  const problems = new ProblemList();
  for (const uuid of uuids) {
    const wanted = listed.has(uuid) ? undefined : missingOf(request, before, uuid);
    if (wanted !== undefined) problems.add({ file: parent.folderName, kind: "reference", found: uuid, wanted });
  }
  problems.throwIfAny("the prices to rule on");
  if (ruling === undefined) {
    const undone = new Set(uuids);
    const left = rulings[kind].filter(({ uuid }) => !undone.has(uuid));
    return { parent, before, rulings: { ...rulings, [kind]: left }, ruled: uuids, knownCount: 0 };
  }
  const ruled = uuids.filter((uuid) => !listed.has(uuid));
  const added = ruled.map((uuid): PriceRuling => ({ uuid, ...ruling, when: wholeSecond(now) }));
  const next = { ...rulings, [kind]: [...rulings[kind], ...added] };
  return { parent, before, rulings: next, ruled, knownCount: uuids.length - ruled.length };
}

/** What a uuid that is not in the list should be; undefined where it may be added to it. */
function missingOf({ kind, ruling }: RulingRequest, store: Store, uuid: Uuid): string | undefined {
  if (ruling === undefined) return kind === "accepted" ? "a price that was accepted" : "a price that is withdrawn";
  const row = findRow(store.rowByUuid, store.prices.uuids, uuid);
  if (row === undefined) return "the uuid of a price of the current snapshot";
  if (kind === "withdrawals" || isSuspicious(store.suspicious, row)) return undefined;
  return "a price that is marked as suspicious";
}

async function planRulings(
  request: RulingRequest,
  { parent, before, rulings, ruled, knownCount }: NextRulings,
  staging: Staging,
): Promise<NextSnapshot<RulingDetails>> {
  const { dataDirectory, now, note = null, kind, ruling, dryRun, onBytes } = request;
  const { manifest: current } = parent;
  const withheldBefore = current.files.find((file) => file.kind === "withdrawals")?.withheld ?? 0;
  let reinstated: { readonly records: Omit<Dataset, "snapshot">; readonly withheld: number } | undefined;
  let withheld = withheldBefore;
  if (kind === "withdrawals" && ruling !== undefined) withheld += ruled.length;
  if (kind === "withdrawals" && ruling === undefined) {
    const { withdrawals } = rulings;
    reinstated = await readManifestRecords(parent.directory, current, { onBytes, withdrawals });
    withheld = reinstated.withheld;
  }
  const kept = current.files.filter((file) => !isRulingKind(file.kind));
  if (!dryRun) {
    await shareCurrent(parent, kept, staging);
    await stageRulings(staging, rulings);
  }
  const files = [...kept, ...rulingEntries(rulings, withheld)].sort(compareFiles);
  const manifest = await nextManifest(dataDirectory, now, { ...current, note, parent: current.id, files });
  const snapshot = snapshotIdentity(manifest);
  const accepted = rulings.accepted.map(({ uuid }) => uuid);
  let store: Store;
  if (reinstated !== undefined) store = await buildStoreOnThreads({ ...reinstated.records, snapshot });
  else if (kind === "accepted") store = withAcceptedPrices(before, snapshot, accepted);
  else store = await extendStoreOnThreads(before, { snapshot, prices: emptyPriceTable(), withdrawn: ruled, accepted });
  const missingCount = reinstated === undefined ? 0 : ruled.length - (withheldBefore - withheld);
  const details = { ruled, knownCount, missingCount };
  // As of an append, the stores are compared for a dry run alone.
  return { manifest, store, before: dryRun ? before : undefined, warnings: noWarnings(), details };
}
