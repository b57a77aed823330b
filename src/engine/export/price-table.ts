/** The tables of prices, by row of a store, and of series. */

import { type Instant, instantText } from "../model/calendar.ts";
import { readUuid } from "../model/ids.ts";
import { type CountyRecord, type MarketRecord, type ProductRecord, referenceCurrency } from "../model/records.ts";
import { missingCode } from "../model/shared-columns.ts";
import { marketTypes, priceFlags } from "../model/vocabulary.ts";
import { pricePerBaseUnit, type SeriesFigures, seriesFigures } from "../query/find-series.ts";
import { countyRecord, recordAt } from "../store/catalogue.ts";
import type { CodeColumn } from "../store/columns.ts";
import { roundFigure } from "../store/figures.ts";
import { rateOf, rateSourcesOf, rowRates } from "../store/price-conversion.ts";
import { textOf } from "../store/shared-texts.ts";
import type { Store } from "../store/store.ts";
import { isSuspicious, suspiciousReasonOf, suspiciousReasons } from "../store/suspicious-prices.ts";
import { blocksOf, type Column, type ColumnMaker, type Columns, codedColumns, noUnit, ofRow } from "./export-table.ts";

// The store guarantees that every row has a code, and every code its record or text.

const ofProduct = codedByRow(({ prices }) => prices.products);
const ofMarket = codedByRow(({ prices }) => prices.markets);
const ofUnit = codedByRow(({ prices }) => prices.units);
const ofCurrency = codedByRow(({ prices }) => prices.currencies);
const ofDay = codedByRow(({ periods }) => periods.dayCodes);
const ofSource = codedByRow(({ prices }) => prices.sources);
const ofGrade = codedByRow(({ prices }) => prices.grades);
const ofFlag = codedByRow(({ prices }) => prices.flags);

/** Prices, by row. */
export const priceTable: Columns<number> = [
  ofRow("uuid", "uuid", "Identifier of the price.", (row, { prices }) => readUuid(prices.uuids, row)),
  ofDay(
    "date",
    "date",
    "Day on which the price was recorded, in Kenya.",
    (day, { periods }) => periods.day.labels[day]!,
  ),
  ofRow("recorded_at", "timestamp", "Time at which the price was recorded, in UTC.", (row, { prices }) =>
    instantText(prices.recordedAt[row] as Instant),
  ),
  ...productColumns(ofProduct),
  ofProduct("category", "text", "Category of the product.", (product, store) => productOf(product, store).category),
  ...marketColumns(ofMarket),
  ofRow(
    "price",
    "number",
    "Price as recorded, in the currency, per unit.",
    (row, { prices }) => prices.prices[row]!,
    "`currency` per `unit`",
  ),
  ofCurrency("currency", "text", "Currency of the price, ISO 4217.", (code, { prices }) => prices.currencyCodes[code]!),
  ofUnit("unit", "text", "Unit in which the price was recorded.", (unit, { prices }) => prices.unitNames[unit]!),
  ofRow(
    "price_per_base_unit",
    "number?",
    "Price per base unit, rounded to 6 decimals.",
    (row, store) => roundedOrNull(pricePerBaseUnit(store, row)),
    "`currency` per `base_unit`",
  ),
  ofUnit("base_unit", "text?", "Unit that the unit converts to, such as kg for a 90 kg bag.", baseUnitOf),
  ofSource("source", "text", "Who recorded the price.", (source, { prices }) => prices.sourceNames[source]!),
  ofGrade("quality_grade", "text?", "Grade of the goods, where it was recorded.", (grade, { prices }) =>
    grade === missingCode(prices.grades) ? null : prices.gradeNames[grade]!,
  ),
  ofRow("notes", "text?", "Remarks of the source.", (row, { prices: { notes, noteTexts } }) =>
    notes[row] === missingCode(notes) ? null : textOf(noteTexts, notes[row]!),
  ),
  ofFlag(
    "price_flag",
    "text?",
    "What the source says of how the price was made: actual, aggregate, actual_aggregate or forecast.",
    (flag, { prices }) => (flag === missingCode(prices.flags) ? null : prices.flagNames[flag]!),
    priceFlags,
  ),
  ofRow(
    "suspicious",
    "boolean",
    "Whether the price looks wrong beside its neighbours, by the rule suspicious-1.",
    (row, { suspicious }) => isSuspicious(suspicious, row),
  ),
  ofRow(
    "suspicious_reason",
    "text?",
    "Why it looks wrong: decimal_slip (10 or 100 times too high or too low) or far.",
    (row, { suspicious }) => suspiciousReasonOf(suspicious, row),
    suspiciousReasons,
  ),
  countyPcodeColumn(ofMarket),
];

/** A series, its latest price in the requested currency. */
export interface SeriesRow extends Omit<SeriesFigures, "currency" | "latestPrice"> {
  readonly currency: string;
  /** Null where the month of the price has no exchange rate. */
  readonly latestPrice: number | null;
  readonly isConverted: boolean;
}

/**
 * Rows of the table of series.
 *
 * @param positions In `store.series`.
 * @param inDollars Whether prices are converted by the rates of their months; the snapshot must have rates.
 */
export function* seriesRows(store: Store, positions: Uint32Array, inDollars: boolean): Generator<SeriesRow[]> {
  const { prices, series } = store;
  const rates = rowRates(store);
  for (const block of blocksOf(positions)) {
    yield block.map((at) => {
      const figures = seriesFigures(store, at);
      const recorded = prices.currencyCodes[figures.currency]!;
      if (!inDollars) return { ...figures, currency: recorded, isConverted: false };
      const rate = rateOf(rates, figures.currency, series.newestRows[at]!);
      const inCurrency = (price: number | null): number | null => {
        return price === null || Number.isNaN(rate) ? null : roundFigure(price / rate);
      };
      return {
        ...figures,
        currency: referenceCurrency,
        latestPrice: inCurrency(figures.latestPrice),
        latestPricePerBaseUnit: inCurrency(figures.latestPricePerBaseUnit),
        isConverted: true,
      };
    });
  }
}

