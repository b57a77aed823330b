/** The table of series. */

import { referenceCurrency } from "../model/records.ts";
import { type SeriesFigures, seriesFigures } from "../query/find-series.ts";
import { roundFigure } from "../store/figures.ts";
import { rateOf, rowRates } from "../store/price-conversion.ts";
import type { Store } from "../store/store.ts";
import {
  baseUnitOf,
  countyPcodeColumn,
  exchangeRateColumn,
  marketColumns,
  productColumns,
  settingColumn,
} from "./reference-columns.ts";
import { blocksOf, type Columns, codedColumns, ofRow } from "./table-columns.ts";

/** A series, its latest price in the requested currency. */
export interface SeriesRow extends Omit<SeriesFigures, "latestPrice"> {
  /** Null where the month of the price has no exchange rate. */
  readonly latestPrice: number | null;
  readonly isConverted: boolean;
}

/** A series with its latest price as recorded. @param at Position in `store.series`. */
export function seriesRow(store: Store, at: number): SeriesRow {
  return { ...seriesFigures(store, at), isConverted: false };
}

/**
 * Rows of the table of series.
 *
 * @param positions In `store.series`.
 * @param inDollars True if prices are converted by the rates of their months; the snapshot must have rates.
 */
export function* seriesRows(store: Store, positions: Uint32Array, inDollars: boolean): Generator<SeriesRow[]> {
  const rates = rowRates(store);
  for (const block of blocksOf(positions)) {
    yield block.map((at) => {
      const row = seriesRow(store, at);
      if (!inDollars) return row;
      const rate = rateOf(rates, store.series.currencies[at]!, store.series.newestRows[at]!);
      const inCurrency = (price: number | null): number | null => {
        return price === null || Number.isNaN(rate) ? null : roundFigure(price / rate);
      };
      return {
        ...row,
        latestPrice: inCurrency(row.latestPrice),
        latestPricePerBaseUnit: inCurrency(row.latestPricePerBaseUnit),
        isConverted: true,
      };
    });
  }
}

const ofProduct = codedColumns<SeriesRow>(() => (series) => series.product);
const ofMarket = codedColumns<SeriesRow>(() => (series) => series.market);
const ofUnit = codedColumns<SeriesRow>(() => (series) => series.unit);
/** Converted prices have the code behind those of the store. */
const ofCurrency = codedColumns<SeriesRow>(({ prices: { currencyCodes } }) => ({ currency, isConverted }) => {
  return isConverted ? currencyCodes.length : currency;
});

export const seriesTable: Columns<SeriesRow> = [
  ...productColumns(ofProduct),
  ...marketColumns(ofMarket),
  ofUnit("unit", "text", "Unit in which the prices are recorded.", (unit, { prices }) => prices.unitNames[unit]!),
  ofUnit("base_unit", "text?", "Unit that the unit converts to.", baseUnitOf, {
    answer: { description: "Unit that the unit converts to; null where it is not in /reference/units." },
  }),
  ofCurrency(
    "currency",
    "text",
    "Currency of the prices, ISO 4217.",
    (code, { prices }) => prices.currencyCodes[code] ?? referenceCurrency,
  ),
  ofRow("price_count", "integer", "How many prices the series has.", ({ count }) => count, { unit: "prices" }),
  ofRow("first_recorded_at", "timestamp", "Time of the oldest price, in UTC.", (row) => row.firstRecordedAt),
  ofRow("last_recorded_at", "timestamp", "Time of the newest price, in UTC.", (row) => row.lastRecordedAt),
  ofRow(
    "latest_price",
    "number?",
    "The newest price, in the currency, per unit; null where it is converted and its month has no exchange rate.",
    ({ latestPrice }) => latestPrice,
    // Answers have it as recorded.
    { unit: "`currency` per `unit`", answer: { type: "number", description: "The newest price." } },
  ),
  ofRow(
    "latest_price_per_base_unit",
    "number?",
    "The newest price per base unit, rounded to 6 decimals.",
    ({ latestPricePerBaseUnit }) => latestPricePerBaseUnit,
    {
      unit: "`currency` per `base_unit`",
      isRounded: true,
      answer: { description: "The newest price, rounded to 6 decimals; null where the unit is unknown." },
    },
  ),
  ofRow("longest_gap_days", "integer", "The most days between two neighbouring prices.", (row) => row.longestGapDays, {
    unit: "days",
  }),
  exchangeRateColumn((row) => row.isConverted),
  ofRow(
    "months_with_prices",
    "integer",
    "Kenyan months in which the series has prices.",
    ({ monthsWithPrices }) => monthsWithPrices,
    { unit: "months" },
  ),
  ofRow(
    "longest_gap_months",
    "integer",
    "The most months in a row without a price, between the first and the last month.",
    ({ longestGapMonths }) => longestGapMonths,
    {
      unit: "months",
      answer: {
        description:
          "The most months in a row without a price, between the first and the last month; 0 where none is missing.",
      },
    },
  ),
  ofRow("first_month", "text", "Month of the oldest price, YYYY-MM.", ({ firstMonth }) => firstMonth, {
    answer: { description: "Month of the oldest price, such as 2015-01." },
  }),
  ofRow("last_month", "text", "Month of the newest price, YYYY-MM.", ({ lastMonth }) => lastMonth, {
    answer: { description: "Month of the newest price." },
  }),
  countyPcodeColumn(ofMarket, null),
  settingColumn(ofMarket, null),
];
