/** Slips of the pen that explain a price far from the usual one. */
import { recordAt } from "../../../engine/store/catalogue.ts";
import type { Store } from "../../../engine/store/store.ts";
import { roundingMax } from "./usual-prices.ts";

/**
 * A price is named a slip if it comes within this ratio of the usual price when the slip is undone (inclusive): so much
 * do most prices change within a year, and the slips next to one another, ten and a hundred, stay apart.
 */
const slipRatioMax = 1.5;

/** By how much a slip of the decimal point multiplies a price. */
const decimalFactors = [10, 100, 0.1, 0.01] as const;

/** A slip that explains a price. */
export interface Slip {
  /** The factor that it has multiplied the price by. */
  readonly factor: number;
  /** The unit whose price was written; undefined for a slip of the decimal point. */
  readonly unit: string | undefined;
}

/** Explains prices of a store. */
export class SlipFinder {
  readonly #store: Store;
  readonly #unitsOfProduct: (product: number) => ReadonlySet<string>;

  constructor(store: Store) {
    this.#store = store;
    this.#unitsOfProduct = productUnits(store);
  }

  /** The slip that brings a row nearest to the usual price when it is undone; undefined if none brings it near. */
  find(row: number, usualPrice: number): Slip | undefined {
    const { prices } = this.#store;
    const unit = prices.unitNames[prices.units[row]!]!;
    const units = unitRatios(this.#store, unit, this.#unitsOfProduct(prices.products[row]!));
    return nearestSlip(prices.prices[row]! / usualPrice, units);
  }
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
 * The slips of writing the price of another unit of the product, or of the base unit, in the place of a unit's price.
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
