import type { Store } from "../store/store.ts";

/** Divisor that marks a unit whose prices cannot be converted. No real factor is 0. */
export const excludedUnit = 0;

/** How prices become prices in one unit: `price * multiply[code] / divide[code]`, by unit code of the price columns. */
export interface UnitFactors {
  readonly multiply: Float64Array;
  /** `excludedUnit` for units of another base. */
  readonly divide: Float64Array;
}

/**
 * The factors for one target unit. A price per 90 kg bag divided by 90 is a price per kilogram; multiplying first and
 * dividing once keeps the result within a rounding of the exact one. A price already in the unit stays as it is.
 *
 * @throws {RangeError} when the catalogue has no such unit.
 */
export function unitFactors({ catalogue, prices }: Store, unitName: string): UnitFactors {
  const target = catalogue.units.get(unitName);
  if (target === undefined) throw new RangeError(`unit "${unitName}" is not in the catalogue`);
  const multiply = new Float64Array(prices.unitNames.length).fill(target.conversionFactor);
  const divide = Float64Array.from(prices.unitNames, (name) => {
    const unit = catalogue.units.get(name);
    return unit?.baseUnit === target.baseUnit ? unit.conversionFactor : excludedUnit;
  });
  const sameUnit = prices.unitNames.indexOf(unitName);
  if (sameUnit !== -1) multiply[sameUnit] = divide[sameUnit] = 1;
  return { multiply, divide };
}
