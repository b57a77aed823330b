/** The tables of prices, by row of a store, and of series. */
import { type Instant, instantText } from "../domain/instant.ts";
import { type CountyRecord, type MarketRecord, type ProductRecord, referenceCurrency } from "../domain/records.ts";
import { roundFigure } from "../domain/round-figure.ts";
import { missingCode } from "../domain/shared-columns.ts";
import { readUuid } from "../domain/uuid-words.ts";
import { marketTypes, priceFlags } from "../domain/vocabulary.ts";
import { type SeriesFigures, seriesFigures } from "../query/find-series.ts";
import { countyRecord, recordAt } from "../store/catalogue.ts";
import type { CodeColumn } from "../store/columns.ts";
import { rateOf, rowRates } from "../store/exchange-rates.ts";
import { textOf } from "../store/shared-texts.ts";
import type { Store } from "../store/store.ts";
import { isSuspicious, suspiciousReasonOf, suspiciousReasons } from "../store/suspicious-prices.ts";
import { exchangeRateColumn } from "./exchange-rate-column.ts";
import { blocksOf, type Column, type Columns, codedColumns, column, noUnit, ofRow, oneOf } from "./table.ts";

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
  ofDay("date", "date", "Day on which the price was recorded, in Kenya.", ({ periods }, code) => {
    return periods.day.labels[code]!;
  }),
  ofRow("recorded_at", "timestamp", "Time at which the price was recorded, in UTC.", (row, { prices }) => {
    return instantText(prices.recordedAt[row] as Instant);
  }),
  ...productColumns(ofProduct),
  ofProduct("category", "text", "Category of the product.", (store, code) => productOf(store, code).category),
  ...marketColumns(ofMarket),
  ofRow(
    "price",
    "number",
    "Price as recorded, in the currency, per unit.",
    (row, { prices }) => prices.prices[row]!,
    "`currency` per `unit`",
  ),
  ofCurrency("currency", "text", "Currency of the price, ISO 4217.", ({ prices }, code) => prices.currencyCodes[code]!),
  ofUnit("unit", "text", "Unit in which the price was recorded.", ({ prices }, code) => prices.unitNames[code]!),
  column(
    "price_per_base_unit",
    "number?",
    "Price per base unit, rounded to 6 decimals.",
    ({ prices: { prices, units, unitNames }, catalogue }) => {
      const factors = unitNames.map((name) => catalogue.units.get(name)?.conversionFactor);
      return (row) => {
        const factor = factors[units[row]!];
        return factor === undefined ? null : roundFigure(prices[row]! / factor);
      };
    },
    "`currency` per `base_unit`",
  ),
  ofUnit("base_unit", "text?", "Unit that the unit converts to, such as kg for a 90 kg bag.", baseUnitOf),
  ofSource("source", "text", "Who recorded the price.", ({ prices }, code) => prices.sourceNames[code]!),
  ofGrade("quality_grade", "text?", "Grade of the goods, where it was recorded.", ({ prices }, code) => {
    return code === missingCode(prices.grades) ? null : prices.gradeNames[code]!;
  }),
  column("notes", "text?", "Remarks of the source.", ({ prices: { notes, noteTexts } }) => {
    const missing = missingCode(notes);
    return (row) => (notes[row] === missing ? null : textOf(noteTexts, notes[row]!));
  }),
  oneOf(
    priceFlags,
    ofFlag(
      "price_flag",
      "text?",
      "What the source says of how the price was made: actual, aggregate, actual_aggregate or forecast.",
      ({ prices }, code) => (code === missingCode(prices.flags) ? null : prices.flagNames[code]!),
    ),
  ),
  ofRow(
    "suspicious",
    "boolean",
    "Whether the price looks wrong beside its neighbours, by the rule suspicious-1.",
    (row, { suspicious }) => isSuspicious(suspicious, row),
  ),
  oneOf(
    suspiciousReasons,
    ofRow(
      "suspicious_reason",
      "text?",
      "Why it looks wrong: decimal_slip (10 or 100 times too high or too low) or far.",
      (row, { suspicious }) => suspiciousReasonOf(suspicious, row),
    ),
  ),
  countyPcodeColumn(ofMarket),
];

