/**
 * The prices of one product, market, unit and currency are a *series*: prices that can be compared with one another. A
 * run holds one series or more.
 */
import { type MonthNumber, monthNumber } from "../model/calendar.ts";
import { compareNames, compareTexts } from "../model/folded-text.ts";
import { getOrInsert } from "../model/get-or-insert.ts";
import { sharedColumnFrom, sharedUint32 } from "../model/shared-columns.ts";
import { type Catalogue, ranksOf } from "./catalogue.ts";
import type { PriceColumns } from "./columns.ts";
import type { Periods } from "./periods.ts";
import type { RunIndex } from "./runs.ts";

/**
 * All series that have prices, by product code, then market, unit and currency: markets by folded name, then uuid;
 * units by folded name; currencies by code unit.
 */
export interface SeriesTable {
  /** The series of product p are `offsets[p]` to `offsets[p + 1] - 1`. */
  readonly offsets: Uint32Array<SharedArrayBuffer>;
  /** Market code by series. */
  readonly markets: Uint32Array<SharedArrayBuffer>;
  /** Unit code by series. */
  readonly units: Uint32Array<SharedArrayBuffer>;
  /** Currency code by series. */
  readonly currencies: Uint32Array<SharedArrayBuffer>;
  readonly counts: Uint32Array<SharedArrayBuffer>;
  /** The first row of each series in answer order. */
  readonly newestRows: Uint32Array<SharedArrayBuffer>;
  /** The last row of each series in answer order. */
  readonly oldestRows: Uint32Array<SharedArrayBuffer>;
  /** Day code of the newest row. */
  readonly newestDays: Uint32Array<SharedArrayBuffer>;
  /** The most days between the days of two neighbouring prices of the series; 0 where all are of one day. */
  readonly longestGaps: Uint32Array<SharedArrayBuffer>;
  /** In how many months each series has prices. */
  readonly monthCounts: Uint32Array<SharedArrayBuffer>;
  /** The most neighbouring months without a price, from the first to the last month with one. */
  readonly longestMonthGaps: Uint32Array<SharedArrayBuffer>;
  /** Every series, by the time of its newest price, newest first; equal times in the order of the table. */
  readonly byNewest: Uint32Array<SharedArrayBuffer>;
}

interface SeriesSources {
  readonly catalogue: Catalogue;
  readonly prices: PriceColumns;
  readonly runs: RunIndex;
  readonly periods: Periods;
}

/**
 * The rows of each series of a run, in answer order; series in the order in which their newest rows come. Cost: a look
 * at each row.
 */
export function seriesOfRun(
  { prices: { units, currencies, unitNames }, runs: { rowOffsets } }: Pick<SeriesSources, "prices" | "runs">,
  run: number,
): Iterable<readonly number[]> {
  const bySeries = new Map<number, number[]>();
  // Most runs hold one series, so the one of the row before is read first.
  let seriesBefore = -1;
  let rows: number[] = [];
  for (let row = rowOffsets[run]!; row < rowOffsets[run + 1]!; row++) {
    const series = currencies[row]! * unitNames.length + units[row]!;
    if (series !== seriesBefore) rows = getOrInsert(bySeries, series, () => []);
    seriesBefore = series;
    rows.push(row);
  }
  return bySeries.values();
}

/** Lists all series. Cost: two reads of each price, and a sort of the series. */
export function buildSeries(sources: SeriesSources): SeriesTable {
  const { catalogue, prices, runs, periods } = sources;
  const { unitNames, currencyCodes, recordedAt } = prices;
  const monthNumbers = periods.month.labels.map((label) => monthNumber(label));
  const marketRanks = ranksOf(catalogue.marketsByName);
  const productCount = catalogue.products.length;
  const offsets = sharedUint32(productCount + 1);
  const table: Series[] = [];
  for (let product = 0; product < productCount; product++) {
    const ofProduct: Series[] = [];
    for (let run = runs.runOffsets[product]!; run < runs.runOffsets[product + 1]!; run++) {
      for (const rows of seriesOfRun(sources, run)) ofProduct.push(describeSeries(sources, rows, monthNumbers));
    }
    ofProduct.sort(
      (a, b) =>
        marketRanks[a.market]! - marketRanks[b.market]! ||
        compareNames(unitNames[a.unit]!, unitNames[b.unit]!) ||
        compareTexts(currencyCodes[a.currency]!, currencyCodes[b.currency]!),
    );
    for (const series of ofProduct) table.push(series);
    offsets[product + 1] = table.length;
  }
  const column = (fieldOf: (series: Series) => number): Uint32Array<SharedArrayBuffer> =>
    sharedColumnFrom("Uint32Array", table, fieldOf);
  const newestRows = column(({ newestRow }) => newestRow);
  return {
    offsets,
    markets: column(({ market }) => market),
    units: column(({ unit }) => unit),
    currencies: column(({ currency }) => currency),
    counts: column(({ count }) => count),
    newestRows,
    oldestRows: column(({ oldestRow }) => oldestRow),
    newestDays: column(({ newestRow }) => periods.dayCodes[newestRow]!),
    longestGaps: column(({ longestGap }) => longestGap),
    monthCounts: column(({ monthCount }) => monthCount),
    longestMonthGaps: column(({ longestMonthGap }) => longestMonthGap),
    // The sort is stable, so equal times stay in the order of the table.
    byNewest: sharedColumnFrom("Uint32Array", [...table.keys()]).sort(
      (a, b) => recordedAt[newestRows[b]!]! - recordedAt[newestRows[a]!]!,
    ),
  };
}

type Series = ReturnType<typeof describeSeries>;

/** Describes a series. @param rows Its rows, newest first. @param monthNumbers By code of the month. */
function describeSeries(
  { prices, periods: { dayCodes, ages, month } }: SeriesSources,
  rows: readonly number[],
  monthNumbers: readonly MonthNumber[],
) {
  const newestRow = rows[0]!;
  let [day, longestGap, longestMonthGap, monthCount] = [dayCodes[newestRow]!, 0, 0, 1];
  for (const row of rows) {
    const olderDay = dayCodes[row]!;
    if (olderDay === day) continue;
    longestGap = Math.max(longestGap, ages[olderDay]! - ages[day]!);
    const months = monthNumbers[month.ofDay[day]!]! - monthNumbers[month.ofDay[olderDay]!]!;
    if (months > 0) monthCount++;
    longestMonthGap = Math.max(longestMonthGap, months - 1);
    day = olderDay;
  }
  return {
    market: prices.markets[newestRow]!,
    unit: prices.units[newestRow]!,
    currency: prices.currencies[newestRow]!,
    newestRow,
    oldestRow: rows.at(-1)!,
    count: rows.length,
    longestGap,
    monthCount,
    longestMonthGap,
  };
}
