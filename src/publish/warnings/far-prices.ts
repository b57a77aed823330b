/**
 * Prices far from the usual one, and the slips that explain them.
 *
 * The usual price is the median of the series (product, market, unit and currency) over the year before: the prices of
 * earlier days, at most the 50 newest. Where these are fewer than five, because a series is new or has long been
 * silent, it is that of the product at all markets of the type, in its own unit and currency: the median of its monthly
 * medians, each counting as often as the month has prices, of the price's own month and those before it, back to the
 * month a year earlier.
 *
 * The median and the median absolute deviation stand against any number of wrong prices below a half (P. J. Rousseeuw
 * and C. Croux, "Alternatives to the Median Absolute Deviation", JASA 88 (1993)). Deviations are of logarithms: a price
 * that is ten times too low is as far away as one that is ten times too high.
 */
import { median, medianAbsoluteDeviation } from "simple-statistics";
import type { Day } from "../../domain/calendar-day.ts";
import { monthText } from "../../domain/calendar-periods.ts";
import { recordAt } from "../../store/catalogue.ts";
import { lowerBound } from "../../store/lower-bound.ts";
import { rollupPartition } from "../../store/rollups.ts";
import { findRun } from "../../store/runs.ts";
import type { Store } from "../../store/store.ts";
import { conversionTo, convertPrice, type UnitConversion } from "../../store/unit-conversion.ts";
import { dayOfRow } from "./row-text.ts";
import type { Findings, Judgement } from "./warning.ts";

/** How far back prices count, in days. */
export const recentDays = 365;

/** Only so many of the newest prices count: two months of daily prices, and all of a year of weekly ones. */
export const neighboursMax = 50;

/** The median of fewer prices says nothing: one wrong price of four would move it by half the distance to the next. */
export const neighboursMin = 5;

/**
 * A price may be this many times above or below the median of its series (inclusive). Of the bundled prices, those of
 * cabbage fall to a quarter and rise again within a year; what is beyond four times are single prices that look wrong.
 */
export const seriesRatioMax = 4;

/** As `seriesRatioMax`, for the median of the product at all markets of the type, which differ. */
export const productRatioMax = 6;

/** A price may be this many deviations away from the median of its series (inclusive), however far that is. */
export const deviationsMax = 5;

/** From the median absolute deviation of a normal distribution to its standard deviation: 1 / Φ⁻¹(3/4). */
export const normalScale = 1.4826;

/**
 * A price is named a slip if it comes within this ratio of the usual price when the slip is undone (inclusive): so much
 * do most prices change within a year, and the slips next to one another, ten and a hundred, stay apart.
 */
export const slipRatioMax = 1.5;

/** Conversions of units round; ratios that are equal but for that count as equal. */
const roundingMax = 1e-9;

/** By how much a slip of the decimal point multiplies a price. */
const decimalFactors = [10, 100, 0.1, 0.01] as const;

/** What a price should be about. */
export interface UsualPrice {
  /** In the unit and currency of the price. */
  readonly price: number;
  /** How many prices it is the median of. */
  readonly count: number;
  /** How many times above or below it a price may be (inclusive). */
  readonly ratioMax: number;
  readonly of: "series" | "product";
}

/**
 * Finds prices far from the usual one. Cost: for each row a look at up to 50 neighbouring rows, or 13 months of a
 * rollup.
 */
export function findFarPrices({ after, rows }: Judgement, findings: Findings): void {
  const { catalogue, prices } = after;
  const usualOf = usualPrices(after);
  const unitsOfProduct = productUnits(after);
  for (const row of rows) {
    const usual = usualOf(row);
    if (usual === undefined) continue;
    const price = prices.prices[row]!;
    if (!isBeyond(price, usual.price, usual.ratioMax)) continue;
    const product = prices.products[row]!;
    const unit = prices.unitNames[prices.units[row]!]!;
    const slip = nearestSlip(price / usual.price, unitRatios(after, unit, unitsOfProduct(product)));
    const kind = slip === undefined ? "outlier" : slip.unit === undefined ? "decimal-slip" : "unit-slip";
    findings.add(kind, { row }, () => {
      const [least, about, greatest] = [1 / usual.ratioMax, 1, usual.ratioMax].map((by) =>
        shortNumber(usual.price * by),
      );
      const { name } = recordAt(catalogue.products, product);
      const market = recordAt(catalogue.markets, prices.markets[row]!);
      const where = usual.of === "series" ? market.name : `${market.type} markets`;
      const currency = prices.currencyCodes[prices.currencies[row]!]!;
      const basis = `the median of ${usual.count} recent prices of ${name} at ${where}, ${currency} per ${unit}`;
      return {
        field: "price",
        found: `${price}${slipText(slip)}`,
        wanted: `${least} to ${greatest}, about ${about}, ${basis}`,
        deviation: { usualPrice: usual.price, slipFactor: slip?.factor },
      };
    });
  }
}

