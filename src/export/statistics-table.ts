/** Statistics as a table: one row a product and group. */
import type { CountyId, Uuid } from "../domain/ids.ts";
import type { MarketRecord } from "../domain/records.ts";
import { roundFigure } from "../domain/round-figure.ts";
import type { Grouping } from "../domain/vocabulary.ts";
import { countTypesOfGroups, namedTypeCounts } from "../query/count-samples.ts";
import { type ForeignMeasure, type StatisticsAnswer, startStatistics } from "../query/price-statistics.ts";
import type { PriceStatistics } from "../query/questions.ts";
import { selectProducts } from "../query/walk-prices.ts";
import { countyRecord, recordAt } from "../store/catalogue.ts";
import type { Group } from "../store/figures.ts";
import type { Store } from "../store/store.ts";
import { exchangeRateColumn } from "./exchange-rate-column.ts";
import { blocksOf, type Cell, type Column, type Columns, column, inUnit, noUnit, nullable } from "./table.ts";

/** A group of the statistics of a product. */
export interface StatisticsRow {
  readonly grouping: Grouping;
  readonly answer: StatisticsAnswer;
  readonly group: Group;
  /** Prices of a group by type code. */
  readonly typesOf: (group: Group) => ArrayLike<number>;
}

/** Statistics of several products, or of all. */
export interface StatisticsSelection extends Omit<PriceStatistics, "productUuid"> {
  /** All products when absent. Unknown and repeated uuids add nothing. */
  readonly productUuids?: readonly Uuid[] | undefined;
}

/** A product that cannot be answered in the unit or currency asked for. */
export interface ForeignProduct extends ForeignMeasure {
  readonly product: string;
}

/** The first product that cannot be answered in the unit or currency asked for; undefined where each can. */
export function findForeignProduct(store: Store, selection: StatisticsSelection): ForeignProduct | undefined {
  if (selection.unit === undefined && selection.currency === undefined) return undefined;
  for (const code of selectProducts(store, selection.productUuids)) {
    const { uuid: productUuid, name } = recordAt(store.catalogue.products, code);
    const work = startStatistics(store, { ...selection, productUuid });
    if ("allowed" in work) return { product: name, ...work };
  }
  return undefined;
}

/** The rows of a selection by product (folded name, then uuid), groups in the order of the statistics of a product. */
export function* statisticsRows(store: Store, selection: StatisticsSelection): Generator<readonly StatisticsRow[]> {
  const { grouping } = selection;
  for (const code of selectProducts(store, selection.productUuids)) {
    const { uuid: productUuid } = recordAt(store.catalogue.products, code);
    const question = { ...selection, productUuid };
    const work = startStatistics(store, question);
    if ("problem" in work) continue;
    const answer = yield* withEmptyBlocks(work);
    const typesOf = yield* withEmptyBlocks(countTypesOfGroups(store, question, answer));
    yield* blocksOf(answer.groups.map((group) => ({ grouping, answer, group, typesOf })));
  }
}

/** An empty block for each step of some work, so that others are served in between. */
function* withEmptyBlocks<T>(work: Generator<unknown, T>): Generator<readonly never[], T> {
  let step = work.next();
  for (; step.done !== true; step = work.next()) yield [];
  return step.value;
}

