/**
 * Figures kept ready, when a day has been added to a store: those of groups that the day has not touched are taken over, the
 * others are made anew from their prices, in the same order, so that all are what they would be if made together. A product
 * whose unit or currency of statistics has changed is made anew altogether.
 */
import { type Day, instantOfDayStart } from "../domain/calendar-day.ts";
import { countyIdMax } from "../domain/ids.ts";
import { marketTypes } from "../domain/vocabulary.ts";
import { changedRows, type ExtendedPeriods, type Extension, extendedPeriods, gonePeriod } from "./extension.ts";
import { type GroupFigures, GroupFiguresBuilder } from "./group-figures.ts";
import { addGroup } from "./measuring.ts";
import { OwnedBuilder, type OwnedFigures } from "./owned-builder.ts";
import type { PeriodList, TimeGrouping } from "./periods.ts";
import {
  addCountyGroup,
  countyKey,
  type FigureSources,
  longestOf,
  measuringOf,
  type ReadyFigures,
  rowsOfProduct,
  rowsOfType,
  seriesByCountyKey,
  typeOwner,
} from "./ready-figures.ts";
import { addTimeGroups, type RowRange } from "./time-groups.ts";

/** As `buildFiguresByTime`. Cost: a copy of the figures, and the prices of the periods that are touched. */
export function extendFiguresByTime(sources: FigureSources, extension: Extension): ReadyFigures["byTime"] {
  const { catalogue, prices, periods, utcOffset } = sources;
  const scratch = new Float64Array(longestOf(prices.productOffsets));
  const { byTime } = extension.before.figures;
  return { day: extended("day"), week: extended("week"), month: extended("month") };

  function extended(grouping: TimeGrouping): OwnedFigures {
    const list = periods[grouping];
    const places = extendedPeriods(extension, prices, periods, utcOffset, grouping);
    const builder = new OwnedBuilder(catalogue.products.length);
    for (let product = 0; product < catalogue.products.length; product++) {
      const measuring = measuringOf(sources, product);
      if (hasOtherMeasure(sources, extension, product)) {
        const source = { prices, periods, utcOffset, measuring, scratch };
        builder.addAll(addTimeGroups(builder.figures, source, list, rowsOfProduct(prices, product)));
        continue;
      }
      extendOwner(builder, byTime[grouping], product, places, product, (period) => {
        const { from, to } = rowsOfPeriod(sources, product, list, period);
        if (to > from) addGroup(builder.figures, period, prices, measuring, null, from, to, scratch);
      });
    }
    return builder.finish();
  }
}

/** As `buildFiguresByTimeOfType`. Cost: a copy of the figures, and the prices of the periods that are touched. */
export function extendFiguresByTimeOfType(sources: FigureSources, extension: Extension): ReadyFigures["byTimeOfType"] {
  const { catalogue, prices, periods, utcOffset } = sources;
  const rowsMax = longestOf(prices.productOffsets);
  const scratch = new Float64Array(rowsMax);
  const rows = new Uint32Array(rowsMax);
  const { byTimeOfType } = extension.before.figures;
  return { week: extended("week"), month: extended("month") };

  function extended(grouping: Exclude<TimeGrouping, "day">): OwnedFigures {
    const list = periods[grouping];
    const places = extendedPeriods(extension, prices, periods, utcOffset, grouping);
    const builder = new OwnedBuilder(typeOwner(catalogue.products.length, 0));
    for (let product = 0; product < catalogue.products.length; product++) {
      const measuring = measuringOf(sources, product);
      const isOther = hasOtherMeasure(sources, extension, product);
      for (let type = 0; type < marketTypes.length; type++) {
        if (isOther) {
          const source = { prices, periods, utcOffset, measuring, scratch };
          const ofType = rowsOfType(sources, rowsOfProduct(prices, product), type, rows);
          builder.addAll(addTimeGroups(builder.figures, source, list, ofType));
          continue;
        }
        extendOwner(builder, byTimeOfType[grouping], typeOwner(product, type), places, product, (period) => {
          const { to } = rowsOfType(sources, rowsOfPeriod(sources, product, list, period), type, rows);
          if (to > 0) addGroup(builder.figures, period, prices, measuring, rows, 0, to, scratch);
        });
      }
    }
    return builder.finish();
  }
}

