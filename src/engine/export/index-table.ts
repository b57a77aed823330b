/** Comparable prices as a table: one row a fit and month. A fit is of a product at a type of market in an area. */

import { monthText } from "../model/calendar.ts";
import type { CountyId } from "../model/ids.ts";
import { noUnit } from "../model/json-schema.ts";
import { type MarketType, marketTypes, type Population } from "../model/vocabulary.ts";
import { type IndexAnswer, type IndexMonth, type IndexOptions, readIndex } from "../query/measures/find-index.ts";
import { comparableMethod } from "../query/measures/fit-comparable.ts";
import { MonthlyPanel } from "../query/measures/monthly-panel.ts";
import { type AnomalySubject, type AreaLevel, subjectsAt } from "../query/measures/subjects.ts";
import { statisticsTarget } from "../query/price-statistics.ts";
import type { MarketConditions, MarketLists, ProductList } from "../query/questions.ts";
import { selectProducts } from "../query/select.ts";
import { recordAt } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { countyOf } from "./anomaly-table.ts";
import { exchangeRateColumn, populationColumn, productOf } from "./reference-columns.ts";
import type { NotConvertibleProduct } from "./statistics-table.ts";
import { blocksOf, type Column, type Columns, ofPart, ofRow, withEmptyBlocks } from "./table-columns.ts";

/** The fits of several products, or of all: of each type of market, or of one, in the country or in counties. */
export interface IndexSelection
  extends IndexOptions,
    ProductList,
    Pick<MarketConditions, "marketType" | "countyId" | "refugeeCamps">,
    Pick<MarketLists, "countyIds"> {
  readonly level: AreaLevel;
}

/** A month of a fit. */
export interface IndexRow {
  readonly refugeeCamps: Population;
  readonly subject: AnomalySubject;
  readonly answer: IndexAnswer;
  readonly entry: IndexMonth;
}

/**
 * The rows of a selection: by product (folded name, then uuid), county (folded name) and type of market, then by month.
 *
 * @returns The first product that cannot be answered in the requested unit or currency, if there is one.
 */
export function indexRows(
  store: Store,
  selection: IndexSelection,
): Generator<readonly IndexRow[]> | NotConvertibleProduct {
  const { catalogue } = store;
  const products = selectProducts(store, selection.productUuids);
  for (const product of products) {
    const target = statisticsTarget(store, product, selection);
    if ("problem" in target) return { product: recordAt(catalogue.products, product).name, ...target };
  }
  return rowsOf(store, selection, products);
}

function* rowsOf(store: Store, selection: IndexSelection, products: Iterable<number>): Generator<readonly IndexRow[]> {
  const { level, marketType, countyId, countyIds, refugeeCamps = "include" } = selection;
  const counties = countyIds ?? (countyId === undefined ? undefined : [countyId]);
  const isMet = (subject: AnomalySubject): boolean =>
    (marketType === undefined || marketTypes[subject.marketType] === marketType) &&
    (counties === undefined || counties.includes(subject.countyId as CountyId));
  const panel = new MonthlyPanel(store);
  const subjectsOf = subjectsAt(store, level, { refugeeCamps });
  for (const product of products) {
    const target = statisticsTarget(store, product, selection);
    if ("problem" in target) continue;
    for (const { subject, runs } of subjectsOf(product)) {
      if (!isMet(subject)) continue;
      const answer = yield* withEmptyBlocks(readIndex(panel, product, runs, target, selection));
      yield* blocksOf(answer.months.map((entry) => ({ refugeeCamps, subject, answer, entry })));
    }
  }
}

const campMarketsColumn: Column<IndexMonth> = ofRow(
  "refugee_camp_markets",
  "integer",
  "Those of `markets` that are in refugee camps.",
  ({ campMarkets }) => campMarkets,
  { unit: "markets" },
);

const monthColumns: Columns<IndexMonth> = [
  ofRow("month", "text", "Kenyan month, YYYY-MM.", ({ month }) => monthText(month)),
  priceColumn(
    "comparable_price",
    "Price of the month at comparable markets, by the method `comparable-1`, rounded to 6 decimals.",
    ({ comparablePrice }) => comparablePrice,
  ),
  ofRow(
    "index",
    "number?",
    "The comparable price in percent of that of `base`; null without one, in components other than that of the base, " +
      "and where the fit has no value in it.",
    ({ index }) => index,
    { unit: "percent", isRounded: true },
  ),
  priceColumn(
    "median_price",
    "Median of all prices of the month that are not suspicious, rounded to 6 decimals.",
    ({ median }) => median,
  ),
  ofRow("markets", "integer", "Markets with a value in the month.", ({ markets }) => markets, { unit: "markets" }),
  ofRow("sample_count", "integer", "Prices of the month that are not suspicious.", ({ sampleCount }) => sampleCount, {
    unit: "prices",
  }),
  ofRow(
    "component",
    "integer",
    "Number of the months and markets that values join, from 1: those with most values first. Levels of two " +
      "components do not compare.",
    ({ component }) => component,
    { unit: noUnit },
  ),
];

/** The columns of a month in an answer. */
export const indexColumns: Columns<IndexMonth> = [...monthColumns, campMarketsColumn];

const entryOf = ({ entry }: IndexRow): IndexMonth => entry;

export const indexTable: Columns<IndexRow> = [
  ofRow(
    "product_uuid",
    "uuid",
    "Identifier of the product.",
    ({ subject }, store) => productOf(subject.product, store).uuid,
  ),
  ofRow("product", "text", "Name of the product.", ({ subject }, store) => productOf(subject.product, store).name),
  ofRow("county_id", "integer?", "Number of the county, by county only.", ({ subject }) => subject.countyId ?? null, {
    unit: noUnit,
  }),
  ofRow(
    "county",
    "text?",
    "Name of the county, by county only.",
    ({ subject }, store) => countyOf(subject, store)?.name ?? null,
  ),
  ofRow("market_type", "text", "Type of the markets.", ({ subject }) => marketTypes[subject.marketType] as MarketType, {
    values: marketTypes,
  }),
  ofRow("unit", "text", "Unit of the prices.", ({ answer }) => answer.unit),
  ofRow("currency", "text", "Currency of the prices, ISO 4217.", ({ answer }) => answer.currency),
  ...monthColumns.map((column) => ofPart(column, entryOf)),
  ofRow("market_count", "integer", "Markets of the whole fit.", ({ answer }) => answer.marketCount, {
    unit: "markets",
  }),
  ofRow(
    "residual_deviation_percent",
    "number?",
    "How far values are from the whole fit, typically: 100 × (exp(s) − 1), s the residual deviation.",
    ({ answer }) => answer.residualDeviationPercent,
    { unit: "percent", isRounded: true },
  ),
  ofRow("method", "text", "Version of the method.", () => comparableMethod),
  exchangeRateColumn(({ answer }) => answer.isConverted),
  ofRow(
    "county_pcode",
    "text?",
    "P-code of the county, by county only.",
    ({ subject }, store) => countyOf(subject, store)?.pcode ?? null,
  ),
  ofPart(campMarketsColumn, entryOf),
  populationColumn(({ refugeeCamps }) => refugeeCamps),
];

function priceColumn(name: string, description: string, cellOf: (entry: IndexMonth) => number): Column<IndexMonth> {
  return ofRow(name, "number", description, cellOf, {
    unit: "`currency` per `unit`",
    isRounded: true,
    answer: { unit: "`meta.currency` per `meta.unit`" },
  });
}