const ofProductOfSeries = codedColumns<SeriesRow>(() => (series) => series.product);
const ofMarketOfSeries = codedColumns<SeriesRow>(() => (series) => series.market);

/** Series. */
export const seriesTable: Columns<SeriesRow> = [
  ...productColumns(ofProductOfSeries),
  ...marketColumns(ofMarketOfSeries),
  ofRow("unit", "text", "Unit in which the prices are recorded.", (row, { prices }) => prices.unitNames[row.unit]!),
  ofRow("base_unit", "text?", "Unit that the unit converts to.", (row, store) => baseUnitOf(row.unit, store)),
  ofRow("currency", "text", "Currency of the prices, ISO 4217.", (row) => row.currency),
  ofRow("price_count", "integer", "How many prices the series has.", (row) => row.count, "prices"),
  ofRow("first_recorded_at", "timestamp", "Time of the oldest price, in UTC.", (row) =>
    instantText(row.firstRecordedAt),
  ),
  ofRow("last_recorded_at", "timestamp", "Time of the newest price, in UTC.", (row) => instantText(row.lastRecordedAt)),
  ofRow(
    "latest_price",
    "number?",
    "The newest price, in the currency, per unit; null where it is converted and its month has no exchange rate.",
    (row) => row.latestPrice,
    "`currency` per `unit`",
  ),
  ofRow(
    "latest_price_per_base_unit",
    "number?",
    "The newest price per base unit, rounded to 6 decimals.",
    (row) => roundedOrNull(row.latestPricePerBaseUnit),
    "`currency` per `base_unit`",
  ),
  ofRow(
    "longest_gap_days",
    "integer",
    "The most days between two neighbouring prices.",
    (row) => row.longestGapDays,
    "days",
  ),
  exchangeRateColumn((row) => row.isConverted),
  ofRow(
    "months_with_prices",
    "integer",
    "Kenyan months in which the series has prices.",
    (row) => row.monthsWithPrices,
    "months",
  ),
  ofRow(
    "longest_gap_months",
    "integer",
    "The most months in a row without a price, between the first and the last month.",
    (row) => row.longestGapMonths,
    "months",
  ),
  ofRow("first_month", "text", "Month of the oldest price, YYYY-MM.", (row) => row.firstMonth),
  ofRow("last_month", "text", "Month of the newest price, YYYY-MM.", (row) => row.lastMonth),
  countyPcodeColumn(ofMarketOfSeries),
];

/** The column that says by whose rates the figures of a row were converted. */
export function exchangeRateColumn<Row>(isConverted: (row: Row) => boolean): Column<Row> {
  return codedColumns<Row>(() => (row) => Number(isConverted(row)))(
    "exchange_rate_source",
    "text?",
    "Where the monthly exchange rates come from that prices were converted with; null where none was.",
    (code, { catalogue }) => (code === 1 ? rateSourcesOf(catalogue).join("; ") : null),
  );
}

/** Makes columns of prices from a column of codes. */
function codedByRow(codesOf: (store: Store) => CodeColumn): ColumnMaker<number, number> {
  return codedColumns((store) => {
    const codes = codesOf(store);
    return (row) => codes[row]!;
  });
}

function productColumns<Row>(coded: ColumnMaker<Row, number>): Column<Row>[] {
  return [
    coded("product", "text", "Name of the product.", (product, store) => productOf(product, store).name),
    coded("product_uuid", "uuid", "Identifier of the product.", (product, store) => productOf(product, store).uuid),
  ];
}

function marketColumns<Row>(coded: ColumnMaker<Row, number>): Column<Row>[] {
  return [
    coded("market", "text", "Name of the market.", (market, store) => marketOf(market, store).name),
    coded("market_uuid", "uuid", "Identifier of the market.", (market, store) => marketOf(market, store).uuid),
    coded(
      "market_type",
      "text",
      "Type of the market: Wholesale, Retail, Rural or Urban.",
      (market, store) => marketOf(market, store).type,
      marketTypes,
    ),
    coded("county", "text", "Name of the market's county.", (market, store) => countyOf(market, store).name),
    coded(
      "county_id",
      "integer",
      "Number of the market's county, 1 to 47.",
      (market, store) => countyOf(market, store).id,
      noUnit,
    ),
  ];
}

function countyPcodeColumn<Row>(coded: ColumnMaker<Row, number>): Column<Row> {
  const description = "P-code of the market's county, as humanitarian data has it.";
  return coded("county_pcode", "text?", description, (market, store) => countyOf(market, store).pcode);
}

function productOf(product: number, { catalogue }: Store): ProductRecord {
  return recordAt(catalogue.products, product);
}

function marketOf(market: number, { catalogue }: Store): MarketRecord {
  return recordAt(catalogue.markets, market);
}

function countyOf(market: number, store: Store): CountyRecord {
  return countyRecord(store.catalogue, marketOf(market, store).countyId);
}

function baseUnitOf(unit: number, { catalogue, prices }: Store): string | null {
  return catalogue.units.get(prices.unitNames[unit]!)?.baseUnit ?? null;
}

function roundedOrNull(figure: number | null): number | null {
  return figure === null ? null : roundFigure(figure);
}
