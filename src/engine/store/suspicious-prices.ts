/**
 * Prices that look wrong beside their neighbours: the rule `suspicious-2`. The rule is the code's, not the snapshot's:
 * another rule gets another number, and marks the prices of every snapshot.
 *
 * The neighbours of a price are the prices of its series (product, market, unit and currency) that were recorded next
 * before and next after it: at most `neighboursEachSide` on either side, none further away than `neighbourDaysMax`. A
 * side counts with `sideNeighboursMin` or more. A price is suspicious when it lies more than `seriesRatioMax` times
 * above or below the median of each side that counts, or, where prices vary much, more than `deviationsMax` robust
 * standard deviations of the logarithms around these medians. So a right price that follows a wrong one is not marked,
 * nor a change of level, once it has lasted for six prices.
 *
 * With fewer than `neighboursMin` neighbours a price is compared with its product at all markets of the type, in the
 * unit and currency of the product's statistics: with the median of the monthly medians, each counting as often as its
 * month has prices, of its own month and the `neighbourMonths` before and after. It may be `productRatioMax` times
 * above or below, because markets differ. With fewer than `productOthersMin` others there, a price is not judged.
 *
 * Prices compare as recorded, as doubles. The ratio of three and the four neighbours were chosen on the bundled prices:
 * each price that they mark there beyond those of four and five was inspected (`/docs/anomalies` lists all).
 *
 * The median and the median absolute deviation hold against any number of wrong prices below a half (P. J. Rousseeuw
 * and C. Croux, "Alternatives to the Median Absolute Deviation", JASA 88 (1993)).
 */
import { type MonthNumber, monthNumber } from "../model/calendar.ts";
import { getOrInsert } from "../model/get-or-insert.ts";
import { UuidSet } from "../model/ids.ts";
import type { PriceAcceptance } from "../model/records.ts";
import { sharedColumn, sharedColumnFrom } from "../model/shared-columns.ts";
import { recordAt } from "./catalogue.ts";
import { lowerBound } from "./columns.ts";
import { type Group, medianOf } from "./figures.ts";
import { groupByPeriod, type RollupSources, rollupPartition } from "./group-prices.ts";
import { ageOfRow } from "./periods.ts";
import { conversionTo, convertPrice, type PriceConversion } from "./price-conversion.ts";
import { allDays, selectSegments, withTest } from "./runs.ts";
import { seriesOfRun } from "./series.ts";
import { finish } from "./steps.ts";

/** Its name in answers. */
export const suspiciousRule = "suspicious-2";

export const neighboursEachSide = 7;
export const sideNeighboursMin = 2;
export const neighbourDaysMax = 365;
export const neighboursMin = 4;
export const neighbourMonths = 12;
/** The least number of other prices of the product that judge one. */
export const productOthersMin = 5;

/** Inclusive. Some vegetables fall to a quarter and rise again within a year; the deviations below allow for it. */
export const seriesRatioMax = 3;
/** Inclusive. */
export const productRatioMax = 6;
export const deviationsMax = 5;

/** From the median absolute deviation of a normal distribution to its standard deviation: 1 / Φ⁻¹(3/4). */
export const normalScale = 1.4826;

/**
 * A price is a decimal slip when, undone, it is within this ratio of each usual price (inclusive): so much do most
 * prices change within a year, and the slips next to one another, ten and a hundred, stay apart.
 */
export const slipRatioMax = 1.5;

/**
 * `decimal_slip`: ten or a hundred times too high or too low; `far`: anything else. A reason's code is its position.
 */
export const suspiciousReasons = ["far", "decimal_slip"] as const;
export type SuspiciousReason = (typeof suspiciousReasons)[number];

/** The prices that are marked. */
export interface SuspiciousPrices {
  /** Ascending rows. */
  readonly rows: Uint32Array<SharedArrayBuffer>;
  /** Code of the reason by position in `rows`. */
  readonly reasons: Uint8Array<SharedArrayBuffer>;
  /** A bit for each row of the store, set where it is marked; the lowest bit of a byte is its first row. */
  readonly bits: Uint8Array<SharedArrayBuffer>;
}

/** The sources of the marks. */
export interface SuspiciousSources extends RollupSources {
  /**
   * Acceptances by a data team. A price whose acceptance holds is not marked, but is a neighbour like any other. Some
   * prices may not be there.
   */
  readonly accepted: readonly PriceAcceptance[];
}

/**
 * Marks prices.
 *
 * Cost: two reads of each price; a read of up to 14 neighbours for each price of a stretch of a series whose
 * greatest price is more than `seriesRatioMax` times its least. For a product with prices that have too few neighbours
 * also a pass over its prices, and a read of 25 months for each such price.
 */