/** A series, its latest price in the currency asked for. */
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
  ofRow(
    "unit",
    "text",
    "Unit in which the prices are recorded.",
    (series, { prices }) => prices.unitNames[series.unit]!,
  ),
  ofRow("base_unit", "text?", "Unit that the unit converts to.", (series, store) => baseUnitOf(store, series.unit)),
  ofRow("currency", "text", "Currency of the prices, ISO 4217.", ({ currency }) => currency),
  ofRow("price_count", "integer", "How many prices the series has.", ({ count }) => count, "prices"),
  ofRow("first_recorded_at", "timestamp", "Time of the oldest price, in UTC.", ({ firstRecordedAt }) => {
    return instantText(firstRecordedAt);
  }),
  ofRow("last_recorded_at", "timestamp", "Time of the newest price, in UTC.", ({ lastRecordedAt }) => {
    return instantText(lastRecordedAt);
  }),
  ofRow(
    "latest_price",
    "number?",
    "The newest price, in the currency, per unit; null where it is converted and its month has no exchange rate.",
    ({ latestPrice }) => latestPrice,
    "`currency` per `unit`",
  ),
  ofRow(
    "latest_price_per_base_unit",
    "number?",
    "The newest price per base unit, rounded to 6 decimals.",
    ({ latestPricePerBaseUnit: price }) => (price === null ? null : roundFigure(price)),
    "`currency` per `base_unit`",
  ),
  ofRow(
    "longest_gap_days",
    "integer",
    "The most days between two neighbouring prices.",
    ({ longestGapDays }) => longestGapDays,
    "days",
  ),
  exchangeRateColumn(({ isConverted }) => isConverted),
  ofRow(
    "months_with_prices",
    "integer",
    "Kenyan months in which the series has prices.",
    ({ monthsWithPrices }) => monthsWithPrices,
    "months",
  ),
  ofRow(
    "longest_gap_months",
    "integer",
    "The most months in a row without a price, between the first and the last month.",
    ({ longestGapMonths }) => longestGapMonths,
    "months",
  ),
  ofRow("first_month", "text", "Month of the oldest price, YYYY-MM.", ({ firstMonth }) => firstMonth),
  ofRow("last_month", "text", "Month of the newest price, YYYY-MM.", ({ lastMonth }) => lastMonth),
  countyPcodeColumn(ofMarketOfSeries),
];

type Coded<Row> = ReturnType<typeof codedColumns<Row>>;

/** Makes columns of prices from a column of codes. */
function codedByRow(codesOf: (store: Store) => CodeColumn): Coded<number> {
  return codedColumns((store) => {
    const codes = codesOf(store);
    return (row) => codes[row]!;
  });
}

function productColumns<Row>(coded: Coded<Row>): Column<Row>[] {
  return [
    coded("product", "text", "Name of the product.", (store, code) => productOf(store, code).name),
    coded("product_uuid", "uuid", "Identifier of the product.", (store, code) => productOf(store, code).uuid),
  ];
}

function marketColumns<Row>(coded: Coded<Row>): Column<Row>[] {
  return [
    coded("market", "text", "Name of the market.", (store, code) => marketOf(store, code).name),
    coded("market_uuid", "uuid", "Identifier of the market.", (store, code) => marketOf(store, code).uuid),
    oneOf(
      marketTypes,
      coded("market_type", "text", "Type of the market: Wholesale, Retail, Rural or Urban.", (store, code) => {
        return marketOf(store, code).type;
      }),
    ),
    coded("county", "text", "Name of the market's county.", (store, code) => countyOf(store, code).name),
    coded(
      "county_id",
      "integer",
      "Number of the market's county, 1 to 47.",
      (store, code) => countyOf(store, code).id,
      noUnit,
    ),
  ];
}

function countyPcodeColumn<Row>(coded: Coded<Row>): Column<Row> {
  return coded(
    "county_pcode",
    "text?",
    "P-code of the market's county, as humanitarian data has it.",
    (store, code) => {
      return countyOf(store, code).pcode;
    },
  );
}

function productOf({ catalogue }: Store, code: number): ProductRecord {
  return recordAt(catalogue.products, code);
}

function marketOf({ catalogue }: Store, code: number): MarketRecord {
  return recordAt(catalogue.markets, code);
}

function countyOf(store: Store, market: number): CountyRecord {
  return countyRecord(store.catalogue, marketOf(store, market).countyId);
}

function baseUnitOf({ catalogue, prices }: Store, unit: number): string | null {
  return catalogue.units.get(prices.unitNames[unit]!)?.baseUnit ?? null;
}
