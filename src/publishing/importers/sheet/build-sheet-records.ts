/** Prices of a table → records, as `append` takes them. */

import { type Instant, instantText } from "../../../engine/model/calendar.ts";
import { compareTexts } from "../../../engine/model/folded-text.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { byNameThenUuid } from "../record-order.ts";
import type { WireRecords } from "../wire-records.ts";
import type { NewRecords } from "./match-answers.ts";
import type { PriceFact } from "./price-identity.ts";

export type SheetRecords = ReturnType<typeof buildRecords>;

/**
 * Makes the records. Apart from `updated_at`, and `created_at` of products and markets, they depend on the table, the
 * mapping, the snapshot and matches.csv alone. Prices and origins are made while they are written: all at once they
 * would take more memory than the rows.
 *
 * @param now The time at which they count as last changed; a price never before it was recorded.
 * @returns Prices, oldest first and then by uuid, products and markets by name and then uuid (by code unit); of these
 *   only those that the snapshot does not have and a price needs.
 */
export function buildRecords(
  facts: readonly PriceFact[],
  source: string,
  { newProducts, newMarkets }: NewRecords,
  now: Instant,
) {
  const times = { created_at: instantText(now), updated_at: instantText(now) };
  const unitsOf = new Map<string, Set<string>>();
  const usedMarkets = new Set<string>();
  for (const { product, market, unit } of facts) {
    usedMarkets.add(market.id);
    getOrInsert(unitsOf, product.id, () => new Set()).add(unit);
  }
  const products = [...newProducts].flatMap(([uuid, { name, category }]) => {
    const units = unitsOf.get(uuid);
    if (units === undefined) return [];
    return {
      uuid,
      name,
      category,
      description: `${name}, from ${source}.`,
      common_units: [...units].sort(compareTexts),
      is_active: true,
      ...times,
    };
  });
  const markets = [...newMarkets].flatMap(([uuid, market]) =>
    usedMarkets.has(uuid) ? { uuid, ...market, operating_days: [], is_active: true, ...times } : [],
  );
  const oldestFirst = facts.toSorted((a, b) => a.recordedAt - b.recordedAt || compareTexts(a.uuid, b.uuid));
  return {
    prices: Iterator.from(oldestFirst).map((fact) => priceRecord(fact, source, now)),
    products: products.sort(byNameThenUuid),
    markets: markets.sort(byNameThenUuid),
  };
}

/**
 * The origins of prices. A price carries the row that it comes from; the file and the sheet are the same for all.
 *
 * @param table Its file is named without folders.
 * @param now The time of the import.
 */
export function originRecords(
  facts: readonly PriceFact[],
  table: Pick<WireRecords["origins"], "file" | "sheet">,
  now: Instant,
): Iterable<WireRecords["origins"]> {
  const { file, sheet = null } = table;
  const imported_at = instantText(now);
  return Iterator.from(facts).map((fact) => ({ uuid: fact.uuid, file, sheet, row: fact.line, imported_at }));
}

/** The record of a price. */
export function priceRecord(fact: PriceFact, source: string, now: Instant): WireRecords["prices"] {
  const recordedAt = instantText(fact.recordedAt);
  return {
    uuid: fact.uuid,
    product_uuid: fact.product.id,
    market_uuid: fact.market.id,
    price: fact.price,
    unit: fact.unit,
    currency: fact.currency,
    recorded_at: recordedAt,
    source,
    ...(fact.grade === null ? {} : { quality_grade: fact.grade }),
    ...(fact.notes === null ? {} : { notes: fact.notes }),
    ...(fact.priceFlag === null ? {} : { price_flag: fact.priceFlag }),
    created_at: recordedAt,
    updated_at: instantText(Math.max(fact.recordedAt, now) as Instant),
  };
}
