import type { Uuid } from "../domain/ids.ts";
import type { ProductCode } from "../store/codes.ts";
import type { PriceColumns } from "../store/price-columns.ts";
import type { Store } from "../store/store.ts";
import { planPrices } from "./plan-prices.ts";
import type { LatestPrices } from "./questions.ts";
import { collectRows } from "./walk-prices.ts";

/** The newest prices of one product. */
export interface LatestGroup {
  readonly product: ProductCode;
  /** Newest first, equal times by uuid ascending; at least one. */
  readonly rows: Uint32Array;
}

/**
 * The newest prices of each product asked for: at most `limit` records, or with `onePerMarket` the newest record of at
 * most `limit` pairs of market and unit.
 *
 * @returns Groups by name of the product, then uuid. Unknown products and products without a match are left out.
 * Cost: per product, one walk over its newest rows until enough are found.
 */
export function latestPrices(store: Store, question: LatestPrices): LatestGroup[] {
  const { marketUuid, countyId, marketType, limit, onePerMarket } = question;
  const groups: LatestGroup[] = [];
  for (const product of productsAskedFor(store, question.productUuids)) {
    const productUuid = store.catalogue.products[product]!.record.uuid;
    const plan = planPrices(store, { productUuid, marketUuid, countyId, marketType });
    const rows = onePerMarket
      ? newestOfEachMarket(store.prices, collectRows(store.prices, plan), limit)
      : collectRows(store.prices, plan, limit);
    if (rows.length > 0) groups.push({ product, rows });
  }
  return groups;
}

/** Codes ascending, which is the order of names; repeated uuids once. */
function productsAskedFor({ catalogue }: Store, uuids: readonly Uuid[] | undefined): ProductCode[] {
  if (uuids === undefined) return catalogue.products.map((_, code) => code as ProductCode);
  const codes = new Set<ProductCode>();
  for (const uuid of uuids) {
    const code = catalogue.productCodes.get(uuid);
    if (code !== undefined) codes.add(code);
  }
  return [...codes].sort((a, b) => a - b);
}

function newestOfEachMarket(
  { markets, units, unitNames }: PriceColumns,
  rows: Uint32Array,
  limit: number,
): Uint32Array {
  const seen = new Set<number>();
  const newest: number[] = [];
  for (const row of rows) {
    const marketAndUnit = markets[row]! * unitNames.length + units[row]!;
    if (seen.has(marketAndUnit)) continue;
    seen.add(marketAndUnit);
    newest.push(row);
    if (newest.length === limit) break;
  }
  return Uint32Array.from(newest);
}
