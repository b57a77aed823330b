import { listTexts } from "../store/price-columns.ts";
import type { Store } from "../store/store.ts";
import { findRowOf } from "../store/uuid-index.ts";
import { translateColumn, translatePlaces } from "./code-translation.ts";
import type { RowChanges } from "./table-changes.ts";

/**
 * Compares the prices of two stores by uuid, every field of them.
 *
 * Cost: one look-up for each price of `after`; memory for the dictionaries.
 */
export function comparePriceRows(before: Store, after: Store): RowChanges {
  const isSame = samePriceIn(before, after);
  const { prices } = after;
  let kept = 0;
  let changed = 0;
  for (let row = 0; row < prices.rowCount; row++) {
    const rowBefore = findRowOf(before.rowByUuid, before.prices.uuids, prices.uuids, row);
    if (rowBefore === undefined) continue;
    kept++;
    if (!isSame(rowBefore, row)) changed++;
  }
  return { added: prices.rowCount - kept, gone: before.prices.rowCount - kept, changed };
}

/** Whether a row of one store and a row of another agree in every field but the uuid. */
function samePriceIn(before: Store, after: Store): (rowBefore: number, row: number) => boolean {
  const [a, b] = [before.prices, after.prices];
  const { products, markets } = translatePlaces(before, after);
  const unit = translateColumn(a.units, a.unitNames, b.units, b.unitNames);
  const currency = translateColumn(a.currencies, a.currencyCodes, b.currencies, b.currencyCodes);
  const source = translateColumn(a.sources, a.sourceNames, b.sources, b.sourceNames);
  const grade = translateColumn(a.grades, a.gradeNames, b.grades, b.gradeNames);
  const note = translateColumn(a.notes, listTexts(a.noteTexts), b.notes, listTexts(b.noteTexts));
  return (rowBefore, row) =>
    a.prices[rowBefore] === b.prices[row] &&
    a.recordedAt[rowBefore] === b.recordedAt[row] &&
    a.createdAt[rowBefore] === b.createdAt[row] &&
    a.updatedAt[rowBefore] === b.updatedAt[row] &&
    products[a.products[rowBefore] as number] === b.products[row] &&
    markets[a.markets[rowBefore] as number] === b.markets[row] &&
    unit(a.units[rowBefore] as number) === b.units[row] &&
    currency(a.currencies[rowBefore] as number) === b.currencies[row] &&
    source(a.sources[rowBefore] as number) === b.sources[row] &&
    grade(a.grades[rowBefore] as number) === b.grades[row] &&
    note(a.notes[rowBefore] as number) === b.notes[row];
}
