/**
 * The three-way merge of a feed: its rows in the current snapshot (the base), its new rows, and what was appended
 * since. Of each uuid:
 *
 * - the price is of another source: it stays. A feed that has the uuid too is refused.
 * - nothing was appended: the feed's row replaces the base.
 * - something was appended (a correction of the base, or without a base a new price): it stays while the feed is as the
 *   base was; it goes when the feed says the same as it does; otherwise they conflict, and the preference decides.
 *
 * Rows that differ in nothing but their times of entry count as equal. A price is of the source of its base, or without
 * a base of the source that readers see.
 */

import type { Instant } from "../../engine/model/calendar.ts";
import { readUuid, type Uuid } from "../../engine/model/ids.ts";
import type { PriceRecord } from "../../engine/model/records.ts";
import type { RecordsReading } from "../../engine/snapshots/load-dataset.ts";
import type { ManifestFile } from "../../engine/snapshots/manifest.ts";
import { foundText, type Place, type ProblemSink } from "../../engine/snapshots/problem.ts";
import { pricesOfRecords, rowComparison, timestampColumns } from "./compare-prices.ts";
import { locationOfVersion, noVersion, type PriceVersions } from "./price-versions.ts";

/** The row that stays where an appended row and the feed conflict. */
export type FeedPreference = "own" | "feed";

const noCounts = {
  /** Rows of the feed, and those it had. */
  rows: 0,
  rowsBefore: 0,
  /** Rows of the feed that are new, that differ from the base, and rows of the base that the feed has no more. */
  added: 0,
  changed: 0,
  dropped: 0,
  /** Prices of other sources. */
  carriedOver: 0,
  /** Appended rows of the source that stay without conflict: corrections, and prices that the feed does not have. */
  correctionsKept: 0,
  additionsKept: 0,
  /** Appended rows that go because the feed says the same. */
  adopted: 0,
  /** Rows of the feed whose prices are withdrawn: they are published, and left out of all answers. */
  withheld: 0,
  conflicts: 0,
};

/** Counts, by uuid, the fates of the prices of a feed and of those appended to it. */
export type FeedCounts = Readonly<typeof noCounts>;

/** A price as a version of it says. */
export interface PriceVersion
  extends Pick<PriceRecord, "price" | "unit" | "currency" | "recordedAt" | "source" | "qualityGrade" | "notes"> {
  readonly priceFlag: string | null;
  /** The file of it: a file of the current snapshot, or of the feed. */
  readonly file: string;
  readonly line: number;
  readonly product: string;
  readonly market: string;
}

/** An appended row whose base the feed has changed or dropped, or which the feed has with other values. */
export interface FeedConflict {
  readonly uuid: Uuid;
  /** The version that the feed had; null when it had no such price. */
  readonly base: PriceVersion | null;
  readonly own: PriceVersion;
  /** The version that the feed has; null when it has dropped the price. */
  readonly feed: PriceVersion | null;
}

/** Number of conflicts that are listed; the rest are counted. */
export const conflictsListedMax = 1000;

/** A prices file of the current snapshot in the next one. */
interface KeptFile {
  /** Its entry of the manifest, as far as it follows from the rows that are left. */
  readonly file: ManifestFile;
  /** Its first row among the versions. */
  readonly rowFirst: number;
  /** True if all its rows are left. */
  readonly isWhole: boolean;
}

export interface FeedMerge {
  readonly counts: FeedCounts;
  /** The first of them, by product, market and time. */
  readonly conflicts: readonly FeedConflict[];
  /** A byte for each row of the versions: 1 where the next snapshot does not have it. */
  readonly isGone: Uint8Array;
  /** The files of the versions of which something is left, in their order. */
  readonly files: readonly KeptFile[];
  /** Number of prices of the next snapshot's files that are withdrawn. */
  readonly withheld: number;
}

/**
 * Merges a feed into the current snapshot.
 *
 * @param versions The prices of the current snapshot.
 * @param feed Checked rows of the source.
 * @param prefer The row that stays in a conflict; own ones when undefined, as far as the numbers go.
 * @param problems Receives rows of the feed that have the uuid of a price of another source.
 * Cost: a look-up for each row of the versions and of the feed, and 16 bytes a price; no object for one.
 */
