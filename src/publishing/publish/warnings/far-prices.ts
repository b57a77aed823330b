/**
 * Prices far from the usual one, and the slips that explain them.
 *
 * The median and the median absolute deviation stand against any number of wrong prices below a half (P. J. Rousseeuw
 * and C. Croux, "Alternatives to the Median Absolute Deviation", JASA 88 (1993)). Deviations are of logarithms: a price
 * that is ten times too low is as far away as one that is ten times too high.
 */
import { recordAt } from "../../../engine/store/catalogue.ts";
import type { Store } from "../../../engine/store/store.ts";
import { isBeyond } from "../../../engine/store/suspicious-prices.ts";
import { neighboursMin, PriceJudge, roundingMax } from "./usual-prices.ts";
import { type Description, type Finding, findingOf, type Judgement } from "./warning.ts";

/**
 * A price is named a slip if it comes within this ratio of the usual price when the slip is undone (inclusive): so much
 * do most prices change within a year, and the slips next to one another, ten and a hundred, stay apart.
 */
export const slipRatioMax = 1.5;

/** By how much a slip of the decimal point multiplies a price. */
const decimalFactors = [10, 100, 0.1, 0.01] as const;

/** Finds prices far from the usual one, and those that nothing can judge. Cost: as `PriceJudge` says, for each row. */
export function* findFarPrices({ after, before, rows }: Judgement): Generator<Finding> {
  const { catalogue, prices } = after;
  const judge = new PriceJudge(after, before);
  const unitsOfProduct = productUnits(after);
  for (const row of rows) {
    const usual = judge.judge(row);
    if (usual === "usual") continue;
    if (usual === undefined) {
      yield findingOf("not-judged", row, () => describeUnjudged(after, row));
      continue;
    }
    const price = prices.prices[row]!;
    if (!isBeyond(price, usual.price, usual.ratioMax)) continue;
    const product = prices.products[row]!;
    const unit = prices.unitNames[prices.units[row]!]!;
    const slip = nearestSlip(price / usual.price, unitRatios(after, unit, unitsOfProduct(product)));
    const kind = slip === undefined ? "outlier" : slip.unit === undefined ? "decimal-slip" : "unit-slip";
    yield findingOf(kind, row, () => {
      const [least, about, greatest] = [1 / usual.ratioMax, 1, usual.ratioMax].map((by) =>
        shortNumber(usual.price * by),
      );
      const { name: own } = recordAt(catalogue.products, product);
      const name = usual.continuation === undefined ? own : `${usual.continuation}, the same under another name,`;
      const market = recordAt(catalogue.markets, prices.markets[row]!);
      const where = { own: market.name, type: `${market.type} markets`, all: "markets of all types" }[usual.markets];
      const among = usual.judgesItself ? ", those of this publication among them" : "";
      const currency = prices.currencyCodes[prices.currencies[row]!]!;
      const others = `${usual.count} recent prices of ${name} at ${where}${among}`;
      const basis = `the median of ${others}, ${currency} per ${unit}`;
      return {
        field: "price",
        found: `${price}${slipText(slip)}`,
        wanted: `${least} to ${greatest}, about ${about}, ${basis}`,
        deviation: { usualPrice: usual.price, slipFactor: slip?.factor },
      };
    });
  }
}

function describeUnjudged({ catalogue, prices }: Store, row: number): Description {
  const { name } = recordAt(catalogue.products, prices.products[row]!);
  const wanted = `at least ${neighboursMin} prices of ${name} of the year before to judge it by`;
  return { field: "price", found: String(prices.prices[row]), wanted };
}

/** A slip that explains a price. */
interface Slip {
  /** The factor that it has multiplied the price by. */
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
