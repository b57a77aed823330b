/**
 * The prices of one product, market, unit and currency are a *series*: prices that can be compared with one another. A
 * run holds one series or more.
 */
import { type MonthNumber, monthNumber } from "../domain/calendar-month.ts";
import { compareNames, compareTexts } from "../domain/folded-text.ts";
import { sharedUint32 } from "../domain/shared-columns.ts";
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

/** A series while its rows are read, newest first. */
interface GrowingSeries {
  readonly market: number;
  readonly unit: number;
  readonly currency: number;
  readonly newestRow: number;
  oldestRow: number;
  count: number;
  longestGap: number;
  /** Code of the month of the oldest row, see periods.ts. */
  oldestMonth: number;
  monthCount: number;
  longestMonthGap: number;
}

/** Lists all series. Cost: one pass over the units, currencies and days of all prices, and a sort of the series. */
export function buildSeries({ catalogue, prices, runs, periods }: SeriesSources): SeriesTable {
  const { unitNames, currencyCodes } = prices;
  const monthNumbers = periods.month.labels.map((label) => monthNumber(label));
  const marketRanks = ranksOf(catalogue.marketsByName);
  const productCount = catalogue.products.length;
  const offsets = sharedUint32(productCount + 1);
  const table: GrowingSeries[] = [];
  for (let product = 0; product < productCount; product++) {
    const ofProduct: GrowingSeries[] = [];
    for (let run = runs.runOffsets[product]!; run < runs.runOffsets[product + 1]!; run++) {
      for (const series of seriesOfRun({ prices, periods, runs, monthNumbers }, run)) ofProduct.push(series);
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
  const column = (fieldOf: (series: GrowingSeries) => number): Uint32Array<SharedArrayBuffer> => {
    const values = sharedUint32(table.length);
    for (const [at, series] of table.entries()) values[at] = fieldOf(series);
    return values;
  };
  const newestRows = column(({ newestRow }) => newestRow);
  const { recordedAt } = prices;
  const byNewest = column(() => 0);
  for (let at = 0; at < byNewest.length; at++) byNewest[at] = at;
  // The sort is stable, so equal times stay in the order of the table.
  byNewest.sort((a, b) => recordedAt[newestRows[b]!]! - recordedAt[newestRows[a]!]!);
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
    byNewest,
  };
}

/** What the series of a run are read from. */
interface RunSources extends Omit<SeriesSources, "catalogue"> {
  /** By code of the month. */
  readonly monthNumbers: readonly MonthNumber[];
}

/** The series of a run, in the order in which their newest rows come. */
function seriesOfRun({ prices, periods, runs, monthNumbers }: RunSources, run: number): Iterable<GrowingSeries> {
  const { units, currencies, unitNames } = prices;
  const { dayCodes, ages, month: monthList } = periods;
  const byMeasure = new Map<number, GrowingSeries>();
  // Most runs hold one series, so the one of the row before is looked at first.
  let measure = -1;
  let series: GrowingSeries | undefined;
  for (let row = runs.rowOffsets[run]!; row < runs.rowOffsets[run + 1]!; row++) {
    const unit = units[row]!;
    const currency = currencies[row]!;
    const month = monthList.ofDay[dayCodes[row]!]!;
    const ofRow = currency * unitNames.length + unit;
    if (ofRow !== measure) {
      measure = ofRow;
      series = byMeasure.get(ofRow);
      if (series === undefined) {
        series = newSeries(runs.markets[run]!, unit, currency, row, month);
        byMeasure.set(ofRow, series);
      }
    }
    const grown = series as GrowingSeries;
    const gap = ages[dayCodes[row]!]! - ages[dayCodes[grown.oldestRow]!]!;
    if (gap > grown.longestGap) grown.longestGap = gap;
    if (month !== grown.oldestMonth) {
      const monthGap = monthNumbers[grown.oldestMonth]! - monthNumbers[month]! - 1;
      if (monthGap > grown.longestMonthGap) grown.longestMonthGap = monthGap;
      grown.oldestMonth = month;
      grown.monthCount++;
    }
    grown.oldestRow = row;
    grown.count++;
  }
  return byMeasure.values();
}

/** A series before its newest row is counted. @param month That of the row. */
function newSeries(market: number, unit: number, currency: number, row: number, month: number): GrowingSeries {
  const gaps = { longestGap: 0, longestMonthGap: 0 };
  return {
    market,
    unit,
    currency,
    newestRow: row,
    oldestRow: row,
    oldestMonth: month,
    count: 0,
    monthCount: 1,
    ...gaps,
  };
}
