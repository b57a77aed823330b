/**
 * Figures that are kept ready, so that a question about whole periods, markets or counties sums nothing up: for each
 * product by day, week and month, and by week and month for each type of market; for each series over all its time; for
 * each product and county over all time, for all types of market and for each.
 */
import { marketTypes } from "../domain/vocabulary.ts";
import type { Catalogue } from "./catalogue.ts";
import { type GroupFigures, GroupFiguresBuilder } from "./group-figures.ts";
import { addGroup, type Measuring, measuringIn } from "./measuring.ts";
import { OwnedBuilder, type OwnedFigures } from "./owned-builder.ts";
import type { Periods, TimeGrouping } from "./periods.ts";
import type { PriceColumns } from "./price-columns.ts";
import type { ProductMeasure } from "./product-measures.ts";
import type { SeriesIndex } from "./series-index.ts";
import { addTimeGroups, type RowRange, type TimeGroupSource } from "./time-groups.ts";

export interface ReadyFigures {
  /** Owner: product. Key: period; newest first. */
  readonly byTime: Readonly<Record<TimeGrouping, OwnedFigures>>;
  /** Owner: see `typeOwner`. Key: period; newest first. Single days of one type are few enough to sum up on request. */
  readonly byTimeOfType: Readonly<Record<Exclude<TimeGrouping, "day">, OwnedFigures>>;
  /** One group a series, in the order of the series index. */
  readonly bySeries: GroupFigures<SharedArrayBuffer>;
  /** Owner: product. Key: see `countyKey`; ascending. */
  readonly byCounty: OwnedFigures;
}

/** Owner of a product's figures for one type of market. @param type Position in `marketTypes`. */
export function typeOwner(product: number, type: number): number {
  return product * marketTypes.length + type;
}

/** Key of a county's figures. @param type Position in `marketTypes`, or -1 for all types together. */
export function countyKey(county: number, type: number): number {
  return county * (marketTypes.length + 1) + type + 1;
}

/** The county of a key. */
export function countyOfKey(key: number): number {
  return Math.floor(key / (marketTypes.length + 1));
}

/** What figures are made from. */
export interface FigureSources {
  readonly catalogue: Catalogue;
  readonly prices: PriceColumns;
  readonly series: SeriesIndex;
  readonly periods: Periods;
  readonly measures: readonly ProductMeasure[];
  readonly utcOffset: number;
}

/** Figures of each product by day, week and month. Cost: each price goes into three groups. */
export function buildFiguresByTime(sources: FigureSources): ReadyFigures["byTime"] {
  const { catalogue, prices, periods, utcOffset } = sources;
  const days = new OwnedBuilder(catalogue.products.length);
  const weeks = new OwnedBuilder(catalogue.products.length);
  const months = new OwnedBuilder(catalogue.products.length);
  const scratch = new Float64Array(longestOf(prices.productOffsets));
  for (let product = 0; product < catalogue.products.length; product++) {
    const source: TimeGroupSource = { prices, periods, utcOffset, measuring: measuringOf(sources, product), scratch };
    const all = rowsOfProduct(prices, product);
    days.addAll(addTimeGroups(days.figures, source, periods.day, all));
    weeks.addAll(addTimeGroups(weeks.figures, source, periods.week, all));
    months.addAll(addTimeGroups(months.figures, source, periods.month, all));
  }
  return { day: days.finish(), week: weeks.finish(), month: months.finish() };
}

/** Figures of each product and type of market by week and month. Cost: each price goes into two groups. */
export function buildFiguresByTimeOfType(sources: FigureSources): ReadyFigures["byTimeOfType"] {
  const { catalogue, prices, periods, utcOffset } = sources;
  const weeks = new OwnedBuilder(catalogue.products.length * marketTypes.length);
  const months = new OwnedBuilder(catalogue.products.length * marketTypes.length);
  const rowsMax = longestOf(prices.productOffsets);
  const scratch = new Float64Array(rowsMax);
  const rows = new Uint32Array(rowsMax);
  for (let product = 0; product < catalogue.products.length; product++) {
    const source: TimeGroupSource = { prices, periods, utcOffset, measuring: measuringOf(sources, product), scratch };
    const all = rowsOfProduct(prices, product);
    for (let type = 0; type < marketTypes.length; type++) {
      const ofType = rowsOfType(sources, all, type, rows);
      weeks.addAll(addTimeGroups(weeks.figures, source, periods.week, ofType));
      months.addAll(addTimeGroups(months.figures, source, periods.month, ofType));
    }
  }
  return { week: weeks.finish(), month: months.finish() };
}