/** As `buildFiguresBySeries`. Cost: a copy of the figures, and the prices of the series that are touched. */
export function extendFiguresBySeries(sources: FigureSources, extension: Extension): ReadyFigures["bySeries"] {
  const { catalogue, prices, series } = sources;
  const { series: oldSeries, figures: oldFigures } = extension.before;
  const touched = new Set<number>();
  const keyOf = (product: number, market: number): number => product * catalogue.markets.length + market;
  for (const { product, market } of changedRows(extension, prices)) touched.add(keyOf(product, market));
  const figures = new GroupFiguresBuilder();
  const scratch = new Float64Array(longestOf(series.rowOffsets));
  for (let product = 0; product < catalogue.products.length; product++) {
    const measuring = measuringOf(sources, product);
    const isOther = hasOtherMeasure(sources, extension, product);
    let old = oldSeries.seriesOffsets[product]!;
    for (let one = series.seriesOffsets[product]!; one < series.seriesOffsets[product + 1]!; one++) {
      const market = series.markets[one]!;
      if (isOther || touched.has(keyOf(product, market))) {
        const [from, to] = [series.rowOffsets[one]!, series.rowOffsets[one + 1]!];
        addGroup(figures, market, prices, measuring, series.rows, from, to, scratch);
        continue;
      }
      // A series that is not touched was there before.
      while (oldSeries.markets[old] !== market) old++;
      figures.addFrom(market, oldFigures.bySeries, old);
    }
  }
  return figures.finish();
}

/** As `buildFiguresByCounty`. Cost: a copy of the figures, and the prices of the counties that are touched. */
export function extendFiguresByCounty(sources: FigureSources, extension: Extension): ReadyFigures["byCounty"] {
  const { catalogue, prices, series } = sources;
  const { marketCounties, marketTypeCodes } = catalogue;
  const old = extension.before.figures.byCounty;
  const touched = new Set<number>();
  const keyOf = (product: number, key: number): number => product * countyKey(countyIdMax + 1, -1) + key;
  for (const { product, market } of changedRows(extension, prices)) {
    const county = marketCounties[market]!;
    touched.add(keyOf(product, countyKey(county, -1)));
    touched.add(keyOf(product, countyKey(county, marketTypeCodes[market]!)));
  }
  const builder = new OwnedBuilder(catalogue.products.length);
  const rowsMax = longestOf(prices.productOffsets);
  const scratch = { values: new Float64Array(rowsMax), rows: new Uint32Array(rowsMax) };
  for (let product = 0; product < catalogue.products.length; product++) {
    const measuring = measuringOf(sources, product);
    const isOther = hasOtherMeasure(sources, extension, product);
    let group = old.offsets[product]!;
    for (const [key, members] of seriesByCountyKey(catalogue, series, product)) {
      if (isOther || touched.has(keyOf(product, key))) {
        addCountyGroup(builder.figures, key, members, sources, measuring, scratch);
        continue;
      }
      // A county that is not touched was there before.
      while (old.figures.keys[group] !== key) group++;
      builder.figures.addFrom(key, old.figures, group);
    }
    builder.endOwner();
  }
  return builder.finish();
}

function hasOtherMeasure({ measures }: FigureSources, { before }: Extension, product: number): boolean {
  const now = measures[product]!;
  const then = before.measures[product]!;
  return now.unit !== then.unit || now.currency !== then.currency;
}

/**
 * The groups of one owner, newest period first.
 *
 * @param addTouched Makes the group of a touched period anew, if it has any price.
 */
function extendOwner(
  builder: OwnedBuilder,
  old: { readonly offsets: Uint32Array; readonly figures: GroupFigures },
  owner: number,
  { ofOld, touched }: ExtendedPeriods,
  product: number,
  addTouched: (period: number) => void,
): void {
  const wanted = touched.get(product) ?? [];
  let next = 0;
  for (let group = old.offsets[owner]!; group < old.offsets[owner + 1]!; group++) {
    const period = ofOld[old.figures.keys[group]!]!;
    if (period === gonePeriod) continue;
    while (next < wanted.length && wanted[next]! > period) addTouched(wanted[next++]!);
    if (wanted[next] === period) addTouched(wanted[next++]!);
    else builder.figures.addFrom(period, old.figures, group);
  }
  while (next < wanted.length) addTouched(wanted[next++]!);
  builder.endOwner();
}

/** The rows of a product in one period: two binary searches. */
function rowsOfPeriod(
  { prices: { productOffsets, recordedAt }, periods: { days }, utcOffset }: FigureSources,
  product: number,
  { dayOffsets }: PeriodList,
  period: number,
): RowRange {
  const to = productOffsets[product + 1]!;
  const startOf = (one: number): number => {
    const first = days[dayOffsets[one]!];
    return first === undefined ? Number.POSITIVE_INFINITY : instantOfDayStart(first as Day, utcOffset);
  };
  const from = firstRowBefore(recordedAt, productOffsets[product]!, to, startOf(period + 1));
  return { rows: null, from, to: firstRowBefore(recordedAt, from, to, startOf(period)) };
}

/** The first of rows that go back in time which was recorded before an instant. */
function firstRowBefore(recordedAt: Float64Array, from: number, to: number, instant: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (recordedAt[middle]! < instant) high = middle;
    else low = middle + 1;
  }
  return low;
}
