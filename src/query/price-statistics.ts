/**
 * Statistics of one product's prices over some days: select rows, bring their prices to one unit and currency, group,
 * sum up. One unit and one currency per answer; what cannot be brought to them is left out and counted.
 */
import { dayOfInstant, instantOfDayStart } from "../domain/calendar-day.ts";
import { compareTexts, foldText } from "../domain/folded-text.ts";
import type { CountyId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { MarketCode, ProductCode } from "../store/codes.ts";
import type { Store } from "../store/store.ts";
import { isTimeGrouping, type TimeGrouping, timePeriods } from "./group-key.ts";
import { planPrices } from "./plan-prices.ts";
import type { PriceStatistics } from "./questions.ts";
import { type Figures, summarise } from "./summarise.ts";
import { excludedUnit, unitFactors } from "./unit-factors.ts";
import { collectRows } from "./walk-prices.ts";

/** One group of the answer. `market` or `county` is there when grouped by it. */
export interface StatisticsGroup {
  /** `2026-01-31`, `2026-W05`, `2026-01`, or the name of the market or county. */
  readonly label: string;
  readonly market?: MarketCode;
  readonly county?: CountyId;
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
  readonly overall: Figures | null;
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
 * Cost: one look at the product's (or market's) rows within the days, and a sort of the prices within each group.
 */
export function priceStatistics(store: Store, question: PriceStatistics): StatisticsAnswer | StatisticsProblem {
  const product = store.catalogue.productCodes.get(question.productUuid);
  if (product === undefined) return { problem: "unknown product" };
  const measure = store.measures[product]!;
  const unit = question.unit ?? measure.unit;
  const unitsAllowed = unitsOfSameBase(store, measure.unit);
  if (!unitsAllowed.includes(unit)) return { problem: "foreign unit", unitsAllowed };

  const selected = collectRows(store.prices, planPrices(store, question));
  const samples = convert(store, selected, unit, measure.currency);
  const groups = isTimeGrouping(question.grouping)
    ? groupByTime(store, samples, question.grouping)
    : groupByPlace(store, samples, question.grouping);
  return {
    product,
    unit,
    currency: measure.currency,
    groups,
    overall: samples.values.length === 0 ? null : summarise(samples.values.slice()),
    convertedSamples: samples.convertedCount,
    excludedSamples: selected.length - samples.values.length,
  };
}

/** Names of the units a product's statistics can be asked in, in the order of the file. */
function unitsOfSameBase({ catalogue }: Store, unitName: string): string[] {
  const base = catalogue.units.get(unitName)?.baseUnit;
  return [...catalogue.units.values()].filter(({ baseUnit }) => baseUnit === base).map(({ name }) => name);
}

/** Prices in one unit and currency, with their rows, in answer order. */
interface Samples {
  readonly rows: Uint32Array;
  readonly values: Float64Array;
  readonly convertedCount: number;
}

function convert(store: Store, selected: Uint32Array, unit: string, currency: string | null): Samples {
  const { prices } = store;
  const { multiply, divide } = unitFactors(store, unit);
  const unitCode = prices.unitNames.indexOf(unit);
  const currencyCode = currency === null ? -1 : prices.currencyCodes.indexOf(currency);
  const rows = new Uint32Array(selected.length);
  const values = new Float64Array(selected.length);
  let count = 0;
  let convertedCount = 0;
  for (const row of selected) {
    const recordedUnit = prices.units[row]!;
    if (prices.currencies[row] !== currencyCode || divide[recordedUnit] === excludedUnit) continue;
    if (recordedUnit !== unitCode) convertedCount++;
    rows[count] = row;
    values[count++] = (prices.prices[row]! * multiply[recordedUnit]!) / divide[recordedUnit]!;
  }
  return { rows: rows.subarray(0, count), values: values.subarray(0, count), convertedCount };
}

/** Rows come newest first, so the rows of a period stand together and the last period comes first. */
function groupByTime(store: Store, { rows, values }: Samples, grouping: TimeGrouping): StatisticsGroup[] {
  const { utcOffset } = store.snapshot;
  const { recordedAt } = store.prices;
  const { startOf, labelOf } = timePeriods[grouping];
  const groups: StatisticsGroup[] = [];
  for (let from = 0; from < rows.length; ) {
    const start = startOf(dayOfInstant(recordedAt[rows[from]!]! as Instant, utcOffset));
    const instantFirst = instantOfDayStart(start, utcOffset);
    let to = from + 1;
    while (to < rows.length && recordedAt[rows[to]!]! >= instantFirst) to++;
    groups.push({ label: labelOf(start), figures: summarise(values.slice(from, to)) });
    from = to;
  }
  return groups.reverse();
}

function groupByPlace(store: Store, { rows, values }: Samples, grouping: "market" | "county"): StatisticsGroup[] {
  const { markets, counties } = store.catalogue;
  const valuesByPlace = new Map<number, number[]>();
  for (const [index, row] of rows.entries()) {
    const market = store.prices.markets[row]!;
    const place = grouping === "market" ? market : markets[market]!.record.countyId;
    const group = valuesByPlace.get(place);
    if (group === undefined) valuesByPlace.set(place, [values[index]!]);
    else group.push(values[index]!);
  }
  // Market codes ascend with folded name and uuid; county ids must be put in the order of names.
  return [...valuesByPlace]
    .map(([place, group]) => {
      const figures = summarise(Float64Array.from(group));
      if (grouping === "market") {
        const { record, foldedName } = markets[place]!;
        return { foldedName, place, group: { label: record.name, market: place as MarketCode, figures } };
      }
      const county = counties.get(place as CountyId)!;
      return { foldedName: foldText(county.name), place, group: { label: county.name, county: county.id, figures } };
    })
    .sort((a, b) => compareTexts(a.foldedName, b.foldedName) || a.place - b.place)
    .map(({ group }) => group);
}
