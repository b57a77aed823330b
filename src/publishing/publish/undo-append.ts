/** Takes back one append: the next snapshot has all prices files but those that it brought. */

import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import { readUuid, type Uuid } from "../../engine/model/ids.ts";
import type { PriceDecision } from "../../engine/model/records.ts";
import { ifAvailable, readManifestOf } from "../../engine/snapshots/current-snapshot.ts";
import { readManifestRecords, snapshotIdentity } from "../../engine/snapshots/load-dataset.ts";
import type { Manifest, ManifestFile } from "../../engine/snapshots/manifest.ts";
import { compareFiles } from "../../engine/snapshots/read-candidate.ts";
import {
  type DecisionKind,
  pricesNameOf,
  type SnapshotId,
  snapshotPath,
  type TableKind,
} from "../../engine/snapshots/snapshot-layout.ts";
import { buildStoreOnThreads } from "../../engine/store/build-store.ts";
import { completeAcceptances } from "./acceptances.ts";
import { countFiles } from "./merge-feed.ts";
import { compareTables, type RecordChange } from "./merge-tables.ts";
import { PublishedSnapshot, readLine } from "./open-published.ts";
import { type PriceVersions, readPriceVersions } from "./price-versions.ts";
import { type NextSnapshot, type PublicationReport, type PublicationRequest, publish } from "./publication.ts";
import { tableKinds } from "./record-files.ts";
import { stageTables, tableEntries } from "./stage-merged.ts";
import { nextManifest, type Staging } from "./stage-snapshot.ts";
import { noWarnings } from "./warnings/warning.ts";

/** What is named is no append, or not one that is served; the message says which command to use instead. */
export class UndoRefusedError extends ForeseenError {}

export interface UndoRequest extends PublicationRequest {
  /** The snapshot that the append published, or one of its prices files, by its name in the current snapshot. */
  readonly append: { readonly id: SnapshotId } | { readonly file: string };
}

export interface UndoReport extends PublicationReport, UndoDetails {}

interface UndoDetails {
  /** Names of the prices files that are taken back; none where that is done already. */
  readonly undone: readonly string[];
  /** Number of prices that are gone, and of those that are again as the files below say. */
  readonly gone: number;
  readonly restored: number;
  /** Prices that stay as a later file says. */
  readonly stays: readonly Uuid[];
  /** Number of withdrawals and acceptances of its prices, which stay. */
  readonly withdrawals: number;
  readonly acceptances: number;
  /** Records of small tables that the append had added or changed, which stay; undefined where that is not known. */
  readonly tables: readonly RecordChange[] | undefined;
}

/**
 * Publishes the current snapshot without the prices of one append. No file is edited, and no decision is made: small
 * tables, withdrawals and acceptances stay.
 *
 * Cost: reads all prices files twice, as a feed does.
 *
 * @throws {UndoRefusedError} where there is no such append in the current snapshot, or no price would be left.
 * @throws {SnapshotUnavailableError} when there is no current snapshot, or none of that id.
 * @throws {DatasetError} when the current snapshot is damaged.
 * @throws {LockHeldError} when another publisher holds the lock for more than ten seconds.
 */
export async function undoAppend(request: UndoRequest): Promise<UndoReport> {
  return await publish(request, async (publication) => {
    const parent = await PublishedSnapshot.readWanted(request.dataDirectory);
    const { dataDirectory, append } = request;
    const line = await readLine(dataDirectory, parent.manifest);
    const found = "id" in append ? await findById(dataDirectory, append.id, line) : findByFile(append.file, line);
    if (found.files.length === 0) return { outcome: "already-current", manifest: parent.manifest, details: none };
    return await planUndo(request, parent, found, await publication.openStaging());
  });
}

/** Of an append that is undone already. */
const none: UndoDetails = { undone: [], gone: 0, restored: 0, stays: [], withdrawals: 0, acceptances: 0, tables: [] };

/** An append, and what the current snapshot has of it. */
interface FoundAppend {
  /** Its prices files in the current snapshot; none where it is undone. */
  readonly files: readonly ManifestFile[];
  /** The snapshot that it published, and the parent of that, where both are there. */
  readonly published?: { readonly before: Manifest; readonly after: Manifest } | undefined;
}