export function buildSuspiciousPrices(sources: SuspiciousSources): SuspiciousPrices {
  const { prices, runs, accepted } = sources;
  const leftOut = acceptedRows(sources, accepted);
  const neighbourhood = { ...sources, leftOut: undefined, months: new Map() };
  const found: JudgedPrice[] = [];
  for (let run = 0; run < runs.markets.length; run++) {
    for (const rows of seriesOfRun(sources, run)) {
      for (const marked of markSeries(neighbourhood, rows)) if (!leftOut.has(marked.row)) found.push(marked);
    }
  }
  // The series of a run interleave.
  found.sort((a, b) => a.row - b.row);
  const bits = sharedColumn("Uint8Array", Math.ceil(prices.rowCount / 8));
  for (const { row } of found) bits[row >> 3]! |= 1 << (row & 7);
  return {
    rows: sharedColumnFrom("Uint32Array", found, ({ row }) => row),
    reasons: sharedColumnFrom("Uint8Array", found, ({ reason }) => suspiciousReasons.indexOf(reason!)),
    bits,
  };
}

/**
 * The rows whose acceptances hold: their prices have the values that were accepted. Cost: a read of each uuid; nothing
 * without acceptances.
 */
export function acceptedRows(
  { prices, catalogue }: Pick<SuspiciousSources, "prices" | "catalogue">,
  accepted: readonly PriceAcceptance[],
): ReadonlySet<number> {
  const uuids = new UuidSet(accepted.map(({ uuid }) => uuid));
  const rows = uuids.rowsIn(prices.uuids, prices.rowCount);
  return new Set(
    rows.filter((row) => {
      const acceptance = accepted[uuids.positionOf(prices.uuids, row)!]!;
      const values = acceptedValues({ prices, catalogue }, row);
      return acceptedFields.every((name) => acceptance[name] === null || acceptance[name] === values[name]);
    }),
  );
}

/** The fields of a price that an acceptance is of. */
export const acceptedFields = ["price", "unit", "currency", "productUuid", "marketUuid"] as const;

/** The values of a price that an acceptance of it is of. */
export function acceptedValues(
  { prices, catalogue }: Pick<SuspiciousSources, "prices" | "catalogue">,
  row: number,
): Pick<PriceAcceptance, (typeof acceptedFields)[number]> {
  return {
    price: prices.prices[row]!,
    unit: prices.unitNames[prices.units[row]!]!,
    currency: prices.currencyCodes[prices.currencies[row]!]!,
    productUuid: recordAt(catalogue.products, prices.products[row]!).uuid,
    marketUuid: recordAt(catalogue.markets, prices.markets[row]!).uuid,
  };
}

/** Why a row is marked; null where it is not. Cost: a binary search. */
export function suspiciousReasonOf({ rows, reasons }: SuspiciousPrices, row: number): SuspiciousReason | null {
  const at = lowerBound(rows, null, row, 0, rows.length);
  return rows[at] === row ? suspiciousReasons[reasons[at]!]! : null;
}

/** Returns whether a row is marked. */
export function isSuspicious({ bits }: SuspiciousPrices, row: number): boolean {
  return ((bits[row >> 3]! >> (row & 7)) & 1) === 1;
}

/** Prices of a series that are compared together: the least and the greatest clear most stretches at once. */
const stretchLength = 64;

/** The prices that a price is compared with. */
export interface UsualPrices {
  /** In the unit and currency of the price; it is suspicious where it is far from each. */
  readonly prices: readonly number[];
  /** A price may be so many times above or below them (inclusive). */
  readonly ratioMax: number;
  /** Number of prices that they are the medians of. */
  readonly count: number;
  /** The prices are those of its series, or of its product at the markets of its type. */
  readonly of: "series" | "product";
}

/** The judgement of the rule on a price. */
export interface JudgedPrice {
  readonly row: number;
  /** Undefined where there are too few prices to compare it with. */
  readonly usual: UsualPrices | undefined;
  /** Undefined where it is not suspicious. */
  readonly reason: SuspiciousReason | undefined;
}

/** The data that prices are judged by. */
interface Neighbourhood extends Omit<SuspiciousSources, "accepted"> {
  /** Of products at all markets of a type, where they are needed: by partition of the rollups. */
  readonly months: Map<number, MonthsOfProduct>;
  /** By row, 1 where its price is no neighbour of others; undefined where all are. */
  readonly leftOut: Uint8Array | undefined;
}

