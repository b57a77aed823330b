/** The report on a merged feed, for people and for programs. */

import { instantText } from "../../engine/model/calendar.ts";
import { counted } from "../../engine/model/counted.ts";
import { snakeCased } from "../../engine/model/snake-case.ts";
import { visibleText } from "../../engine/model/visible-text.ts";
import { foundName, foundText } from "../../engine/snapshots/problem.ts";
import type { FeedConflict, FeedCounts, FeedPreference, PriceVersion } from "../../publishing/publish/merge-feed.ts";

/** Number of conflicts that a person is shown. */
const conflictsShownMax = 20;

/** The lines on the conflicts of a feed, for stderr. @param count The number of all, also of those not listed. */
export function conflictLines(
  conflicts: readonly FeedConflict[],
  count: number,
  prefer: FeedPreference | undefined,
): string[] {
  const shown = conflicts.slice(0, conflictsShownMax);
  const lines = shown.flatMap((conflict) => linesOfConflict(conflict, prefer));
  const more = count - shown.length;
  return more > 0 ? [...lines, `… and ${counted(more, "more conflict")}`] : lines;
}

/** The conflicts for programs. */
export function conflictsReport(conflicts: readonly FeedConflict[]): unknown {
  return snakeCased(conflicts.map(datedConflict));
}

/** The lines on what becomes of the prices of a feed and of those appended to it. */
export function feedLines(counts: FeedCounts, source: string): string[] {
  const { rows, rowsBefore, added, changed, dropped, withheld, carriedOver } = counts;
  const { correctionsKept, additionsKept, adopted } = counts;
  const feed = `${counted(rows, "row")}, ${rowsBefore} before: ${added} added, ${changed} changed, ${dropped} dropped`;
  return [
    visibleText(`feed ${source}: ${feed}`),
    `carried over: ${counted(carriedOver, "price")} of other sources, ${counted(correctionsKept, "correction")} and ` +
      `${counted(additionsKept, "addition")} to the feed`,
    ...withheldLines(withheld),
    ...(adopted > 0 ? [`dropped because the feed says the same: ${counted(adopted, "appended price")}`] : []),
  ];
}

/** A line that counts the prices left out because they are withdrawn; none where there are none. */
export function withheldLines(count: number): string[] {
  const which = count === 1 ? "it is" : "they are";
  return count === 0 ? [] : [`withheld because ${which} withdrawn: ${counted(count, "price")}`];
}

/** The numbers for programs. */
export function feedCountsReport(counts: FeedCounts): unknown {
  const { rowsBefore, carriedOver, correctionsKept, additionsKept, ...rest } = counts;
  return snakeCased({ ...rest, rowsBefore, carriedOver, correctionsKept, additionsKept });
}

/** Several lines: which price, and what it was, what was appended, and what the feed says. */
function linesOfConflict({ uuid, base, own, feed }: FeedConflict, prefer: FeedPreference | undefined): string[] {
  const kept = prefer === undefined ? "" : `, ${prefer} kept`;
  const versions = [
    `  base: ${base === null ? "no such price" : versionText(base, own)}`,
    `  own:  ${versionText(own, own)} (${own.file}:${own.line})`,
    `  feed: ${feed === null ? "dropped" : `${versionText(feed, own)} (${feed.file}:${feed.line})`}`,
  ];
  return [`conflict${kept}: ${foundName(own.product)} at ${foundName(own.market)}, ${uuid}`, ...versions].map(
    visibleText,
  );
}

/** The fields of a version; product and market where they differ from those of the appended price. */
function versionText(version: PriceVersion, own: PriceVersion): string {
  const { price, unit, currency, recordedAt, source, qualityGrade, notes, priceFlag, product, market } = version;
  const day = instantText(recordedAt).slice(0, "2026-11-20".length);
  return [
    ...(product === own.product && market === own.market ? [] : [`${foundName(product)} at ${foundName(market)}`]),
    `${price} ${currency} per ${foundName(unit)}`,
    day,
    foundName(source),
    ...(qualityGrade === null ? [] : [`grade ${foundName(qualityGrade)}`]),
    ...(notes === null ? [] : [`notes ${foundText(notes)}`]),
    ...(priceFlag === null ? [] : [`price flag ${priceFlag}`]),
  ].join(", ");
}

function datedConflict({ uuid, base, own, feed }: FeedConflict): object {
  const dated = (version: PriceVersion): object => ({ ...version, recordedAt: instantText(version.recordedAt) });
  return { uuid, base: base && dated(base), own: dated(own), feed: feed && dated(feed) };
}