async function findById(dataDirectory: string, id: SnapshotId, line: readonly Manifest[]): Promise<FoundAppend> {
  const current = line[0] as Manifest;
  const remedy = `undo FILE takes back one of the files that show ${current.id} lists`;
  const after = line.find((manifest) => manifest.id === id) ?? (await ifAvailable(readManifestOf(dataDirectory, id)));
  if (after === undefined) {
    throw new UndoRefusedError(
      `snapshot ${id}: cannot be read, expected one that is there: where gc has removed it, ${remedy}`,
    );
  }
  const before = after.parent === null ? undefined : await ifAvailable(readManifestOf(dataDirectory, after.parent));
  if (after.parent !== null && before === undefined) {
    if (pricesOf(after).every(({ sequence }) => sequence === 0)) {
      throw new UndoRefusedError(`snapshot ${id}: has no appended prices, expected an append: ${baseRemedy}`);
    }
    const found = `its parent ${after.parent} is removed, so that what it has added is not known`;
    throw new UndoRefusedError(`snapshot ${id}: ${found}, expected both: ${remedy}`);
  }
  const added = appendedBy(dataDirectory, after, before);
  // A rollback may have put another snapshot in its place, of the same files.
  const hasAdded = (manifest: Manifest): boolean =>
    pricesOf(manifest).some((file) => added.some((one) => isSameFile(one, file, true)));
  const from = line.includes(after) ? line.indexOf(after) : line.findLastIndex(hasAdded);
  let files = from === -1 ? [] : added;
  let last = after;
  // On the way to what is served its files may have gone, and others of their names have come.
  for (const next of from === -1 ? [] : line.slice(0, from).reverse()) {
    const rest = pricesOf(next).filter((file) => files.some((one) => isSameFile(one, file, false)));
    if (files.length > 0 && rest.length === 0 && isUndo(last, next)) return { files: [] };
    [files, last] = [rest, next];
  }
  if (files.length > 0) return { files, published: { before: before as Manifest, after } };
  throw new UndoRefusedError(
    `snapshot ${id}: found none of its files in what is served, ${current.id}, expected an append that is: ${remedy}`,
  );
}

function findByFile(name: string, line: readonly Manifest[]): FoundAppend {
  const current = line[0] as Manifest;
  const fileOf = (manifest: Manifest): ManifestFile | undefined => pricesOf(manifest).find((one) => one.name === name);
  const file = fileOf(current);
  if (file === undefined) {
    const at = line.findIndex((manifest) => fileOf(manifest) !== undefined);
    if (at > 0 && isUndo(line[at] as Manifest, line[at - 1] as Manifest)) return { files: [] };
    throw new UndoRefusedError(
      `${name}: no prices file of what is served, expected the name of one, as show ${current.id} lists them`,
    );
  }
  if (file.sequence === 0) throw new UndoRefusedError(`${name}: was not appended, expected an append: ${baseRemedy}`);
  const at = line.findIndex((manifest) => !pricesOf(manifest).some((one) => isSameFile(file, one, false)));
  const [before, after] = [line[at], line[at - 1]];
  return { files: [file], published: before && after && { before, after } };
}

const baseRemedy =
  "publish --replace-source SOURCE with the feed before takes a feed back, rollback ID goes to another snapshot";

function pricesOf({ files }: Manifest): readonly ManifestFile[] {
  return files.filter(({ kind }) => kind === "prices");
}

/** @param isExact False where a feed may have taken rows from a file. */
function isSameFile(a: ManifestFile, b: ManifestFile, isExact: boolean): boolean {
  return a.name === b.name && a.sequence === b.sequence && (!isExact || a.sha256 === b.sha256);
}

/** The prices files of a snapshot that another has not as they are. */
function filesBeyond(manifest: Manifest, other: Manifest | undefined): readonly ManifestFile[] {
  const known = other === undefined ? [] : pricesOf(other);
  return pricesOf(manifest).filter((file) => !known.some((one) => isSameFile(one, file, true)));
}

/** Returns whether a snapshot has some prices files of another fewer, and no new one: nothing but an undo does this. */
function isUndo(before: Manifest, after: Manifest): boolean {
  return filesBeyond(after, before).length === 0 && filesBeyond(before, after).length > 0;
}

/**
 * The prices files that a snapshot has appended to its parent.
 *
 * @throws {UndoRefusedError} where it is no append of prices.
 */