export const statisticsTable: Columns<StatisticsRow> = [
  ofProduct("product_uuid", "uuid", "Identifier of the product.", ({ uuid }) => uuid),
  ofProduct("product", "text", "Name of the product.", ({ name }) => name),
  column(
    "unit",
    "text",
    "Unit of the figures.",
    () =>
      ({ answer }) =>
        answer.unit,
  ),
  column(
    "currency",
    "text",
    "Currency of the figures, ISO 4217.",
    () =>
      ({ answer }) =>
        answer.currency,
  ),
  column(
    "group_by",
    "text",
    "How prices are grouped: day, week, month, market or county.",
    () => (row) => row.grouping,
  ),
  column("period", "text", "2026-01-31, 2026-W05 or 2026-01; the name of the market or county.", periodOf),
  nullable(ofMarket("market_uuid", "uuid", "Identifier of the market, by market only.", ({ uuid }) => uuid)),
  nullable(ofMarket("market", "text", "Name of the market, by market only.", ({ name }) => name)),
  nullable(
    inUnit(
      noUnit,
      ofPlace("county_id", "integer", "Number of the county, by market or county only.", (id) => id),
    ),
  ),
  nullable(
    ofPlace("county", "text", "Name of the county, by market or county only.", (id, { catalogue }) => {
      return countyRecord(catalogue, id).name;
    }),
  ),
  figure("average_price", "Arithmetic mean of the prices", ({ mean }) => mean),
  figure("min_price", "Least price", ({ min }) => min),
  figure("max_price", "Greatest price", ({ max }) => max),
  figure("median_price", "Median of the prices", ({ median }) => median),
  inUnit(
    "prices",
    column(
      "sample_count",
      "integer",
      "How many prices the figures are of.",
      () =>
        ({ group }) =>
          group.count,
    ),
  ),
  figure("std_deviation", "Sample standard deviation (n - 1) of the prices", ({ deviation }) => deviation),
  inUnit(
    "prices",
    column(
      "converted_samples",
      "integer",
      "Prices of the product in the figures that were recorded in another unit.",
      () => {
        return ({ answer }) => answer.convertedSamples;
      },
    ),
  ),
  inUnit(
    "prices",
    column(
      "excluded_samples",
      "integer",
      "Prices of the product left out for their unit, currency or exchange rate.",
      () => {
        return ({ answer }) => answer.excludedSamples;
      },
    ),
  ),
  column("market_types", "type_counts", "The prices of `sample_count` by type of market.", () => {
    return ({ typesOf, group }) => namedTypeCounts(typesOf(group));
  }),
  inUnit(
    "prices",
    column("suspicious_samples", "integer", "Suspicious prices of the product in the figures.", () => {
      return ({ answer }) => answer.suspiciousSamples;
    }),
  ),
  inUnit(
    "prices",
    column(
      "samples_without_rate",
      "integer",
      "Prices of the product left out because their month has no exchange rate.",
      () => {
        return ({ answer }) => answer.missingRates.count;
      },
    ),
  ),
  exchangeRateColumn(({ answer }) => answer.rates !== undefined),
];

function ofProduct(
  name: string,
  type: Column<unknown>["type"],
  description: string,
  cellOf: (product: { readonly uuid: Uuid; readonly name: string }) => Cell,
): Column<StatisticsRow> {
  return column(name, type, description, ({ catalogue }) => ({ answer }) => {
    return cellOf(recordAt(catalogue.products, answer.product));
  });
}

function ofMarket(
  name: string,
  type: Column<unknown>["type"],
  description: string,
  cellOf: (market: MarketRecord) => Cell,
): Column<StatisticsRow> {
  return column(name, type, description, ({ catalogue }) => ({ grouping, group }) => {
    return grouping === "market" ? cellOf(recordAt(catalogue.markets, group.key)) : null;
  });
}

function ofPlace(
  name: string,
  type: Column<unknown>["type"],
  description: string,
  cellOf: (id: CountyId, store: Store) => Cell,
): Column<StatisticsRow> {
  return column(name, type, description, (store) => ({ grouping, group }) => {
    if (grouping === "county") return cellOf(group.key as CountyId, store);
    return grouping === "market" ? cellOf(recordAt(store.catalogue.markets, group.key).countyId, store) : null;
  });
}

function periodOf({ catalogue, periods }: Store): (row: StatisticsRow) => string {
  return ({ grouping, group: { key } }) => {
    if (grouping === "market") return recordAt(catalogue.markets, key).name;
    if (grouping === "county") return countyRecord(catalogue, key as CountyId).name;
    return periods[grouping].labels[key]!;
  };
}

function figure(name: string, description: string, cellOf: (group: Group) => number): Column<StatisticsRow> {
  const rounded = `${description}, in the currency, per unit, rounded to 6 decimals.`;
  const cells =
    () =>
    ({ group }: StatisticsRow) =>
      roundFigure(cellOf(group));
  return inUnit("`currency` per `unit`", column(name, "number", rounded, cells));
}
