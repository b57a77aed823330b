/** Statistics as a table: one row a product and group, in panels also one a market or county. */
import { type MonthRange, monthOf, monthText } from "../model/calendar.ts";
import type { CountyId } from "../model/ids.ts";
import { noUnit } from "../model/json-schema.ts";
import type { CountyRecord, MarketRecord, ProductRecord } from "../model/records.ts";
import {
  type Grouping,
  type PanelGrouping,
  type Population,
  splitGrouping,
  type TimeGrouping,
} from "../model/vocabulary.ts";
import { listGroups } from "../query/found-groups.ts";
import type { Coverage } from "../query/group-coverage.ts";
import {
  type NotConvertible,
  namedTypeCounts,
  priceStatistics,
  type StatisticsAnswer,
  statisticsMonths,
} from "../query/price-statistics.ts";
import type { PriceStatistics, ProductList } from "../query/questions.ts";
import { markMarkets, selectMarkets, selectProducts } from "../query/select.ts";
import { countyRecord, recordAt } from "../store/catalogue.ts";
import type { Group } from "../store/figures.ts";
import type { Store } from "../store/store.ts";
import { exchangeRateColumn, populationColumn } from "./reference-columns.ts";
import { blocksOf, type Column, type Columns, ofPart, ofRow, withEmptyBlocks } from "./table-columns.ts";

/** A group of the statistics of a product, in a panel of the product in a county or at a market. */
export interface StatisticsRow extends CoveredFigures {
  readonly grouping: Grouping | PanelGrouping;
  /** The grouping of the period; undefined where rows are grouped by location alone. */
  readonly time: TimeGrouping | undefined;
  readonly market: MarketRecord | null;
  readonly county: CountyRecord | null;
  readonly answer: StatisticsAnswer;
  readonly group: Group;
  readonly refugeeCamps: Population;
}

/** The figures of a group with what stands behind them. */
export interface CoveredFigures {
  readonly coverage: Coverage;
}

/** Statistics of several products, or of all. */
export interface StatisticsSelection
  extends Omit<PriceStatistics, "productUuid" | "grouping" | "coverageWithin" | "countsMonths">,
    ProductList {
  readonly grouping: Grouping | PanelGrouping;
}

/** A product that cannot be answered in the requested unit or currency. */
export interface NotConvertibleProduct extends NotConvertible {
  readonly product: string;
}

/** Finds the first product that cannot be answered in the requested unit or currency; undefined where each can. */
export function findNotConvertible(store: Store, selection: StatisticsSelection): NotConvertibleProduct | undefined {
  if (selection.unit === undefined && selection.currency === undefined) return undefined;
  for (const code of selectProducts(store, selection.productUuids)) {
    const { uuid: productUuid, name } = recordAt(store.catalogue.products, code);
    // Every grouping of a product has the same units and currencies.
    const work = priceStatistics(store, { ...selection, grouping: "month", productUuid });
    if ("allowed" in work) return { product: name, ...work };
  }
  return undefined;
}

/**
 * The rows of a selection: by product (folded name, then uuid), in a panel also by market or county (folded name, then
 * uuid or id), then groups in the order of the statistics of a product.
 */
export function* statisticsRows(store: Store, selection: StatisticsSelection): Generator<readonly StatisticsRow[]> {
  const { catalogue } = store;
  const { grouping, refugeeCamps = "include" } = selection;
  const { time } = splitGrouping(grouping);
  const coverageWithin = yield* monthsAskedFor(store, selection);
  for (const question of questionsOf(store, selection)) {
    // A panel has tens of thousands of questions, all of which may be without rows.
    yield [];
    const work = priceStatistics(store, { ...question, coverageWithin });
    if ("problem" in work) continue;
    const answer = yield* withEmptyBlocks(work);
    const rowOf = (group: Group): StatisticsRow => {
      const market = question.grouping === "market" ? recordAt(catalogue.markets, group.key) : question.market;
      const countyId = question.grouping === "county" ? (group.key as CountyId) : (market?.countyId ?? question.county);
      const county = countyId === undefined ? null : countyRecord(catalogue, countyId);
      const coverage = answer.coverage!.get(group.key)!;
      return { grouping, time, market: market ?? null, county, answer, group, coverage, refugeeCamps };
    };
    yield* blocksOf(listGroups(answer.found).map(rowOf));
  }
}