/** Whether a price is more than `ratioMax` times above or below another. */
function isBeyond(price: number, usual: number, ratioMax: number): boolean {
  return price > usual * ratioMax || price * ratioMax < usual;
}

/**
 * The usual price of a row, for rows of one store in any order.
 *
 * @returns A function; it answers undefined where there are too few prices to compare with, and may answer undefined
 *   where the price is surely usual.
 */
function usualPrices(store: Store): (row: number) => UsualPrice | undefined {
  const { prices, periods, runs } = store;
  const neighbours = new Float64Array(neighboursMax);
  const productOf = productPrices(store);
  return (row) => {
    const count = gatherNeighbours(row, neighbours);
    if (count < neighboursMin) return productOf(row);
    const price = prices.prices[row]!;
    let [least, greatest] = [Infinity, 0];
    for (let at = 0; at < count; at++) {
      const neighbour = neighbours[at]!;
      if (neighbour < least) least = neighbour;
      if (neighbour > greatest) greatest = neighbour;
    }
    // The median lies between them, so this saves almost every row the selection.
    if (!isBeyond(price, least, seriesRatioMax) && !isBeyond(price, greatest, seriesRatioMax)) return undefined;
    const values = Array.from(neighbours.subarray(0, count));
    const deviation = normalScale * medianAbsoluteDeviation(values.map(Math.log));
    const ratioMax = Math.max(seriesRatioMax, Math.exp(deviationsMax * deviation));
    return { price: median(values), count, ratioMax, of: "series" };
  };

  /** The prices of the series on earlier days, newest first, as many as there is room for. @returns How many. */
  function gatherNeighbours(row: number, values: Float64Array): number {
    const { products, markets, units, currencies, rowCount } = prices;
    const { dayCodes, ages } = periods;
    const [product, market, unit, currency] = [products[row]!, markets[row]!, units[row]!, currencies[row]!];
    const ageMax = ages[dayCodes[row]!]! + recentDays;
    let count = 0;
    // Rows of a product at a market follow one another, newest first. Of one day there may be thousands.
    const isAlone = dayCodes[row + 1] !== dayCodes[row];
    for (let at = isAlone ? row + 1 : endOfDay(row); at < rowCount && count < values.length; at++) {
      if (products[at] !== product || markets[at] !== market || ages[dayCodes[at]!]! > ageMax) break;
      if (units[at] !== unit || currencies[at] !== currency) continue;
      values[count++] = prices.prices[at]!;
    }
    return count;
  }

  /** The end of the rows of the product, market and day of a row. Cost: two binary searches. */
  function endOfDay(row: number): number {
    const run = findRun(runs, prices.products[row]!, prices.markets[row]!)!;
    return lowerBound(periods.dayCodes, null, periods.dayCodes[row]! + 1, row, runs.rowOffsets[run + 1]!);
  }
}

