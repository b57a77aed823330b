/** Prices of a table and records → the report of an import: as data, as text for a person. */
import { dayText } from "../../../engine/model/calendar.ts";
import { counted } from "../../../engine/model/counted.ts";
import { visibleText } from "../../../engine/model/visible-text.ts";
import { listLeftOut } from "../left-out-rows.ts";
import type { SheetRecords } from "./build-sheet-records.ts";
import { leftOutReasons } from "./field-rows.ts";
import { daysOf, type KnownPrices, type ReplacedPrice } from "./known-prices.ts";
import type { Mapping } from "./mapping.ts";
import type { PricesReading } from "./read-sheet-prices.ts";
import type { Table } from "./sheet-table.ts";

export type ImportReport = ReturnType<typeof reportImport>;

/** Counts what happened. @param reading It has at least one price. */
export function reportImport(
  { file, unread }: Table,
  { source }: Mapping,
  { facts, rowCount, leftOut }: PricesReading,
  records: SheetRecords,
  { replaced, earlier }: KnownPrices,
) {
  const [first, last] = daysOf(facts);
  return {
    /** The name of the file, and of its sheet where it has several. */
    file,
    /** Parts of the file that were not read. */
    unread,
    source,
    /** Rows below the headings that are not empty: the prices and the rows left out. */
    rowCount,
    priceCount: facts.length,
    /** Days of the oldest and the newest price, `YYYY-MM-DD`. */
    dayFirst: dayText(first),
    dayLast: dayText(last),
    productCount: new Set(facts.map(({ product }) => product.id)).size,
    marketCount: new Set(facts.map(({ market }) => market.id)).size,
    /** Names of records that are not in the snapshot. */
    newProducts: records.products.map(({ name }) => name),
    newMarkets: records.markets.map(({ name }) => name),
    /** Prices that the snapshot has with other values, which an append replaces; in order of the rows. */
    replaced,
    /** The newest days of the source before it, beside those of the table; null where there are none. */
    earlier: earlier ?? null,
    /** The reason with most rows first. */
    leftOut: listLeftOut(leftOut),
  };
}

/** A report as lines for a person, without line ends. */
export function reportLines(report: ImportReport): string[] {
  const { rowCount, priceCount, productCount, marketCount, dayFirst, dayLast } = report;
  const coverage = `${counted(productCount, "product")} at ${counted(marketCount, "market")}`;
  return [
    `read ${counted(rowCount, "row")} of ${report.file}`,
    ...unreadLines(report.unread),
    `${counted(priceCount, "price")} of ${report.source}, ${dayFirst} to ${dayLast}: ${coverage}`,
    ...earlierLines(report),
    ...replacedLines(report.replaced),
    ...report.newProducts.map((name) => `new product: ${name}`),
    ...report.newMarkets.map((name) => `new market: ${name}`),
    ...report.leftOut.map(
      ({ reason, rowCount, lineFirst }) =>
        `left out ${rowCount}: ${leftOutReasons[reason]} (first in row ${lineFirst})`,
    ),
  ].map(visibleText);
}

/** A line that names the parts of a file that were not read; none where there are none. */
export function unreadLines(unread: readonly string[]): string[] {
  return unread.length === 0 ? [] : [`not read: ${unread.join(", ")}`];
}

/** What is missing or goes back against the last time. */
function earlierLines({ earlier, priceCount }: ImportReport): string[] {
  if (earlier === null) return [];
  const { marketCount, missingMarketCount, rowCount, daysBefore } = earlier;
  const found = [
    ...(missingMarketCount === 0 ? [] : [`${missingMarketCount} of ${counted(marketCount, "market")} missing`]),
    ...(priceCount >= rowCount ? [] : [`${counted(priceCount, "price")}, ${rowCount} last time`]),
    ...(daysBefore <= 0 ? [] : [`days ${daysBefore} before last time`]),
  ];
  return found.length === 0 ? [] : [`compared with the newest prices of this source: ${found.join("; ")}`];
}

/** A person is shown so many prices that are replaced; JSON has all. */
const replacedShownMax = 20;

function replacedLines(replaced: readonly ReplacedPrice[]): string[] {
  if (replaced.length === 0) return [];
  const lines = replaced.slice(0, replacedShownMax).map((price) => `  ${replacementText(price)}`);
  const rest = replaced.length - lines.length;
  const head = `replaces ${counted(replaced.length, "price")} of the snapshot, once it is appended`;
  return [head, ...lines, ...(rest > 0 ? [`  … and ${rest} more`] : [])];
}

function replacementText({ row, uuid, withdrawn, changes }: ReplacedPrice): string {
  const texts = changes.map(({ field, before, after }) => {
    return `${field} ${JSON.stringify(before)} → ${JSON.stringify(after)}`;
  });
  const remedy = withdrawn ? `: withdrawn, so nothing changes for readers before snapshot reinstate ${uuid}` : "";
  return `row ${row}: ${texts.join(", ")}${remedy}`;
}
