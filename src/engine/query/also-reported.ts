/** Finds the products under which the goods of a product may be recorded as well, and whose prices those are. */
import { monthTextOf } from "../model/calendar.ts";
import type { ProductRecord } from "../model/records.ts";
import type { Population } from "../model/vocabulary.ts";
import { namesakeKey, type ProductCode, recordAt } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { newestDayAt } from "./places-of-product.ts";

/** The most products that are listed beside one; more share a word and nothing else. */
export const alsoReportedMax = 100;

/** A product of the same category whose name begins with the same word. */
export interface AlsoReported {
  readonly product: ProductRecord;
  /** The month of its newest price in each population, `2026-03`; null where it has none. */
  readonly newestMonth: { readonly refugeeCamps: string | null; readonly otherMarkets: string | null };
}

/**
 * The namesakes of a product, by name, at most `alsoReportedMax`. Cost: a read of their runs.
 *
 * @param code Not among them.
 */
export function alsoReportedAs(store: Store, code: ProductCode): AlsoReported[] {
  const { products, namesakes } = store.catalogue;
  return (namesakes.get(namesakeKey(recordAt(products, code))) ?? [])
    .filter((other) => other !== code)
    .slice(0, alsoReportedMax)
    .map((other) => ({ product: recordAt(products, other), newestMonth: newestMonths(store, other) }));
}

function newestMonths(store: Store, code: ProductCode): AlsoReported["newestMonth"] {
  const monthIn = (refugeeCamps: Population): string | null => {
    const day = newestDayAt(store, code, { refugeeCamps });
    return day === undefined ? null : monthTextOf(day);
  };
  return { refugeeCamps: monthIn("only"), otherMarkets: monthIn("exclude") };
}
