/**
 * Statistics of one product's prices over some days. One unit and one currency per answer; what cannot be brought to them
 * is left out and counted.
 */
import type { CountyId } from "../domain/ids.ts";
import type { MarketCode, ProductCode } from "../store/codes.ts";
import type { GroupFiguresBuilder } from "../store/group-figures.ts";
import { type Measuring, measuringIn } from "../store/measuring.ts";
import type { Store } from "../store/store.ts";
import type { PriceStatistics } from "./questions.ts";
import { runInSlices } from "./run-in-slices.ts";
import { borrowBuilder, giveBackBuilder } from "./scratch.ts";
import { type GroupQuestion, groupByCounty, groupByMarket, groupByTime } from "./statistics-groups.ts";
import { type Figures, figuresAt, type GroupPlace, type OverallFigures, overallOf } from "./summarise.ts";

/** One group of the answer. `market` or `county` says which, when grouped by it. */
export interface StatisticsGroup {
  /** `2026-01-31`, `2026-W05`, `2026-01`, or the name of the market or county. */
  readonly label: string;
  readonly market: MarketCode | undefined;
  readonly county: CountyId | undefined;
  readonly figures: Figures;
}

export interface StatisticsAnswer {
  readonly product: ProductCode;
  /** Name of the unit of all figures. */
  readonly unit: string;
  /** Currency of all figures; null when the product has no prices at all. */
  readonly currency: string | null;
  /** Times ascending; markets and counties by folded name, then uuid or id. Empty groups are left out. */
  readonly groups: readonly StatisticsGroup[];
  /** Over all records that are in a group; null without any. */
  readonly overall: OverallFigures | null;
  /** Selected prices that are in the figures and were recorded in another unit. */
  readonly convertedSamples: number;
  /** Selected prices in a unit of another base or another currency. */
  readonly excludedSamples: number;
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
 * @param sliceRows See `runInSlices`.
 * @returns A promise when many rows are summed up; other requests are served between its slices.
 */
export function priceStatistics(
  store: Store,
  question: PriceStatistics,
  sliceRows?: number,
): StatisticsAnswer | StatisticsProblem | Promise<StatisticsAnswer> {
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
  return runInSlices(answer(store, asked, product, unit, currency), sliceRows);
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

function* answer(
  store: Store,
  asked: GroupQuestion,
  product: ProductCode,
  unit: string,
  currency: string | null,
): Generator<number, StatisticsAnswer> {
  const builder = borrowBuilder();
  const groups: StatisticsGroup[] = [];
  const places = yield* addGroups(store, asked, builder, groups);
  let convertedSamples = 0;
  let excludedSamples = 0;
  for (const { figures, at } of places) {
    convertedSamples += figures.converted[at]!;
    excludedSamples += figures.excluded[at]!;
  }
  const overall = overallOf(places);
  giveBackBuilder(builder);
  return { product, unit, currency, groups, overall, convertedSamples, excludedSamples };
}

/** Adds the groups of the answer. @returns Where their figures are, also those of groups without any. */
function* addGroups(
  store: Store,
  asked: GroupQuestion,
  builder: GroupFiguresBuilder,
  groups: StatisticsGroup[],
): Generator<number, readonly GroupPlace[]> {
  const { grouping } = asked.question;
  if (grouping === "market") {
    const places = yield* groupByMarket(store, asked, builder);
    for (const place of places) {
      if (isEmpty(place)) continue;
      const market = place.figures.keys[place.at]! as MarketCode;
      const label = store.catalogue.markets[market]!.record.name;
      groups.push({ label, market, county: undefined, figures: figuresAt(place) });
    }
    return places;
  }
  if (grouping === "county") {
    const found = yield* groupByCounty(store, asked, builder);
    for (const { county, place } of found) {
      if (isEmpty(place)) continue;
      const label = store.catalogue.counties.get(county)!.name;
      groups.push({ label, market: undefined, county, figures: figuresAt(place) });
    }
    return found.map(({ place }) => place);
  }
  const { labels } = store.periods[grouping];
  const places = yield* groupByTime(store, asked, grouping, builder);
  for (const place of places) {
    if (isEmpty(place)) continue;
    const label = labels[place.figures.keys[place.at]!]!;
    groups.push({ label, market: undefined, county: undefined, figures: figuresAt(place) });
  }
  return places;
}

function isEmpty({ figures, at }: GroupPlace): boolean {
  return figures.counts[at] === 0;
}

/** Names of the units a product's statistics can be asked in, in the order of the file. */
function unitsOfSameBase({ catalogue }: Store, unitName: string): string[] {
  const base = catalogue.units.get(unitName)?.baseUnit;
  return [...catalogue.units.values()].filter(({ baseUnit }) => baseUnit === base).map(({ name }) => name);
}
