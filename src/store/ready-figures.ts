/**
 * Figures that are kept ready, so that a question about whole periods, markets or counties sums nothing up: for each
 * product by day, week and month, and by week and month for each type of market; for each series over all its time; for
 * each product and county over all time, for all types of market and for each.
 */
import { sharedUint32 } from "../domain/shared-columns.ts";
import { marketTypes } from "../domain/vocabulary.ts";
import type { Catalogue } from "./catalogue.ts";
import { type GroupFigures, GroupFiguresBuilder } from "./group-figures.ts";
import { addGroup, type Measuring, measuringIn } from "./measuring.ts";
import type { Periods, TimeGrouping } from "./periods.ts";
import type { PriceColumns } from "./price-columns.ts";
import type { ProductMeasure } from "./product-measures.ts";
import type { SeriesIndex } from "./series-index.ts";
import { addTimeGroups, type RowRange, type TimeGroupSource } from "./time-groups.ts";

/** Figures of several owners: those of owner o are groups `offsets[o]` to `offsets[o + 1] - 1`. */
export interface OwnedFigures {
  readonly offsets: Uint32Array<SharedArrayBuffer>;
  readonly figures: GroupFigures<SharedArrayBuffer>;
}

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

/** Cost: each price goes into eight groups; a group costs a few passes over its prices. */
export function buildReadyFigures(
  catalogue: Catalogue,
  prices: PriceColumns,
  series: SeriesIndex,
  periods: Periods,
  measures: readonly ProductMeasure[],
  utcOffset: number,
): ReadyFigures {
  const productCount = catalogue.products.length;
  const days = new OwnedBuilder(productCount);
  const weeks = new OwnedBuilder(productCount);
  const months = new OwnedBuilder(productCount);
  const typeWeeks = new OwnedBuilder(productCount * marketTypes.length);
  const typeMonths = new OwnedBuilder(productCount * marketTypes.length);
  const counties = new OwnedBuilder(productCount);
  const bySeries = new GroupFiguresBuilder();
  const { marketCounties, marketTypeCodes } = catalogue;
  const rowsMax = longestOf(prices.productOffsets);
  const scratch = new Float64Array(rowsMax);
  const picked = new Uint32Array(rowsMax);

  for (let product = 0; product < productCount; product++) {
    const { unit, currency } = measures[product]!;
    const measuring = measuringIn(catalogue, prices, unit, currency);
    const source: TimeGroupSource = { prices, periods, utcOffset, measuring, scratch };
    const all: RowRange = {
      rows: null,
      from: prices.productOffsets[product]!,
      to: prices.productOffsets[product + 1]!,
    };
    days.addAll(addTimeGroups(days.figures, source, periods.day, all));
    weeks.addAll(addTimeGroups(weeks.figures, source, periods.week, all));
    months.addAll(addTimeGroups(months.figures, source, periods.month, all));
    for (let type = 0; type < marketTypes.length; type++) {
      let count = 0;
      for (let row = all.from; row < all.to; row++) {
        if (marketTypeCodes[prices.markets[row]!] === type) picked[count++] = row;
      }
      const ofType: RowRange = { rows: picked, from: 0, to: count };
      typeWeeks.addAll(addTimeGroups(typeWeeks.figures, source, periods.week, ofType));
      typeMonths.addAll(addTimeGroups(typeMonths.figures, source, periods.month, ofType));
    }
    addSeries(bySeries, prices, series, product, measuring, scratch);
    addCounties(counties, prices, series, product, measuring, { marketCounties, marketTypeCodes, picked, scratch });
  }
  return {
    byTime: { day: days.finish(), week: weeks.finish(), month: months.finish() },
    byTimeOfType: { week: typeWeeks.finish(), month: typeMonths.finish() },
    bySeries: bySeries.finish(),
    byCounty: counties.finish(),
  };
}

/** Figures of one owner after the other. */
class OwnedBuilder {
  readonly figures = new GroupFiguresBuilder();
  readonly #offsets: Uint32Array<SharedArrayBuffer>;
  #owner = 0;

  constructor(ownerCount: number) {
    this.#offsets = sharedUint32(ownerCount + 1);
  }

  /** Runs what adds the next owner's groups. */
  addAll(groups: Iterator<unknown>): void {
    while (groups.next().done !== true);
    this.endOwner();
  }

  endOwner(): void {
    this.#owner++;
    this.#offsets[this.#owner] = this.figures.size;
  }

  finish(): OwnedFigures {
    return { offsets: this.#offsets, figures: this.figures.finish() };
  }
}

function addSeries(
  builder: GroupFiguresBuilder,
  prices: PriceColumns,
  { seriesOffsets, markets, rowOffsets, rows }: SeriesIndex,
  product: number,
  measuring: Measuring,
  scratch: Float64Array,
): void {
  for (let one = seriesOffsets[product]!; one < seriesOffsets[product + 1]!; one++) {
    addGroup(builder, markets[one]!, prices, measuring, rows, rowOffsets[one]!, rowOffsets[one + 1]!, scratch);
  }
}

interface CountyScratch {
  readonly marketCounties: Uint8Array;
  readonly marketTypeCodes: Uint8Array;
  readonly picked: Uint32Array;
  readonly scratch: Float64Array;
}

function addCounties(
  counties: OwnedBuilder,
  prices: PriceColumns,
  { seriesOffsets, markets, rowOffsets, rows }: SeriesIndex,
  product: number,
  measuring: Measuring,
  { marketCounties, marketTypeCodes, picked, scratch }: CountyScratch,
): void {
  const seriesByKey = new Map<number, number[]>();
  const note = (key: number, one: number): void => {
    const known = seriesByKey.get(key);
    if (known === undefined) seriesByKey.set(key, [one]);
    else known.push(one);
  };
  for (let one = seriesOffsets[product]!; one < seriesOffsets[product + 1]!; one++) {
    const county = marketCounties[markets[one]!]!;
    note(countyKey(county, -1), one);
    note(countyKey(county, marketTypeCodes[markets[one]!]!), one);
  }
  for (const [key, members] of [...seriesByKey].sort(([a], [b]) => a - b)) {
    let count = 0;
    for (const one of members) {
      for (let at = rowOffsets[one]!; at < rowOffsets[one + 1]!; at++) picked[count++] = rows[at]!;
    }
    addGroup(counties.figures, key, prices, measuring, picked, 0, count, scratch);
  }
  counties.endOwner();
}

function longestOf(offsets: Uint32Array): number {
  let longest = 0;
  for (let at = 1; at < offsets.length; at++) longest = Math.max(longest, offsets[at]! - offsets[at - 1]!);
  return longest;
}
