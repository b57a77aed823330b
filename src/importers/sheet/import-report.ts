/** What an import of a table kept and left out: as data, as text for a person. */
import { dayText } from "../../domain/calendar-day.ts";
import { compareTexts } from "../../domain/folded-text.ts";
import { visibleText } from "../../domain/visible-text.ts";
import { type LeftOutRows, listLeftOut } from "../left-out-rows.ts";
import { snakeCased } from "../snake-cased.ts";
import type { SheetRecords } from "./build-records.ts";
import type { Mapping } from "./mapping.ts";
import { dayOf, type LeftOutReason, leftOutReasons, type PricesReading } from "./read-prices.ts";
import type { Table } from "./table.ts";

export interface ImportReport {
  /** The name of the file, and of its sheet where it has several. */
  readonly file: string;
  readonly source: string;
  /** Rows below the headings that are not empty: the prices and the rows left out. */
  readonly rowCount: number;
  readonly priceCount: number;
  /** Days of the oldest and the newest price, `YYYY-MM-DD`. */
  readonly dayFirst: string;
  readonly dayLast: string;
  readonly productCount: number;
  readonly marketCount: number;
  /** Names of records that are not in the snapshot. */
  readonly newProducts: readonly string[];
  readonly newMarkets: readonly string[];
  /** Rows with the market, product, unit, currency, grade and day of an earlier row. */
  readonly repeatedCount: number;
  /** The reason with most rows first. */
  readonly leftOut: readonly ({ readonly reason: LeftOutReason } & LeftOutRows)[];
}

/** Counts what happened. @param reading With at least one price. */
export function reportImport(
  { file }: Table,
  { source }: Mapping,
  { facts, rowCount, leftOut }: PricesReading,
  records: SheetRecords,
): ImportReport {
  const days = facts.map(({ recordedAt }) => dayText(dayOf(recordedAt))).sort(compareTexts);
  return {
    file,
    source,
    rowCount,
    priceCount: facts.length,
    dayFirst: days[0] as string,
    dayLast: days.at(-1) as string,
    productCount: new Set(facts.map(({ product }) => product.id)).size,
    marketCount: new Set(facts.map(({ market }) => market.id)).size,
    newProducts: records.products.map(({ name }) => name),
    newMarkets: records.markets.map(({ name }) => name),
    repeatedCount: facts.filter(({ number }) => number > 1).length,
    leftOut: listLeftOut(leftOut),
  };
}

/** A report as lines for a person, without line ends. */
export function reportLines(report: ImportReport): string[] {
  const { rowCount, priceCount, productCount, marketCount, dayFirst, dayLast } = report;
  const coverage = `${count(productCount, "product")} at ${count(marketCount, "market")}`;
  return [
    `read ${count(rowCount, "row")} of ${report.file}`,
    `${count(priceCount, "price")} of ${report.source}, ${dayFirst} to ${dayLast}: ${coverage}`,
    ...report.newProducts.map((name) => `new product: ${name}`),
    ...report.newMarkets.map((name) => `new market: ${name}`),
    ...report.leftOut.map(
      ({ reason, rowCount, lineFirst }) =>
        `left out ${rowCount}: ${leftOutReasons[reason]} (first in row ${lineFirst})`,
    ),
  ].map(visibleText);
}

/** A report as the fields of a JSON object, in snake_case. */
export function reportJson(report: ImportReport): Readonly<Record<string, unknown>> {
  return snakeCased(report) as Readonly<Record<string, unknown>>;
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}
