/**
 * Statistics of one product's prices over some days. One unit and one currency per answer; what cannot be brought to them
 * is left out and counted.
 */
import type { Grouping } from "../domain/vocabulary.ts";
import type { ProductCode } from "../store/codes.ts";
import type { GroupFiguresBuilder } from "../store/group-figures.ts";
import { type Measuring, measuringIn } from "../store/measuring.ts";
import type { Store } from "../store/store.ts";
import { groupByCounty, groupByMarket } from "./group-by-place.ts";
import type { GroupList } from "./group-list.ts";
import type { PriceStatistics } from "./questions.ts";
import { runInSlices } from "./run-in-slices.ts";
import { borrowBuilder, giveBackBuilder } from "./scratch.ts";
import { type GroupQuestion, groupByTime } from "./statistics-groups.ts";
import { type Totals, totalsOf } from "./summarise.ts";

/**
 * Writes down the groups of an answer: times ascending; markets and counties by folded name, then uuid or id. The list is
 * lent: its columns go to the next question, so nothing of them may be kept. Groups whose count is 0 are no part of an
 * answer.
 */
export type WriteGroups<Groups> = (store: Store, grouping: Grouping, list: GroupList) => Groups;

/** @typeParam Groups The groups as they were written down. */
export interface StatisticsAnswer<Groups> extends Totals {
  readonly product: ProductCode;
  /** Name of the unit of all figures. */
  readonly unit: string;
  /** Currency of all figures; null when the product has no prices at all. */
  readonly currency: string | null;
  readonly groups: Groups;
}

/** Why there is no answer. */
export type StatisticsProblem =
  | { readonly problem: "unknown product" }
  /** The unit asked for does not exist or has another base unit than the product's statistics. */
  | { readonly problem: "foreign unit"; readonly unitsAllowed: readonly string[] };

/**
 * Answers a statistics question.
 *
 * Cost: whole days, weeks and months, whole series and whole counties are looked up; at most the first and last period
 * are summed up. A market or county that the days cut costs a few steps for each price cut away; periods of a market or
 * county a pass over its samples. Another unit than the product's own is summed up from the rows it selects.
 *
 * @param writeGroups Called once, when all figures are there.
 * @param sliceRows See `runInSlices`.
 * @returns A promise when many rows are summed up; other requests are served between its slices.
 */
export function priceStatistics<Groups>(
  store: Store,
  question: PriceStatistics,
  writeGroups: WriteGroups<Groups>,
  sliceRows?: number,
): StatisticsAnswer<Groups> | StatisticsProblem | Promise<StatisticsAnswer<Groups>> {
  const { catalogue } = store;
  const product = catalogue.productCodes.get(question.productUuid);
  if (product === undefined) return { problem: "unknown product" };
  const { unit: ownUnit, currency } = store.measures[product]!;
  const unit = question.unit ?? ownUnit;
  if (catalogue.units.get(unit)?.baseUnit !== catalogue.units.get(ownUnit)?.baseUnit) {
    return { problem: "foreign unit", unitsAllowed: unitsOfSameBase(store, ownUnit) };
  }
  const isOwnUnit = unit === ownUnit;
  const measuring = isOwnUnit ? ownMeasuring(store, product) : measuringIn(catalogue, store.prices, unit, currency);
  const asked: GroupQuestion = { question, product, measuring, isOwnUnit };
  return runInSlices(answer(store, asked, product, unit, currency, writeGroups), sliceRows);
}

/** How each product is measured in its own unit, by store and product, worked out when first needed. */
const ownMeasurings = new WeakMap<Store, Measuring[]>();

function ownMeasuring(store: Store, product: ProductCode): Measuring {
  const measurings = ownMeasurings.get(store) ?? [];
  ownMeasurings.set(store, measurings);
  const { unit, currency } = store.measures[product]!;
  measurings[product] ??= measuringIn(store.catalogue, store.prices, unit, currency);
  return measurings[product];
}

function* answer<Groups>(
  store: Store,
  asked: GroupQuestion,
  product: ProductCode,
  unit: string,
  currency: string | null,
  writeGroups: WriteGroups<Groups>,
): Generator<number, StatisticsAnswer<Groups>> {
  const builder = borrowBuilder();
  const { grouping } = asked.question;
  const list = yield* listGroups(store, asked, grouping, builder);
  const { overall, convertedSamples, excludedSamples } = totalsOf(list);
  const groups = writeGroups(store, grouping, list);
  giveBackBuilder(builder);
  return { product, unit, currency, groups, overall, convertedSamples, excludedSamples };
}

function listGroups(
  store: Store,
  asked: GroupQuestion,
  grouping: Grouping,
  builder: GroupFiguresBuilder,
): Generator<number, GroupList> {
  if (grouping === "market") return groupByMarket(store, asked, builder);
  if (grouping === "county") return groupByCounty(store, asked, builder);
  return groupByTime(store, asked, grouping, builder);
}

/** Names of the units a product's statistics can be asked in, in the order of the file. */
function unitsOfSameBase({ catalogue }: Store, unitName: string): string[] {
  const base = catalogue.units.get(unitName)?.baseUnit;
  return [...catalogue.units.values()].filter(({ baseUnit }) => baseUnit === base).map(({ name }) => name);
}