/**
 * Judges some rows, whether prices are accepted or not.
 *
 * @param rows Ascending.
 * @param neighbours `all`: as readers' marks are made. `others`: beside the prices of other rows alone, so that
 *   prices that are wrong together do not support one another.
 * @returns By run; within a run by series. Cost: a read of the runs of these rows and of up to 14 neighbours for each;
 *   for a product with rows that have too few neighbours also a pass over its prices.
 */
export function* judgeRows(
  sources: Omit<SuspiciousSources, "accepted">,
  rows: Uint32Array,
  neighbours: "all" | "others",
): Generator<JudgedPrice, void> {
  const { rowOffsets } = sources.runs;
  const isJudged = new Uint8Array(sources.prices.rowCount);
  for (const row of rows) isJudged[row] = 1;
  const neighbourhood = { ...sources, leftOut: neighbours === "all" ? undefined : isJudged, months: new Map() };
  let run = 0;
  for (let at = 0; at < rows.length; run++) {
    if (rows[at]! >= rowOffsets[run + 1]!) continue;
    for (const series of seriesOfRun(sources, run)) {
      for (const [position, row] of series.entries()) {
        if (isJudged[row] === 1) yield judgePrice(neighbourhood, series, position);
      }
    }
    while (at < rows.length && rows[at]! < rowOffsets[run + 1]!) at++;
  }
}

/** The rows of a series that are marked. @param rows In answer order. */
function* markSeries(neighbourhood: Neighbourhood, rows: readonly number[]): Generator<JudgedPrice, void> {
  const { prices } = neighbourhood.prices;
  for (let start = 0; start < rows.length; start += stretchLength) {
    const end = Math.min(rows.length, start + stretchLength);
    const isLevel = isLevelBetween(prices, rows, start - neighboursEachSide, end + neighboursEachSide);
    for (let at = start; at < end; at++) {
      if (isLevel && hasManyNeighbours(neighbourhood, rows, at)) continue;
      const judged = judgePrice(neighbourhood, rows, at);
      if (judged.reason !== undefined) yield judged;
    }
  }
}

/** Judges a price. @param rows Its series, in answer order. @param at Its position there. */
function judgePrice(neighbourhood: Neighbourhood, rows: readonly number[], at: number): JudgedPrice {
  const row = rows[at]!;
  const price = neighbourhood.prices.prices[row]!;
  const usual = usualOfSeries(neighboursOf(neighbourhood, rows, at)) ?? usualOfProduct(neighbourhood, row);
  if (usual === undefined || usual.prices.some((other) => !isBeyond(price, other, usual.ratioMax))) {
    return { row, usual, reason: undefined };
  }
  const isSlip = slipsUndone(price).some((right) =>
    usual.prices.every((other) => !isBeyond(right, other, slipRatioMax)),
  );
  return { row, usual, reason: isSlip ? "decimal_slip" : "far" };
}

/** The prices that a price may stand for after a slip of the decimal point by one or two digits, either way. */
function slipsUndone(price: number): readonly number[] {
  return [price / 10, price / 100, price * 10, price * 100];
}

/** Returns whether no price at some positions is far from the median of any others of them. */
function isLevelBetween(prices: Float64Array, rows: readonly number[], from: number, to: number): boolean {
  let [least, greatest] = [Infinity, 0];
  const end = Math.min(rows.length, to);
  for (let at = Math.max(0, from); at < end; at++) {
    const price = prices[rows[at]!]!;
    if (price < least) least = price;
    if (price > greatest) greatest = price;
  }
  return greatest <= least * seriesRatioMax;
}

/**
 * Returns whether a price has `neighboursMin` neighbours where none is left out: mostly those before it alone are
 * enough.
 */
function hasManyNeighbours(neighbourhood: Neighbourhood, rows: readonly number[], at: number): boolean {
  const { periods } = neighbourhood;
  const oldest = rows[at + neighboursMin];
  const days = oldest === undefined ? Infinity : ageOfRow(periods, oldest) - ageOfRow(periods, rows[at]!);
  return days <= neighbourDaysMax || neighboursOf(neighbourhood, rows, at).flat().length >= neighboursMin;
}

/** The prices next before and next after one of a series, nearest first. */
function neighboursOf(
  { prices: { prices }, periods, leftOut }: Neighbourhood,
  rows: readonly number[],
  at: number,
): readonly (readonly number[])[] {
  const ageAt = (position: number): number => ageOfRow(periods, rows[position]!);
  const inDirection = (step: 1 | -1): number[] => {
    const found: number[] = [];
    for (let other = at + step; other >= 0 && other < rows.length && found.length < neighboursEachSide; other += step) {
      if (Math.abs(ageAt(other) - ageAt(at)) > neighbourDaysMax) break;
      const row = rows[other]!;
      if (leftOut?.[row] !== 1) found.push(prices[row]!);
    }
    return found;
  };
  return [inDirection(1), inDirection(-1)];
}

