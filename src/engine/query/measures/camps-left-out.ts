/** Counts what a question about one product leaves out because it is of refugee camps. */
import type { MonthRange } from "../../model/calendar.ts";
import type { Store } from "../../store/store.ts";
import type { MarketConditions } from "../questions.ts";
import { selectRuns } from "../select.ts";
import { MonthlyPanel } from "./monthly-panel.ts";

/**
 * 1 where refugee camps are left out and have a value in the months; otherwise 0. Cost: two reads of each price of the
 * product in these camps.
 */
export function* campsLeftOut(
  store: Store,
  { product, ...question }: MarketConditions & { readonly product: number },
  { first, last }: MonthRange,
): Generator<number, number> {
  if (question.refugeeCamps !== "exclude") return 0;
  const panel = new MonthlyPanel(store);
  yield* panel.read(product, selectRuns(store, product, { ...question, refugeeCamps: "only" }));
  return Number(panel.months.subarray(0, panel.length).some((month) => month >= first && month <= last));
}
