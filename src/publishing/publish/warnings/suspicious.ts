/**
 * Prices that the rule of suspicious prices marks, as readers see it, or beside the prices alone that were published
 * before: a whole table in a wrong unit supports itself.
 */

import { findRowOf } from "../../../engine/model/ids.ts";
import { foundName } from "../../../engine/snapshots/problem.ts";
import { recordAt } from "../../../engine/store/catalogue.ts";
import type { Store } from "../../../engine/store/store.ts";
import {
  acceptedRows,
  isSuspicious,
  type JudgedPrice,
  judgeRows,
  slipRatioMax,
  suspiciousRule,
  type UsualPrices,
} from "../../../engine/store/suspicious-prices.ts";
import { type Description, type Finding, findingOf, type Judgement, type SuspiciousRows } from "./warning.ts";

/** Conversions of units round; ratios that are equal but for that count as equal. */
const roundingMax = 1e-9;

/** By how much a slip of the decimal point multiplies a price. */
const decimalSlips: readonly Slip[] = [10, 100, 0.1, 0.01].map((factor) => ({ factor, unit: undefined }));

/** A slip that explains a price. */
interface Slip {
  /** The factor that it has multiplied the price by. */
  readonly factor: number;
  /** The unit whose price was written; undefined for a slip of the decimal point. */
  readonly unit: string | undefined;
}

/** Judges the rows of a publication. Cost: as `judgeRows` says, twice. */
export function findMarkedRows({ after, before, rows, accepted }: Omit<Judgement, "suspicious">): SuspiciousRows {
  const leftOut = acceptedRows(after, accepted);
  const marked = new Map<number, UsualPrices>();
  let unjudgedCount = 0;
  const mark = ({ row, usual, reason }: JudgedPrice): void => {
    if (usual !== undefined && reason !== undefined && !leftOut.has(row)) marked.set(row, usual);
  };
  for (const judged of judgeRows(after, rows, "all")) {
    if (judged.usual === undefined) unjudgedCount++;
    mark(judged);
  }
  const isFirst = before === undefined || before.prices.rowCount === 0;
  if (!isFirst) for (const judged of judgeRows(after, rows, "others")) mark(judged);
  return { marked, unjudgedCount };
}

/** Finds prices that the rule marks. */
export function* findSuspicious({ after, suspicious }: Judgement): Generator<Finding> {
  for (const [row, usual] of suspicious.marked) {
    yield findingOf("suspicious", row, () => describeSuspicious(after, row, usual));
  }
}

/** Counts the rows that are marked now, were not before, and are not of the publication. */
export function countNewlyMarked({ after, before, rows }: Judgement): number {
  if (before === undefined) return 0;
  const added = new Set(rows);
  let count = 0;
  for (const row of after.suspicious.rows) {
    if (added.has(row)) continue;
    const rowBefore = findRowOf(before.rowByUuid, before.prices.uuids, after.prices.uuids, row);
    if (rowBefore !== undefined && !isSuspicious(before.suspicious, rowBefore)) count++;
  }
  return count;
}

function describeSuspicious(
  store: Store,
  row: number,
  { prices: medians, ratioMax, count, of }: UsualPrices,
): Description {
  const { catalogue, prices } = store;
  const price = prices.prices[row]!;
  const distance = (usual: number): number => Math.abs(Math.log(price / usual));
  const usual = medians.reduce((nearest, other) => (distance(other) < distance(nearest) ? other : nearest));
  const slip = findSlip(store, row, price / usual);
  const [least, about, greatest] = [1 / ratioMax, 1, ratioMax].map((by) => shortNumber(usual * by));
  const { name } = recordAt(catalogue.products, prices.products[row]!);
  const market = recordAt(catalogue.markets, prices.markets[row]!);
  const where = of === "series" ? foundName(market.name) : `${market.type} markets`;
  const currency = prices.currencyCodes[prices.currencies[row]!]!;
  const unit = prices.unitNames[prices.units[row]!]!;
  return {
    field: "price",
    found: `${price}${slipText(slip)}`,
    wanted:
      `${least} to ${greatest}, about ${about}, by ${count} other prices of ${foundName(name)} at ${where}, ` +
      `${currency} per ${foundName(unit)} (${suspiciousRule})`,
    deviation: { usualPrice: usual, slipFactor: slip?.factor },
  };
}

function slipText(slip: Slip | undefined): string {
  if (slip === undefined) return "";
  if (slip.unit !== undefined) return `, which looks like the price per ${foundName(slip.unit)}`;
  return `, which looks ${slip.factor > 1 ? `${slip.factor} times too high` : `${1 / slip.factor} times too low`}`;
}

/** The slip that, undone, brings a price nearest to the usual one; undefined if none within `slipRatioMax`. */
function findSlip(store: Store, row: number, ratio: number): Slip | undefined {
  let nearest: Slip | undefined;
  let distance = Math.log(slipRatioMax) + roundingMax;
  // Units come first: of a bag of 100 kg and two digits, the bag is the better guess.
  for (const slip of [...unitSlips(store, row), ...decimalSlips]) {
    const own = Math.abs(Math.log(ratio / slip.factor));
    if (own > distance || (own === distance && nearest !== undefined)) continue;
    nearest = slip;
    distance = own;
  }
  return nearest;
}

/**
 * The slips of writing the price of another unit in the place of a unit's price: of one of the product, common or of
 * its prices, or of the base unit.
 */
function unitSlips({ catalogue, prices, series }: Store, row: number): Slip[] {
  const name = prices.unitNames[prices.units[row]!]!;
  const unit = catalogue.units.get(name);
  if (unit === undefined) return [];
  const product = prices.products[row]!;
  const codes = series.units.subarray(series.offsets[product], series.offsets[product + 1]);
  const { commonUnits } = recordAt(catalogue.products, product);
  const others = new Set([...commonUnits, ...Array.from(codes, (code) => prices.unitNames[code]!), unit.baseUnit]);
  return [...others].flatMap((otherName): Slip[] => {
    const other = catalogue.units.get(otherName);
    if (other === undefined || otherName === name || other.baseUnit !== unit.baseUnit) return [];
    return [{ factor: other.conversionFactor / unit.conversionFactor, unit: otherName }];
  });
}

/** Four significant digits are enough to see what is meant. */
function shortNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}