/**
 * The months of the days of a selection; where one of these is not given, from the first or to the last month of all
 * rows.
 *
 * Cost: where both days are given none, otherwise the segments of every question.
 */
function* monthsAskedFor(store: Store, selection: StatisticsSelection): Generator<readonly never[], MonthRange> {
  const { dayFirst, dayLast } = selection;
  let [first, last] = [Infinity, -Infinity];
  if (dayFirst === undefined || dayLast === undefined) {
    for (const question of questionsOf(store, selection)) {
      yield [];
      const found = yield* withEmptyBlocks(statisticsMonths(store, question));
      if (found === undefined) continue;
      first = Math.min(first, found.first);
      last = Math.max(last, found.last);
    }
  }
  return {
    first: dayFirst === undefined ? first : monthOf(dayFirst),
    last: dayLast === undefined ? last : monthOf(dayLast),
  };
}

/** A question whose groups are rows; of a panel, the market or county that all of them are of. */
interface RowsQuestion extends PriceStatistics {
  readonly market?: MarketRecord;
  readonly county?: CountyId;
}

/** Yields a question for each product; of a panel one for each market or county where the product has prices. */
function* questionsOf(store: Store, selection: StatisticsSelection): Generator<RowsQuestion> {
  const { catalogue, runs } = store;
  const { grouping } = selection;
  const { time, location } = splitGrouping(grouping);
  const isWanted = markMarkets(catalogue, selectMarkets(catalogue, selection));
  for (const code of selectProducts(store, selection.productUuids)) {
    const { uuid: productUuid } = recordAt(catalogue.products, code);
    if (time === undefined || location === undefined) {
      yield { ...selection, grouping: grouping as Grouping, productUuid };
      continue;
    }
    const ofPanel = { ...selection, grouping: time, productUuid, countyIds: undefined };
    const markets = runs.markets.subarray(runs.runOffsets[code], runs.runOffsets[code + 1]);
    const found = new Set(markets.filter((market) => isWanted[market] === 1));
    if (location === "market") {
      for (const key of catalogue.marketsByName) {
        if (!found.has(key)) continue;
        const market = recordAt(catalogue.markets, key);
        yield { ...ofPanel, marketUuids: undefined, marketUuid: market.uuid, market };
      }
    } else {
      const counties = new Set(Array.from(found, (market) => catalogue.marketCounties[market]));
      for (const county of catalogue.countiesByName) {
        if (counties.has(county)) yield { ...ofPanel, countyId: county, county };
      }
    }
  }
}

/** The figures of a group, in a row of an answer as well. */
export const groupColumns: Columns<Group> = [
  figure(
    "average_price",
    "Arithmetic mean of the prices",
    ({ mean }) => mean,
    "Arithmetic mean of the prices, rounded to 6 decimals.",
  ),
  figure("min_price", "Least price", ({ min }) => min, "Least price."),
  figure("max_price", "Greatest price", ({ max }) => max, "Greatest price."),
  figure(
    "median_price",
    "Median of the prices",
    ({ median }) => median,
    "Median of the prices; of an even count the mean of the two middle ones.",
  ),
  ofRow("sample_count", "integer", "How many prices the figures are of.", ({ count }) => count, {
    unit: "prices",
    answer: { description: "Prices in the figures." },
  }),
  figure(
    "std_deviation",
    "Sample standard deviation (n - 1) of the prices",
    ({ deviation }) => deviation,
    "Sample standard deviation (n − 1); 0 for one price.",
  ),
];

/** What stands behind the figures of a group, in a row of an answer as well. */
export const coverageColumns: Columns<CoveredFigures> = [
  ofRow(
    "months_with_prices",
    "integer",
    "Calendar months with a price in the figures.",
    ({ coverage }) => coverage.monthsWithPrices,
    { unit: "months" },
  ),
  ofRow(
    "months_in_period",
    "integer",
    "Calendar months of the group from `start_date` to `end_date`; without one of these from the first or to the " +
      "last month of the export.",
    ({ coverage }) => coverage.monthsInPeriod,
    { unit: "months", answer: { description: "Calendar months of the group from `start_date` to `end_date`." } },
  ),
  ofRow("first_month", "text", "First month with a price in the figures, YYYY-MM.", ({ coverage }) => {
    return monthText(coverage.months.first);
  }),
  ofRow("last_month", "text", "Last month with a price in the figures, YYYY-MM.", ({ coverage }) => {
    return monthText(coverage.months.last);
  }),
  ofRow("markets", "integer", "Markets with a price in the figures.", ({ coverage }) => coverage.markets, {
    unit: "markets",
  }),
  ofRow(
    "refugee_camp_markets",
    "integer",
    "Those of `markets` that are in refugee camps.",
    ({ coverage }) => coverage.campMarkets,
    { unit: "markets" },
  ),
];