/** Undefined where there are fewer than `neighboursMin`. @param neighbours Those of both sides. */
function usualOfSeries(neighbours: readonly (readonly number[])[]): UsualPrices | undefined {
  if (neighbours.reduce((sum, { length }) => sum + length, 0) < neighboursMin) return undefined;
  const sides = neighbours.filter(({ length }) => length >= sideNeighboursMin);
  const medians = sides.map((side) => median(side));
  const distances = sides.flatMap((side, i) => side.map((price) => Math.abs(Math.log(price / medians[i]!))));
  const deviation = normalScale * median(distances);
  return {
    prices: medians,
    ratioMax: Math.max(seriesRatioMax, Math.exp(deviationsMax * deviation)),
    count: distances.length,
    of: "series",
  };
}

/**
 * The usual price of the product of a row at the markets of its type; undefined where the price does not convert, or
 * fewer than `productOthersMin` others do.
 */
function usualOfProduct(neighbourhood: Neighbourhood, row: number): UsualPrices | undefined {
  const { catalogue, prices, periods, leftOut } = neighbourhood;
  const product = prices.products[row]!;
  const type = catalogue.marketTypeCodes[prices.markets[row]!]!;
  const partition = rollupPartition(product, type);
  const months = getOrInsert(neighbourhood.months, partition, () => monthsOf(neighbourhood, product, type));
  const converted = convertPrice(prices, months.conversion, row);
  if (Number.isNaN(converted)) return undefined;
  const month = monthNumber(periods.month.labels[periods.month.ofDay[periods.dayCodes[row]!]!]!);
  const { count, median: usual } = getOrInsert(months.around, month, () => groupAround(months.groups, month));
  const others = leftOut === undefined ? count - 1 : count;
  if (others < productOthersMin) return undefined;
  // In the unit of the price.
  const inUnit = (usual / converted) * prices.prices[row]!;
  return { prices: [inUnit], ratioMax: productRatioMax, count: others, of: "product" };
}

function monthsOf(neighbourhood: Neighbourhood, product: number, type: number): MonthsOfProduct {
  const { catalogue, periods, statisticsUnits, leftOut } = neighbourhood;
  const conversion = conversionTo(neighbourhood, statisticsUnits[product]!);
  const all = selectSegments(neighbourhood, product, { from: 0, to: catalogue.markets.length, type }, allDays);
  const segments = finish(withTest(all, leftOut === undefined ? null : (row) => leftOut[row] !== 1));
  const groups = finish(groupByPeriod({ ...neighbourhood, conversion }, "month", segments));
  const months = groups.map((group) => ({ ...group, month: monthNumber(periods.month.labels[group.key]!) }));
  return { conversion, groups: months, around: new Map() };
}

/** The prices of a product at markets of a type. */
interface MonthsOfProduct {
  readonly conversion: PriceConversion;
  readonly groups: readonly MonthGroup[];
  /** The prices of the months around a month, as they were needed. */
  readonly around: Map<MonthNumber, Pick<Group, "count" | "median">>;
}

type MonthGroup = Group & { readonly month: MonthNumber };

/** The prices of the months around one, itself among them: their number, and the median of monthly medians. */
function groupAround(groups: readonly MonthGroup[], month: MonthNumber): Pick<Group, "count" | "median"> {
  const near = groups.filter((other) => Math.abs(other.month - month) <= neighbourMonths);
  const count = near.reduce((sum, group) => sum + group.count, 0);
  return { count, median: count === 0 ? Number.NaN : weightedMedian(near, count) };
}

/** The least median that, with all below it, has at least half of the `count` prices of some groups. */
function weightedMedian(groups: readonly Group[], count: number): number {
  let below = 0;
  for (const group of groups.toSorted((a, b) => a.median - b.median)) {
    below += group.count;
    if (below * 2 >= count) return group.median;
  }
  throw new RangeError(`${count} prices are more than those of the groups`);
}

function median(values: readonly number[]): number {
  return medianOf(Float64Array.from(values), 0, values.length);
}

/** Returns whether a price is more than `ratio` times above or below another. */
export function isBeyond(price: number, usual: number, ratio: number): boolean {
  return price > usual * ratio || price * ratio < usual;
}
