import type { Uuid } from "../domain/ids.ts";
import type { ProductCode } from "../store/catalogue.ts";
import { rowsOf } from "../store/posting-list.ts";
import type { Store } from "../store/store.ts";
import { markMarkets } from "./plan-prices.ts";
import type { LatestPrices } from "./questions.ts";
import { mergeNewest, selectSegments } from "./select-segments.ts";

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
 * Cost: per product, a look at its newest rows, or at each of its series that is wanted; never at all of its rows.
 */
export function latestPrices(store: Store, question: LatestPrices): LatestGroup[] {
  const { marketUuid, countyId, marketType } = question;
  const isEverywhere = marketUuid === undefined && countyId === undefined && marketType === undefined;
  const mask = isEverywhere ? null : markMarkets(store.catalogue, question);
  const groups: LatestGroup[] = [];
  for (const product of productsAskedFor(store, question.productUuids)) {
    const rows = newestOf(store, product, question, mask);
    if (rows.length > 0) groups.push({ product, rows });
  }
  return groups;
}

/** Codes ascending, which is the order of names; repeated uuids once. */
function productsAskedFor({ catalogue }: Store, uuids: readonly Uuid[] | undefined): Iterable<ProductCode> {
  if (uuids === undefined) return catalogue.productCodes.values();
  const codes = new Set<ProductCode>();
  for (const uuid of uuids) {
    const code = catalogue.productCodes.get(uuid);
    if (code !== undefined) codes.add(code);
  }
  return [...codes].sort((a, b) => a - b);
}

const allDays = { from: 0, to: Infinity };

/** @param mask 1 for each market wanted; null when all are. */
function newestOf(store: Store, product: ProductCode, question: LatestPrices, mask: Uint8Array | null): Uint32Array {
  const { limit, onePerMarket } = question;
  const newestFirst = rowsOf(onePerMarket ? store.newestRows : store.rowsByProduct, product);
  if (mask === null) return newestFirst.subarray(0, limit);
  if (onePerMarket) return pickRows(store, newestFirst, mask, limit);
  if (question.marketUuid === undefined) {
    const walked = pickRows(store, newestFirst.subarray(0, limit * walkedPerPrice), mask, limit);
    if (walked.length === limit || newestFirst.length <= limit * walkedPerPrice) return walked;
  }
  const segments = selectSegments(store, product, question, allDays);
  return mergeNewest(store.prices, segments, Math.min(limit, segments.rowCount));
}

/** So many of a product's newest rows are walked for each price wanted, before the series of the wanted markets are merged. */
const walkedPerPrice = 16;

/** The first of some rows that are at wanted markets. */
function pickRows({ prices: { markets } }: Store, rows: Uint32Array, mask: Uint8Array, limit: number): Uint32Array {
  const picked = new Uint32Array(limit);
  let count = 0;
  for (let at = 0; at < rows.length && count < limit; at++) {
    // Branchless, because the predicate is unpredictable.
    picked[count] = rows[at]!;
    count += mask[markets[rows[at]!]!]!;
  }
  return picked.subarray(0, count);
}
