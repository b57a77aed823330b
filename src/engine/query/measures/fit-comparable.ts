/**
 * Comparable prices, the method `comparable-1`: a price of each month that markets which come and go do not shift.
 *
 * Least squares of ln v(m,i) = a(m) + b(i) over all monthly values v of the markets m, each value counting once: a
 * dummy for each market and each month. R. Summers, "International Price Comparisons Based upon Incomplete Data",
 * Review of Income and Wealth 19 (1973) has it for countries and products; for times it is the time-product dummy:
 * J. de Haan, R. Hendriks and M. Scholz, "Price Measurement Using Scanner Data: Time-Product Dummy Versus Time Dummy
 * Hedonic Indexes", Review of Income and Wealth 67 (2021). The comparable price of a month is exp(b(i) + ā), ā the mean
 * of a(m) over the values.
 *
 * Months and markets that values join are a component, which is fitted alone: nothing says how the levels of two
 * components compare. A month has one component, as all its markets are joined by it.
 */
import type { MonthlyPanel } from "./monthly-panel.ts";
import { type Factor, fitTwoWay } from "./two-way-fit.ts";

/** The name of the method, in answers and manuals. Frozen: another method gets another number. */
export const comparableMethod = "comparable-1";

/**
 * The greatest logarithm of a comparable price, and of the residual deviation: far above any real one, and so far below
 * the greatest number that ratios are finite. Markets that follow one another may add up their ratios to any price.
 */
const logMax = 300;

/** The values that are fitted. */
export type FittedValues = Pick<MonthlyPanel, "length" | "marketCount" | "markets" | "months" | "medians">;

/** The comparable prices of some markets. The arrays are by position, ascending by month. */
export interface ComparablePrices {
  /** Numbers of the months that have a value. */
  readonly months: Int32Array;
  readonly prices: Float64Array;
  /** Markets with a value in the month. */
  readonly marketCounts: Uint32Array;
  /** Numbers from 1: those with most values first, then by first month. */
  readonly components: Uint32Array;
  /**
   * Standard deviation of the residuals of the logarithms, over all components: the root of their squares by values −
   * markets − months + components. Undefined where that is 0.
   */
  readonly residualDeviation: number | undefined;
}

/** The cost of the columns of a month, in the rows of a search, which steps count. */
const monthWeight = 12;

/** @returns Prices in the unit and currency of the values. Cost: four reads of each value, and that of `fitTwoWay`. */
export function* fitComparable(panel: FittedValues): Generator<number, ComparablePrices> {
  const { months, positions } = numberMonths(panel);
  const { components, cellsOf } = splitComponents(panel, positions, months.length);
  yield panel.length + monthWeight * months.length;
  const prices = new Float64Array(months.length);
  let squares = 0;
  for (const cells of cellsOf) squares += yield* fitComponent(panel, positions, cells, prices);
  const marketCounts = new Uint32Array(months.length);
  for (const position of positions) marketCounts[position]!++;
  const freedom = panel.length - panel.marketCount - months.length + cellsOf.length;
  const residualDeviation = freedom === 0 ? undefined : Math.min(Math.sqrt(squares / freedom), logMax);
  return { months, prices, marketCounts, components, residualDeviation };
}

/** The months that have a value, ascending, and the position of the month of each value. */
function numberMonths({ length, months }: FittedValues): { months: Int32Array; positions: Int32Array } {
  const monthOf = months.subarray(0, length);
  const found = Int32Array.from(new Set(monthOf)).sort();
  const positionOf = new Map(Array.from(found, (month, position) => [month, position]));
  return { months: found, positions: monthOf.map((month) => positionOf.get(month)!) };
}

interface Components {
  /** Number of the component of each month, from 1. */
  readonly components: Uint32Array;
  /** Positions of the values of each component in the panel, ascending, by number − 1. */
  readonly cellsOf: readonly Uint32Array[];
}