/** The usual price of the product of a row at all markets of its type. Cost: a binary search, and 13 months at most. */
function productPrices(store: Store): (row: number) => UsualPrice | undefined {
  const { catalogue, prices, periods, rollups, measures } = store;
  const { month } = periods;
  const conversions = new Map<number, UnitConversion>();
  /** Label of the first month that counts, by day code. */
  const firstMonths = new Map<number, string>();
  return (row) => {
    const product = prices.products[row]!;
    const conversion = conversions.getOrInsertComputed(product, () =>
      conversionTo(catalogue, prices, measures[product]!),
    );
    const converted = convertPrice(prices, conversion, row);
    if (Number.isNaN(converted)) return undefined;
    const { offsets, keys, counts, medians } = rollups.month;
    const partition = rollupPartition(product, catalogue.marketTypeCodes[prices.markets[row]!]!);
    const day = periods.dayCodes[row]!;
    const end = offsets[partition + 1]!;
    const firstMonth = firstMonths.getOrInsertComputed(day, () =>
      monthText((dayOfRow(store, row) - recentDays) as Day),
    );
    // Months count from the newest, so those that follow are older.
    const from = lowerBound(keys, null, month.ofDay[day]!, offsets[partition]!, end);
    let [to, count, least, greatest] = [from, 0, Infinity, 0];
    for (; to < end && month.labels[keys[to]!]! >= firstMonth; to++) {
      if (counts[to] === 0) continue;
      count += counts[to]!;
      least = Math.min(least, medians[to]!);
      greatest = Math.max(greatest, medians[to]!);
    }
    // One of them is the price itself.
    if (count <= neighboursMin) return undefined;
    const ratioMax = productRatioMax * (1 + roundingMax);
    if (!isBeyond(converted, least, ratioMax) && !isBeyond(converted, greatest, ratioMax)) return undefined;
    const usual = weightedMedian(medians.subarray(from, to), counts.subarray(from, to), count);
    // Back into the unit of the row.
    return { price: (usual / converted) * prices.prices[row]!, count, ratioMax, of: "product" };
  };
}

/**
 * The least median that, with all below it, has at least half of the prices.
 *
 * @param counts How many prices each of the medians is of; `count` in all.
 */
function weightedMedian(medians: Float64Array, counts: Uint32Array, count: number): number {
  let sum = 0;
  for (const at of [...medians.keys()].sort((a, b) => medians[a]! - medians[b]!)) {
    sum += counts[at]!;
    if (sum * 2 >= count) return medians[at]!;
  }
  throw new RangeError(`count is ${count}, expected that of the months`);
}

/** A slip that explains a price. */
interface Slip {
  /** What it has multiplied the price by. */
  readonly factor: number;
  /** The unit whose price was written; undefined for a slip of the decimal point. */
  readonly unit: string | undefined;
}

/** The slip that brings a price nearest to the usual one when it is undone; undefined if none brings it near. */
function nearestSlip(ratio: number, units: readonly Slip[]): Slip | undefined {
  let nearest: Slip | undefined;
  let distance = Math.log(slipRatioMax) + roundingMax;
  // Units come first: of a bag of 100 kg and two digits, the bag is the better guess.
  for (const slip of [...units, ...decimalFactors.map((factor): Slip => ({ factor, unit: undefined }))]) {
    const own = Math.abs(Math.log(ratio / slip.factor));
    if (own > distance || (own === distance && nearest !== undefined)) continue;
    nearest = slip;
    distance = own;
  }
  return nearest;
}

/**
 * What a price of one unit is multiplied by when the price of another unit of the product, or the base unit, is written
 * in its place.
 */
function unitRatios({ catalogue }: Store, name: string, others: ReadonlySet<string>): Slip[] {
  const unit = catalogue.units.get(name);
  if (unit === undefined) return [];
  const slips: Slip[] = [];
  for (const otherName of new Set([...others, unit.baseUnit])) {
    const other = catalogue.units.get(otherName);
    if (other === undefined || otherName === name || other.baseUnit !== unit.baseUnit) continue;
    slips.push({ factor: other.conversionFactor / unit.conversionFactor, unit: otherName });
  }
  return slips;
}

/** The units in which a product is sold: its common units, and those of its prices. */
function productUnits({ catalogue, prices, series }: Store): (product: number) => ReadonlySet<string> {
  const units = new Map<number, ReadonlySet<string>>();
  return (product) =>
    units.getOrInsertComputed(product, () => {
      const codes = new Set(series.units.subarray(series.offsets[product], series.offsets[product + 1]));
      const { commonUnits } = recordAt(catalogue.products, product);
      return new Set([...commonUnits, ...[...codes].map((code) => prices.unitNames[code]!)]);
    });
}

function slipText(slip: Slip | undefined): string {
  if (slip === undefined) return "";
  if (slip.unit !== undefined) return `, which looks like the price per ${slip.unit}`;
  return slip.factor > 1
    ? `, which looks ${slip.factor} times too high`
    : `, which looks ${1 / slip.factor} times too low`;
}

/** Four significant digits are enough to see what is meant. */
function shortNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}