/** Figures of each series over all its time. Cost: each price goes into one group. */
export function buildFiguresBySeries(sources: FigureSources): ReadyFigures["bySeries"] {
  const { catalogue, prices, series } = sources;
  const { seriesOffsets, markets, rowOffsets, rows } = series;
  const figures = new GroupFiguresBuilder();
  const scratch = new Float64Array(longestOf(rowOffsets));
  for (let product = 0; product < catalogue.products.length; product++) {
    const measuring = measuringOf(sources, product);
    for (let one = seriesOffsets[product]!; one < seriesOffsets[product + 1]!; one++) {
      addGroup(figures, markets[one]!, prices, measuring, rows, rowOffsets[one]!, rowOffsets[one + 1]!, scratch);
    }
  }
  return figures.finish();
}

/** Figures of each product and county over all time. Cost: each price goes into two groups. */
export function buildFiguresByCounty(sources: FigureSources): ReadyFigures["byCounty"] {
  const { catalogue, prices, series } = sources;
  const counties = new OwnedBuilder(catalogue.products.length);
  const rowsMax = longestOf(prices.productOffsets);
  const scratch = { values: new Float64Array(rowsMax), rows: new Uint32Array(rowsMax) };
  for (let product = 0; product < catalogue.products.length; product++) {
    const measuring = measuringOf(sources, product);
    for (const [key, members] of seriesByCountyKey(catalogue, series, product)) {
      addCountyGroup(counties.figures, key, members, sources, measuring, scratch);
    }
    counties.endOwner();
  }
  return counties.finish();
}

/**
 * Adds the figures of some series of a product as one group.
 *
 * @param members The series.
 * @param scratch As long as the product has rows; overwritten.
 */
export function addCountyGroup(
  builder: GroupFiguresBuilder,
  key: number,
  members: readonly number[],
  { prices, series }: FigureSources,
  measuring: Measuring,
  scratch: { readonly values: Float64Array; readonly rows: Uint32Array },
): void {
  let count = 0;
  for (const one of members) {
    for (let at = series.rowOffsets[one]!; at < series.rowOffsets[one + 1]!; at++) {
      scratch.rows[count++] = series.rows[at]!;
    }
  }
  addGroup(builder, key, prices, measuring, scratch.rows, 0, count, scratch.values);
}

/**
 * The rows of a range whose market is of one type.
 *
 * @param range Of the price columns themselves.
 * @param type Position in `marketTypes`.
 * @param into Takes them; as long as the range.
 */
export function rowsOfType(
  { catalogue: { marketTypeCodes }, prices: { markets } }: FigureSources,
  range: RowRange,
  type: number,
  into: Uint32Array,
): RowRange {
  let count = 0;
  for (let row = range.from; row < range.to; row++) {
    if (marketTypeCodes[markets[row]!] === type) into[count++] = row;
  }
  return { rows: into, from: 0, to: count };
}

/** The series of each county, for all types of market and for each; keys ascending. */
export function seriesByCountyKey(
  { marketCounties, marketTypeCodes }: Catalogue,
  { seriesOffsets, markets }: SeriesIndex,
  product: number,
): [key: number, series: number[]][] {
  const byKey = new Map<number, number[]>();
  const note = (key: number, one: number): void => {
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [one]);
    else known.push(one);
  };
  for (let one = seriesOffsets[product]!; one < seriesOffsets[product + 1]!; one++) {
    const county = marketCounties[markets[one]!]!;
    note(countyKey(county, -1), one);
    note(countyKey(county, marketTypeCodes[markets[one]!]!), one);
  }
  return [...byKey].sort(([a], [b]) => a - b);
}

/** How a product's prices are measured for its figures. */
export function measuringOf({ catalogue, prices, measures }: FigureSources, product: number): Measuring {
  const { unit, currency } = measures[product]!;
  return measuringIn(catalogue, prices, unit, currency);
}

/** All rows of a product. */
export function rowsOfProduct({ productOffsets }: PriceColumns, product: number): RowRange {
  return { rows: null, from: productOffsets[product]!, to: productOffsets[product + 1]! };
}

/** The greatest number of entries between two offsets. */
export function longestOf(offsets: Uint32Array): number {
  let longest = 0;
  for (let at = 1; at < offsets.length; at++) longest = Math.max(longest, offsets[at]! - offsets[at - 1]!);
  return longest;
}