/** Joins the months of each market, and numbers what is joined. */
function splitComponents({ length, markets }: FittedValues, positions: Int32Array, monthCount: number): Components {
  const roots = joinMonths({ length, markets }, positions, monthCount);
  const counts = new Uint32Array(monthCount);
  for (let at = 0; at < length; at++) counts[roots[positions[at]!]!]!++;
  const found = [...counts.keys()].filter((root) => counts[root]! > 0);
  // Sorting is stable: equal ones stay by first month.
  const sorted = found.sort((a, b) => counts[b]! - counts[a]!);
  const numbers = new Uint32Array(monthCount);
  const cellsOf = sorted.map((root, at) => {
    numbers[root] = at + 1;
    return new Uint32Array(counts[root]!);
  });
  const components = new Uint32Array(monthCount);
  for (let position = 0; position < monthCount; position++) components[position] = numbers[roots[position]!]!;
  const filled = new Uint32Array(cellsOf.length);
  for (let at = 0; at < length; at++) {
    const component = components[positions[at]!]! - 1;
    cellsOf[component]![filled[component]!++] = at;
  }
  return { components, cellsOf };
}

/** Returns for each month the first one that it is joined with, by position. */
function joinMonths(
  { length, markets }: Pick<FittedValues, "length" | "markets">,
  positions: Int32Array,
  monthCount: number,
): Int32Array {
  const parents = new Int32Array(monthCount);
  for (let position = 0; position < monthCount; position++) parents[position] = position;
  const rootOf = (position: number): number => {
    let root = position;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root]!]!;
      root = parents[root]!;
    }
    return root;
  };
  for (let at = 1; at < length; at++) {
    if (markets[at] !== markets[at - 1]) continue;
    const [a, b] = [rootOf(positions[at - 1]!), rootOf(positions[at]!)];
    parents[Math.max(a, b)] = Math.min(a, b);
  }
  return parents.map((_, position) => rootOf(position));
}

/**
 * Writes the comparable prices of the months of a component.
 *
 * @param cells Positions of its values.
 * @param prices By position of the month.
 * @returns The sum of the squares of the residuals.
 */
function* fitComponent(
  panel: FittedValues,
  positions: Int32Array,
  cells: Uint32Array,
  prices: Float64Array,
): Generator<number, number> {
  const market = renumber(cells, panel.markets, panel.marketCount);
  if (market.count === 1) {
    for (const cell of cells) prices[positions[cell]!] = panel.medians[cell]!;
    return 0;
  }
  const month = renumber(cells, positions, prices.length);
  const logs = new Float64Array(cells.length);
  for (let at = 0; at < cells.length; at++) logs[at] = Math.log(panel.medians[cells[at]!]!);
  yield cells.length;
  const [ofMarket, ofMonth] = yield* fitTwoWay(logs, market, month);
  let effects = 0;
  let squares = 0;
  for (let at = 0; at < cells.length; at++) {
    const effect = ofMarket[market.codes[at]!]!;
    const residual = logs[at]! - effect - ofMonth[month.codes[at]!]!;
    effects += effect;
    squares += residual * residual;
  }
  for (let at = 0; at < cells.length; at++) {
    prices[positions[cells[at]!]!] = Math.exp(boundLog(ofMonth[month.codes[at]!]! + effects / cells.length));
  }
  return squares;
}

/** The keys of values, renumbered from 0 in the order in which they come first. @param keyCount Keys are below it. */
function renumber(cells: Uint32Array, keys: Int32Array, keyCount: number): Factor {
  const known = new Int32Array(keyCount).fill(-1);
  const codes = new Int32Array(cells.length);
  let count = 0;
  for (let at = 0; at < cells.length; at++) {
    const key = keys[cells[at]!]!;
    if (known[key] === -1) known[key] = count++;
    codes[at] = known[key]!;
  }
  return { codes, count };
}

function boundLog(log: number): number {
  return Math.max(-logMax, Math.min(logMax, log));
}
