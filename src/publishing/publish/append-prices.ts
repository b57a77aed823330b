/** Publishes new and corrected prices on top of the current snapshot. */
import { isDeepStrictEqual } from "node:util";
import type { Uuid } from "../../engine/model/ids.ts";
import { snapshotIdentity } from "../../engine/snapshots/load-dataset.ts";
import { type Manifest, type ManifestFile, optionalParts } from "../../engine/snapshots/manifest.ts";
import { ProblemList } from "../../engine/snapshots/problem.ts";
import { compareFiles } from "../../engine/snapshots/read-candidate.ts";
import { completeAcceptances } from "./acceptances.ts";
import type { KeptRecord, TableChange } from "./merge-tables.ts";
import { storeAfterAppend } from "./new-prices.ts";
import { PublishedSnapshot } from "./open-published.ts";
import { type Plan, type PublicationReport, publish } from "./publication.ts";
import { type Addition, type AppendRequest, appendSubject, readAddition } from "./read-addition.ts";
import { planTables, shareCurrent, stageTables, tableEntries } from "./stage-merged.ts";
import { nextManifest, type Staging } from "./stage-snapshot.ts";
import { findWarnings, refusePlan } from "./warnings/find-warnings.ts";
import { withOrigins } from "./warnings/warning.ts";

export interface AppendReport extends PublicationReport, AppendDetails {}

interface AppendDetails {
  /** The manifest's entries of the new files. */
  readonly files: readonly ManifestFile[];
  /** Number of prices that were left out because the current snapshot has them as they are but for times of entry. */
  readonly knownCount: number;
  /** Number of prices that were left out because they are withdrawn. */
  readonly withheld: number;
  /** Withdrawn prices whose right values were given: the files have them, and readers see them once reinstated. */
  readonly keptWithdrawn: readonly Uuid[];
  readonly tableChanges: readonly TableChange[];
  readonly keptRecords: readonly KeptRecord[];
}

/**
 * Publishes new and corrected prices on top of the current snapshot, with new and changed records of the small tables.
 * A price whose uuid the current snapshot has replaces it, unless it is the same. The new snapshot shares the prices
 * files of the current one, and none of their rows is read again.
 *
 * @throws {DatasetError} with every reason why the files cannot be appended.
 * @throws {SnapshotUnavailableError} when there is no current snapshot to append to.
 * @throws {LockHeldError} when another publisher holds the lock for more than ten seconds.
 */
export async function appendPrices(request: AppendRequest): Promise<AppendReport> {
  return await publish(request, async (publication) => {
    const parent = await PublishedSnapshot.readWanted(request.dataDirectory);
    const addition = await readAddition(request, parent, await publication.makeScratch());
    return await planAppend(request, parent, addition);
  });
}

/**
 * Plans the files of the current snapshot, changed small tables, and new prices.
 *
 * @throws {PublicationRefusedError} for warnings that the request does not allow.
 */
async function planAppend(
  request: AppendRequest,
  parent: PublishedSnapshot,
  addition: Addition,
): Promise<Plan<AppendDetails>> {
  const { manifest: current } = parent;
  const { header, merged, prices, added, newestPrice, before, decisions } = addition;
  const { changes: tableChanges, kept: keptRecords } = merged;
  const { reading, knownCount } = prices;
  const [withheld, keptWithdrawn] = [prices.withheld.size, [...prices.kept.keys()]];
  const details = { knownCount, withheld, keptWithdrawn, tableChanges, keptRecords };
  if (addsNothing(current, addition)) {
    return { outcome: "already-current", manifest: current, details: { ...details, files: [] } };
  }
  const { accepted, made } = completeAcceptances(decisions.accepted, before);
  const tables = planTables(parent, reading.tables, tableChanges, made);
  const shared = current.files.filter(({ kind }) => kind === "prices" || kind === "origins");
  const entries = added.map(({ entry }) => entry);
  const files = [...tableEntries(tables), ...shared, ...entries].sort(compareFiles);
  const manifest = await nextManifest(request, { ...header, parent: current.id, files }, newestPrice);
  const records = { ...reading.records, accepted };
  const store = await storeAfterAppend(before, records, snapshotIdentity(manifest), tableChanges.length > 0);
  const found = findWarnings({ after: store, before, reading, accepted });
  const warnings = await withOrigins(found, reading.originsPaths);
  refusePlan(appendSubject, new ProblemList(), warnings, request.strict);
  const changed = reading.records.prices;
  const stage = async (staging: Staging): Promise<void> => {
    await stageTables(parent, tables, staging);
    await shareCurrent(parent, shared, staging);
    for (const { source, entry } of added) await staging.share(source, entry.name);
  };
  const appended = { ...details, files: entries };
  const logged = { counts: { ...countAppended(appended), known: knownCount, withheld } };
  return { manifest, store, before, changed, accepted, warnings, stage, logged, details: appended };
}

function addsNothing(current: Manifest, { header, merged, prices }: Addition): boolean {
  const isAttributed = header.attribution.length > current.attribution.length;
  const saysMore = isAttributed || !isDeepStrictEqual(optionalParts(header), optionalParts(current));
  return prices.reading.records.prices.rowCount + prices.kept.size === 0 && merged.changes.length === 0 && !saysMore;
}

/** The numbers that the log has of an append. Of withdrawn prices readers see no replacement. */
export function countAppended({
  files,
  keptWithdrawn,
}: Pick<AppendDetails, "files" | "keptWithdrawn">): Readonly<Record<"added" | "replaced" | "kept_withdrawn", number>> {
  const prices = files.filter(({ kind }) => kind === "prices");
  const replaces = prices.reduce((sum, file) => sum + file.replaces, 0);
  const added = prices.reduce((sum, file) => sum + file.rows, 0) - replaces;
  return { added, replaced: replaces - keptWithdrawn.length, kept_withdrawn: keptWithdrawn.length };
}
