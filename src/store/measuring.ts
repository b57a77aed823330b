/**
 * How the prices of a product become prices in one unit and one currency. A price per 90 kg bag divided by 90 is a price
 * per kilogram; multiplying first and dividing once keeps the result within a rounding of the exact one. A price already
 * in the unit stays as it is. What cannot be converted is left out and counted.
 */
import type { Catalogue } from "./catalogue.ts";
import type { GroupFiguresBuilder } from "./group-figures.ts";
import type { PriceColumns } from "./price-columns.ts";

export interface Measuring {
  /** Code of the unit wanted; -1 when no price has it. */
  readonly unit: number;
  /** Code of the currency wanted; -1 when no price has it. */
  readonly currency: number;
  /** By unit code: a price becomes `price * multiply / divide`. */
  readonly multiply: Float64Array;
  /** By unit code: `unconvertible` for units of another base. */
  readonly divide: Float64Array;
}

/** Divisor that marks a unit whose prices cannot be converted. No real factor is 0. */
const unconvertible = 0;

/**
 * The factors for one unit and currency.
 *
 * @throws {RangeError} when the catalogue has no such unit.
 */
export function measuringIn(
  catalogue: Catalogue,
  prices: PriceColumns,
  unitName: string,
  currency: string | null,
): Measuring {
  const target = catalogue.units.get(unitName);
  if (target === undefined) throw new RangeError(`unit "${unitName}" is not in the catalogue`);
  const unit = prices.unitNames.indexOf(unitName);
  const multiply = new Float64Array(prices.unitNames.length).fill(target.conversionFactor);
  const divide = Float64Array.from(prices.unitNames, (name) => {
    const recorded = catalogue.units.get(name);
    return recorded?.baseUnit === target.baseUnit ? recorded.conversionFactor : unconvertible;
  });
  if (unit !== -1) multiply[unit] = divide[unit] = 1;
  return { unit, currency: currency === null ? -1 : prices.currencyCodes.indexOf(currency), multiply, divide };
}

/** A price in the unit and currency wanted; NaN when it cannot be converted. */
export function sampleOf({ prices, units, currencies }: PriceColumns, measuring: Measuring, row: number): number {
  const recorded = units[row]!;
  const divisor = measuring.divide[recorded]!;
  if (divisor === unconvertible || currencies[row]! !== measuring.currency) return Number.NaN;
  return (prices[row]! * measuring.multiply[recorded]!) / divisor;
}

/**
 * Measures some prices and adds them as one group.
 *
 * @param rows Row by position, or null when positions are rows.
 * @param from First position (inclusive).
 * @param to End of the positions (exclusive).
 * @param scratch At least as long as there are positions; overwritten.
 */
export function addGroup(
  builder: GroupFiguresBuilder,
  key: number,
  prices: PriceColumns,
  measuring: Measuring,
  rows: Uint32Array | null,
  from: number,
  to: number,
  scratch: Float64Array,
): void {
  const { multiply, divide, unit, currency } = measuring;
  const { units, currencies } = prices;
  const amounts = prices.prices;
  let count = 0;
  let converted = 0;
  for (let position = from; position < to; position++) {
    const row = rows === null ? position : rows[position]!;
    const recorded = units[row]!;
    const divisor = divide[recorded]!;
    if (divisor === unconvertible || currencies[row]! !== currency) continue;
    if (recorded !== unit) converted++;
    scratch[count++] = (amounts[row]! * multiply[recorded]!) / divisor;
  }
  builder.add(key, scratch, count, converted, to - from - count);
}
