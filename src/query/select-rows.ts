/** The prices that a question about statistics is of, as segments. */
import type { Range } from "../store/lower-bound.ts";
import { type MarketSegments, selectSegments } from "../store/runs.ts";
import { StepCounter } from "../store/step-counter.ts";
import type { Store } from "../store/store.ts";
import { anyFlag, flagCodeOf } from "./plan-prices.ts";
import type { PriceStatistics } from "./questions.ts";
import { selectMarkets } from "./select-markets.ts";

/** Rows looked at between two yields. */
const stepRows = 1 << 15;

/**
 * Selects the prices of a product at the wanted markets within some days, those of a price flag alone where one is asked for.
 *
 * @param days Day codes.
 * @returns Of each market newest first.
 * Cost: that of `selectSegments`, and with a flag a look at each row.
 */
export function* selectRows(
  store: Store,
  question: Omit<PriceStatistics, "productUuid">,
  product: number,
  days: Range,
): Generator<number, MarketSegments> {
  const segments = selectSegments(store, product, selectMarkets(store.catalogue, question), days);
  const flag = flagCodeOf(store.prices, question.priceFlag);
  if (flag === anyFlag) return segments;
  const rows = new Uint32Array(flag === undefined ? 0 : segments.rowCount);
  const found = { rows, markets: [] as number[], from: [] as number[], to: [] as number[], rowCount: 0 };
  if (flag === undefined) return found;
  const { flags } = store.prices;
  const steps = new StepCounter(stepRows);
  for (const [at, market] of segments.markets.entries()) {
    const [from, to] = [segments.from[at]!, segments.to[at]!];
    const start = found.rowCount;
    for (let row = from; row < to; row++) if (flags[row] === flag) rows[found.rowCount++] = row;
    if (found.rowCount > start) {
      found.markets.push(market);
      found.from.push(start);
      found.to.push(found.rowCount);
    }
    const step = steps.add(to - from);
    if (step > 0) yield step;
  }
  return found;
}