export function mergeFeed(
  versions: PriceVersions,
  feed: RecordsReading,
  source: string,
  prefer: FeedPreference | undefined,
  problems: ProblemSink,
): FeedMerge {
  const { records, baseFirst, visibleCount, find, seenRows, baseRows, priceOf } = versions;
  const [all, added] = [records.prices, feed.records.prices];
  const priceCount = seenRows.length;
  const sourceCode = all.sourceNames.indexOf(source);
  const feedRows = new Uint32Array(priceCount).fill(noVersion);
  const counts = { ...noCounts, rows: added.rowCount };
  for (let row = 0; row < added.rowCount; row++) {
    const at = find(added.uuids, row);
    if (at !== undefined) feedRows[at] = row;
    else counts.added++;
    if (at !== undefined && at >= visibleCount) counts.withheld++;
  }

  const isSameAsFeed = rowComparison(pricesOfRecords(records), pricesOfRecords(feed.records), timestampColumns);
  const conflicts: FeedConflict[] = [];
  const isDropped = new Uint8Array(priceCount);
  for (let at = 0; at < priceCount; at++) mergePrice(at);

  const isGone = new Uint8Array(all.rowCount);
  for (let row = 0; row < all.rowCount; row++) {
    const isOfFeed = row >= baseFirst && all.sources[row] === sourceCode;
    if (isOfFeed || (row < baseFirst && isDropped[priceOf[row] as number] === 1)) isGone[row] = 1;
  }
  return { counts, conflicts, isGone, ...countFiles(versions, isGone, feedRows) };

  /** @param at Its number. */
  function mergePrice(at: number): void {
    const [seen, base, fed] = [seenRows[at] as number, baseRows[at] as number, feedRows[at] as number];
    if (seen === noVersion) {
      // Withdrawn, and in no file since.
      if (fed !== noVersion) counts.added++;
      return;
    }
    const ownSource = all.sources[base === noVersion ? seen : base] as number;
    if (ownSource !== sourceCode) {
      if (at < visibleCount) counts.carriedOver++;
      if (fed !== noVersion) reportTaken(all.sourceNames[ownSource] as string, fed);
      return;
    }
    if (base !== noVersion) counts.rowsBefore++;
    const isFeedUnchanged = base === noVersion ? fed === noVersion : fed !== noVersion && isSameAsFeed(base, fed);
    if (!isFeedUnchanged) counts[base === noVersion ? "added" : fed === noVersion ? "dropped" : "changed"]++;
    if (seen >= baseFirst) return;
    if (fed !== noVersion && isSameAsFeed(seen, fed)) {
      counts.adopted++;
      isDropped[at] = 1;
    } else if (isFeedUnchanged) {
      if (base === noVersion) counts.additionsKept++;
      else counts.correctionsKept++;
    } else {
      counts.conflicts++;
      if (prefer === "feed") isDropped[at] = 1;
      if (conflicts.length < conflictsListedMax) conflicts.push(conflictOf(versions, feed, [seen, base, fed]));
    }
  }

  function reportTaken(other: string, fed: number): void {
    const found = `${foundText(readUuid(added.uuids, fed))}, the uuid of a price of source ${foundText(other)}`;
    const wanted = `one of source ${foundText(source)}, or a new one`;
    problems.add({ ...feed.locationOfPrice(fed), kind: "duplicate", field: "uuid", found, wanted });
  }
}

/** @param rows The row that readers see, that of sequence 0, and that of the feed; the last two may be `noVersion`. */
function conflictOf(
  versions: PriceVersions,
  feed: RecordsReading,
  [seen, base, fed]: readonly [seen: number, base: number, fed: number],
): FeedConflict {
  const { records } = versions;
  return {
    uuid: readUuid(records.prices.uuids, seen),
    base: base === noVersion ? null : versionOf(records, base, locationOfVersion(versions, base)),
    own: versionOf(records, seen, locationOfVersion(versions, seen)),
    feed: fed === noVersion ? null : versionOf(feed.records, fed, feed.locationOfPrice(fed)),
  };
}

/**
 * Counts the rows of each file in the next snapshot, from the lowest sequence up, so that what a row replaces is known
 * when it comes; and how many of the prices are withdrawn.
 *
 * @param feedRows By number of the price, the row of the feed; `noVersion` where the feed has no such price. Without a
 *   feed there is none.
 */
export function countFiles(
  { files, visibleCount, seenRows, priceOf }: PriceVersions,
  isGone: Uint8Array,
  feedRows?: Uint32Array,
): Pick<FeedMerge, "files" | "withheld"> {
  const isThere = new Uint8Array(seenRows.length);
  feedRows?.forEach((row, at) => {
    if (row !== noVersion) isThere[at] = 1;
  });
  const counted = files.toReversed().map(({ file, rowFirst, rowEnd }): KeptFile => {
    let [rows, replaces] = [0, 0];
    for (let row = rowFirst; row < rowEnd; row++) {
      if (isGone[row] === 1) continue;
      const at = priceOf[row] as number;
      rows++;
      replaces += isThere[at] as number;
      isThere[at] = 1;
    }
    return { file: { ...file, rows, replaces }, rowFirst, isWhole: rows === file.rows };
  });
  const withheld = isThere.subarray(visibleCount).reduce((sum, there) => sum + there, 0);
  return { files: counted.reverse().filter(({ file }) => file.rows > 0), withheld };
}

/** Its fields are in the order of the JSON report of conflicts (cli/snapshot/feed-report.ts). */
function versionOf(
  { prices, products, markets }: RecordsReading["records"],
  row: number,
  location: Place,
): PriceVersion {
  return {
    ...location,
    product: products[prices.products[row] as number]?.name ?? "",
    market: markets[prices.markets[row] as number]?.name ?? "",
    price: prices.prices[row] as number,
    unit: prices.unitNames[prices.units[row] as number] as string,
    currency: prices.currencyCodes[prices.currencies[row] as number] as string,
    source: prices.sourceNames[prices.sources[row] as number] as string,
    // No text has the code of a missing one.
    notes: prices.noteTexts[prices.notes[row] as number] ?? null,
    recordedAt: prices.recordedAt[row] as Instant,
    qualityGrade: prices.gradeNames[prices.grades[row] as number] ?? null,
    priceFlag: prices.flagNames[prices.flags[row] as number] ?? null,
  };
}
