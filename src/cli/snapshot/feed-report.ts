/** The report on a merged feed, for people and for programs. */

import type { SnapshotChanges } from "../../contract/publication-report.ts";
import { instantText } from "../../engine/model/calendar.ts";
import { counted } from "../../engine/model/counted.ts";
import { snakeCased } from "../../engine/model/snake-case.ts";
import { visibleText } from "../../engine/model/visible-text.ts";
import type { FeedConflict, FeedCounts, PriceVersion } from "../../publishing/publish/merge-feed.ts";
import type { ReplaceReport, ReplaceRequest } from "../../publishing/publish/replace-source.ts";
import { rowsText } from "../problem-report.ts";
import { keptRecordLines, shownLines, tableChangeLines } from "./changes-report.ts";
import { type PublicationDetails, withheldLines } from "./run-publishing.ts";

/** Number of conflicts that a person is shown. */
const conflictsShownMax = 20;

/** The report of `publish DIR --replace-source SOURCE`. */
export function feedDetails(
  { outcome, rows, counts, conflicts, tableChanges, keptRecords, changes }: ReplaceReport,
  { source, prefer }: Pick<ReplaceRequest, "source" | "prefer">,
): PublicationDetails {
  const json = {
    source,
    prefer: prefer ?? null,
    feed: countsReport(counts),
    conflicts: snakeCased(conflicts.map(datedConflict)),
    table_changes: tableChanges,
    kept_records: keptRecords,
    sources: changes?.sources ?? [],
  };
  const shown = conflicts.slice(0, conflictsShownMax);
  const problemsAfter = shown.flatMap((conflict) => linesOfConflict(conflict, prefer));
  const more = counts.conflicts - shown.length;
  if (more > 0) problemsAfter.push(`… and ${counted(more, "more conflict")}`);
  if (outcome === "conflicts") {
    const remedy = "--prefer own keeps what was appended, --prefer feed takes what the feed says";
    const refusal = `conflicts: ${counts.conflicts}, nothing published; ${remedy}`;
    return { json, problemsAfter, summary: undefined, lines: [], refusal };
  }
  return {
    json,
    problemsAfter,
    summary: rowsText(rows),
    lines: [
      ...countLines(counts, source),
      ...(counts.conflicts > 0 ? [`conflicts: ${counts.conflicts}, ${prefer} kept`] : []),
      ...tableChangeLines(tableChanges),
      ...keptRecordLines(keptRecords),
      ...sourceLines(changes),
    ],
  };
}

/** A line for each source that has more or fewer prices than before. */
export function sourceLines(changes: SnapshotChanges | undefined): string[] {
  return shownLines(changes?.sources ?? [], ({ source, before, after }) => `prices of ${source}: ${before} → ${after}`);
}

function countLines(counts: FeedCounts, source: string): string[] {
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

/** In the order of the JSON report. */
function countsReport(counts: FeedCounts): unknown {
  const { rowsBefore, carriedOver, correctionsKept, additionsKept, ...rest } = counts;
  return snakeCased({ ...rest, rowsBefore, carriedOver, correctionsKept, additionsKept });
}

/** Several lines: which price, and what it was, what was appended, and what the feed says. */
function linesOfConflict({ uuid, base, own, feed }: FeedConflict, prefer: ReplaceRequest["prefer"]): string[] {
  const kept = prefer === undefined ? "" : `, ${prefer} kept`;
  const versions = [
    `  base: ${base === null ? "no such price" : versionText(base, own)}`,
    `  own:  ${versionText(own, own)} (${own.file}:${own.line})`,
    `  feed: ${feed === null ? "dropped" : `${versionText(feed, own)} (${feed.file}:${feed.line})`}`,
  ];
  return [`conflict${kept}: ${own.product} at ${own.market}, ${uuid}`, ...versions].map(visibleText);
}

/** The fields of a version; product and market where they differ from those of the appended price. */
function versionText(version: PriceVersion, own: PriceVersion): string {
  const { price, unit, currency, recordedAt, source, qualityGrade, notes, priceFlag, product, market } = version;
  const day = instantText(recordedAt).slice(0, "2026-11-20".length);
  return [
    ...(product === own.product && market === own.market ? [] : [`${product} at ${market}`]),
    `${price} ${currency} per ${unit}`,
    day,
    source,
    ...(qualityGrade === null ? [] : [`grade ${qualityGrade}`]),
    ...(notes === null ? [] : [`notes ${JSON.stringify(notes)}`]),
    ...(priceFlag === null ? [] : [`price flag ${priceFlag}`]),
  ].join(", ");
}

function datedConflict({ uuid, base, own, feed }: FeedConflict): object {
  const dated = (version: PriceVersion): object => ({ ...version, recordedAt: instantText(version.recordedAt) });
  return { uuid, base: base && dated(base), own: dated(own), feed: feed && dated(feed) };
}
