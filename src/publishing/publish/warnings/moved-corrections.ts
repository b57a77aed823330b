/** Corrections that are more than a corrected price: the same uuid, but another product, market or day. */

import { findRowOf } from "../../../engine/model/ids.ts";
import { recordAt } from "../../../engine/store/catalogue.ts";
import { dayOfRow } from "../../../engine/store/periods.ts";
import { type Finding, findingOf, type Judgement, rowText } from "./warning.ts";

/**
 * Finds rows whose uuid is that of a price of another product, market or day in the snapshot before. Cost: a look-up a
 * row.
 */
export function* findMovedCorrections({ after, before, rows }: Judgement): Generator<Finding> {
  if (before === undefined) return;
  const [a, b] = [before.prices, after.prices];
  for (const row of rows) {
    const rowBefore = findRowOf(before.rowByUuid, a.uuids, b.uuids, row);
    if (rowBefore === undefined) continue;
    const field = movedField(rowBefore, row);
    if (field === undefined) continue;
    yield findingOf("moved-correction", row, () => ({
      field,
      found: `that of ${rowText(after, row)}`,
      wanted: `that of ${rowText(before, rowBefore)}, which the price of this uuid was of`,
    }));
  }

  function movedField(rowBefore: number, row: number): string | undefined {
    const { catalogue } = after;
    const productBefore = recordAt(before!.catalogue.products, a.products[rowBefore]!);
    if (productBefore.uuid !== recordAt(catalogue.products, b.products[row]!).uuid) return "product_uuid";
    const marketBefore = recordAt(before!.catalogue.markets, a.markets[rowBefore]!);
    if (marketBefore.uuid !== recordAt(catalogue.markets, b.markets[row]!).uuid) return "market_uuid";
    return dayOfRow(before!.periods, rowBefore) === dayOfRow(after.periods, row) ? undefined : "recorded_at";
  }
}
