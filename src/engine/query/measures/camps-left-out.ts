/** Counts what a question about one product leaves out because it is of refugee camps. */
import type { MonthRange } from "../../model/calendar.ts";
import type { Store } from "../../store/store.ts";
import type { MarketConditions } from "../questions.ts";
import { selectRuns } from "../select.ts";
import { costOfRun } from "./monthly-panel.ts";
import { MonthlyReader } from "./monthly-values.ts";

/**
 * 1 where refugee camps are left out and have a value in the months; otherwise 0. Cost: at most a read of each price of
 * the product in these camps.
 */
export function* campsLeftOut(
  store: Store,
  { product, ...question }: MarketConditions & { readonly product: number },
  { first, last }: MonthRange,
): Generator<number, number> {
  if (question.refugeeCamps !== "exclude") return 0;
  const reader = new MonthlyReader(store);
  for (const run of selectRuns(store, product, { ...question, refugeeCamps: "only" })) {
    const newest = reader.newestMonthOf(product, run, last);
    yield costOfRun(store, run);
    if (newest !== undefined && newest >= first) return 1;
  }
  return 0;
}
