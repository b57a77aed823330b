/** How many prices each product has by month. */
import type { ProductCode } from "../store/catalogue.ts";
import { rollupPartition } from "../store/rollups.ts";
import { allTypes } from "../store/runs.ts";
import type { Store } from "../store/store.ts";

export interface ProductCoverage {
  readonly product: ProductCode;
  /** By position in `store.periods.month`, the newest month first: all prices, also those that do not convert. */
  readonly counts: Uint32Array;
  readonly total: number;
}

/** The products that have prices, in the order of their names. Cost: a look at each month of each product. */
export function* coverageByMonth({ periods, rollups, catalogue }: Store): Generator<number, ProductCoverage[]> {
  const { offsets, keys, counts, excluded } = rollups.month;
  const found: ProductCoverage[] = [];
  for (let product = 0; product < catalogue.products.length; product++) {
    const partition = rollupPartition(product, allTypes);
    const from = offsets[partition]!;
    const to = offsets[partition + 1]!;
    if (from === to) continue;
    const byMonth = new Uint32Array(periods.month.labels.length);
    let total = 0;
    for (let at = from; at < to; at++) {
      const count = counts[at]! + excluded[at]!;
      byMonth[keys[at]!]! += count;
      total += count;
    }
    found.push({ product: product as ProductCode, counts: byMonth, total });
    yield to - from + byMonth.length;
  }
  return found;
}
