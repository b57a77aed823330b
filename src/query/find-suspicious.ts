/** The suspicious prices among those that a selection is of. */
import { lowerBound } from "../store/lower-bound.ts";
import { isOfType } from "../store/runs.ts";
import type { Store } from "../store/store.ts";
import type { Selection } from "./select.ts";

/** @returns Ascending rows: by market, newest first. Cost: a look at each suspicious price of the product. */
export function suspiciousRows(
  { catalogue, periods, prices, suspicious: { rows } }: Store,
  { product, markets, days, rowTest }: Pick<Selection, "product" | "markets" | "days" | "rowTest">,
): Uint32Array {
  if (product === undefined) return new Uint32Array();
  const first = lowerBound(rows, null, prices.productOffsets[product]!, 0, rows.length);
  const end = lowerBound(rows, null, prices.productOffsets[product + 1]!, first, rows.length);
  return rows.subarray(first, end).filter((row) => {
    const market = prices.markets[row]!;
    const day = periods.dayCodes[row]!;
    return (
      market >= markets.from &&
      market < markets.to &&
      isOfType(catalogue, market, markets.type) &&
      day >= days.from &&
      day < days.to &&
      (rowTest === null || rowTest(row))
    );
  });
}