function appendedBy(dataDirectory: string, after: Manifest, before: Manifest | undefined): readonly ManifestFile[] {
  const refuse = (what: string, remedy: string): never => {
    throw new UndoRefusedError(`snapshot ${after.id}: ${what}, expected an append: ${remedy}`);
  };
  const added = filesBeyond(after, before);
  const removed = before === undefined ? [] : filesBeyond(before, after);
  const isOther = (kind: DecisionKind | TableKind): boolean => {
    const [was, is] = [before, after].map((manifest) => manifest?.files.find((file) => file.kind === kind));
    return was?.sha256 !== is?.sha256;
  };
  if (added.some(({ sequence }) => sequence === 0)) {
    const isFeed = pricesOf(after).length > added.length;
    if (isFeed) refuse("a feed", "publish --replace-source SOURCE with the feed before takes it back");
    refuse("a whole folder, a feed or a rollback", baseRemedy);
  }
  if (added.length > 0 && (removed.length > 0 || isOther("withdrawals"))) {
    refuse("a rollback", "rollback ID goes to the snapshot before it");
  }
  if (added.length > 0) return added;
  if (before !== undefined && removed.length > 0) {
    const files = removed.map(({ name }) => `${snapshotPath(dataDirectory, before.id)}/${name}`).join(" ");
    refuse("an undo", `append the table again, ${files}`);
  }
  if (isOther("withdrawals")) refuse("a decision", "reinstate UUID or withdraw UUID takes it back");
  // An append may write values into acceptances of an older program.
  if (isOther("accepted") && !tableKinds.some(isOther)) {
    refuse("a decision", "accept-price UUID --undo or accept-price UUID --reason takes it back");
  }
  return refuse("no prices, but small tables", "append the record as it should be");
}

async function planUndo(
  request: UndoRequest,
  parent: PublishedSnapshot,
  { files, published }: FoundAppend,
  staging: Staging,
): Promise<NextSnapshot<UndoDetails>> {
  const { dataDirectory, note = null, onBytes } = request;
  const { manifest: current } = parent;
  const before = await parent.openStore(onBytes);
  const versions = await readPriceVersions(parent, before, onBytes);
  const undone = files.map(({ name }) => name);
  const { isGone, named, counts } = countUndone(versions, undone);
  const { files: kept, withheld } = countFiles(versions, isGone);
  if (counts.gone === before.prices.rowCount)
    throw new UndoRefusedError(`${undone.join(", ")}: no price would be left, expected some`);
  const decisions = await parent.readDecisions();
  const { made } = completeAcceptances(decisions.accepted, before);
  const entries = new Map(kept.map(({ file }) => [file.name, file]));
  const others = current.files.flatMap((file): ManifestFile | readonly never[] => {
    if (file.kind === "prices") return entries.get(file.name) ?? [];
    if (file.kind === "origins") return entries.has(pricesNameOf(file.name)) ? file : [];
    if (made.some(({ entry }) => entry.kind === file.kind)) return [];
    return file.kind === "withdrawals" ? { ...file, withheld } : file;
  });
  const tablesPlan = { shared: others, made };
  await stageTables(parent, tablesPlan, staging);
  const all = tableEntries(tablesPlan).sort(compareFiles);
  const manifest = await nextManifest(request, { ...current, note, parent: current.id, files: all }, null);
  const reading = await readManifestRecords(staging.path, manifest, { onBytes });
  const store = await buildStoreOnThreads({ snapshot: snapshotIdentity(manifest), ...reading.records });
  const count = (list: readonly PriceDecision[]): number => list.filter(({ uuid }) => named.has(uuid)).length;
  const tables = published && (await compareTables(dataDirectory, published.before, published.after));
  const ofPrices = { withdrawals: count(decisions.withdrawals), acceptances: count(decisions.accepted) };
  const details = { undone, ...counts, ...ofPrices, tables };
  const logged = { counts: { gone: counts.gone, restored: counts.restored, stays: counts.stays.length } };
  return { manifest, store, before, accepted: reading.decisions.accepted, warnings: noWarnings(), logged, details };
}

/** The fates of the prices of some files that go: as readers see them, but for the uuids, which are of all. */
function countUndone({ records, files, visibleCount, priceOf, seenRows }: PriceVersions, undone: readonly string[]) {
  const { uuids, rowCount } = records.prices;
  const isGone = new Uint8Array(rowCount);
  for (const { file, rowFirst, rowEnd } of files) if (undone.includes(file.name)) isGone.fill(1, rowFirst, rowEnd);
  const isLeft = new Uint8Array(seenRows.length);
  for (let row = 0; row < rowCount; row++) if (isGone[row] === 0) isLeft[priceOf[row] as number] = 1;
  let [gone, restored] = [0, 0];
  const [stays, named] = [[] as Uuid[], new Set<Uuid>()];
  for (let row = isGone.indexOf(1); row !== -1; row = isGone.indexOf(1, row + 1)) {
    const at = priceOf[row] as number;
    named.add(readUuid(uuids, row));
    if (at >= visibleCount) continue;
    if (seenRows[at] !== row) stays.push(readUuid(uuids, row));
    else if (isLeft[at] === 1) restored++;
    else gone++;
  }
  return { isGone, named, counts: { gone, restored, stays } };
}