const byLocation = "by market or county only.";

export const statisticsTable: Columns<StatisticsRow> = [
  ofRow("product_uuid", "uuid", "Identifier of the product.", (row, store) => productOf(row, store).uuid),
  ofRow("product", "text", "Name of the product.", (row, store) => productOf(row, store).name),
  ofRow("unit", "text", "Unit of the figures.", ({ answer }) => answer.unit),
  ofRow("currency", "text", "Currency of the figures, ISO 4217.", ({ answer }) => answer.currency),
  ofRow(
    "group_by",
    "text",
    "How prices are grouped: day, week, month, quarter, year, market or county; month,county and so on in a panel.",
    ({ grouping }) => grouping,
  ),
  ofRow(
    "period",
    "text",
    "2026-01-31, 2026-W05, 2026-01, 2026-Q1 or 2026; the name of the market or county where grouped by it alone.",
    periodOf,
  ),
  ofRow("market_uuid", "uuid?", "Identifier of the market, by market only.", ({ market }) => market?.uuid ?? null),
  ofRow("market", "text?", "Name of the market, by market only.", ({ market }) => market?.name ?? null),
  ofRow("county_id", "integer?", `Number of the county, ${byLocation}`, ({ county }) => county?.id ?? null, {
    unit: noUnit,
  }),
  ofRow("county", "text?", `Name of the county, ${byLocation}`, ({ county }) => county?.name ?? null),
  ...groupColumns.map((column) => ofPart(column, ({ group }: StatisticsRow) => group)),
  samplesThere(
    "converted_samples",
    "in the figures that were recorded in another unit",
    (answer) => answer.convertedSamples,
  ),
  samplesThere(
    "excluded_samples",
    "left out for their unit, currency or exchange rate",
    (answer) => answer.excludedSamples,
  ),
  ofRow("market_types", "type_counts", "The prices of `sample_count` by type of market.", ({ group }) =>
    namedTypeCounts(group.byType),
  ),
  ofRow(
    "suspicious_samples",
    "integer",
    "Suspicious prices of the product (in a panel: there) in the figures.",
    ({ answer }) => answer.suspiciousSamples,
    { unit: "prices" },
  ),
  samplesThere(
    "samples_without_rate",
    "left out because their month has no exchange rate",
    (answer) => answer.missingRates.count,
  ),
  exchangeRateColumn(({ answer }) => answer.isConverted),
  ofRow("county_pcode", "text?", `P-code of the county, ${byLocation}`, ({ county }) => county?.pcode ?? null),
  ...coverageColumns,
  ofRow(
    "refugee_camp_samples",
    "integer",
    "Prices of refugee camps of the product (in a panel: there) in the figures.",
    ({ answer }) => answer.campSamples,
    { unit: "prices" },
  ),
  populationColumn(({ refugeeCamps }) => refugeeCamps),
];

function productOf({ answer }: StatisticsRow, { catalogue }: Store): ProductRecord {
  return recordAt(catalogue.products, answer.product);
}

function periodOf({ time, market, county, group }: StatisticsRow, { periods }: Store): string {
  return time === undefined ? (market ?? county!).name : periods[time].labels[group.key]!;
}

function figure(name: string, description: string, cellOf: (group: Group) => number, inAnswers: string): Column<Group> {
  return ofRow(name, "number", `${description}, in the currency, per unit, rounded to 6 decimals.`, cellOf, {
    unit: "`currency` per `unit`",
    isRounded: true,
    answer: { description: inAnswers, unit: "`meta.currency` per `product.unit`" },
  });
}

function samplesThere(
  name: string,
  description: string,
  countOf: (answer: StatisticsAnswer) => number,
): Column<StatisticsRow> {
  const prices = `Prices of the product (in a panel: there) ${description}.`;
  return ofRow(name, "integer", prices, ({ answer }) => countOf(answer), { unit: "prices" });
}
