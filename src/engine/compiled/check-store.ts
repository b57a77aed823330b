/**
 * Checks what queries rely on without looking: that lists are as long as they should be, that offsets lead into them,
 * and that codes and row numbers stand for something. Checksums show that a file is as it was written; this shows that
 * what was written is a store, so that a mistake in writing ends in a rebuild and not in a question without an answer.
 * The order of rows is not looked at again: a wrong one gives wrong answers, but nothing that breaks.
 */
import { countyIdMax, emptySlot, wordsPerUuid } from "../model/ids.ts";
import { numberColumnNames, priceColumns, textColumnNames } from "../model/price-columns.ts";
import { missingCode } from "../model/shared-columns.ts";
import { marketTypes, timeGroupings } from "../model/vocabulary.ts";
import type { CodeColumn } from "../store/columns.ts";
import { rollupGroupings, rollupPartition } from "../store/group-prices.ts";
import { allTypes } from "../store/runs.ts";
import type { Store } from "../store/store.ts";
import { suspiciousReasons } from "../store/suspicious-prices.ts";

/** The conditions that a list must meet. */
interface ListRule {
  /** Number of entries that it has. */
  readonly length?: number;
  /** Each entry is less. */
  readonly below?: number;
  /** A number that may stand anywhere all the same. */
  readonly missing?: number;
  /** The entries are offsets into a list of so many entries: from 0 to the end, never decreasing. */
  readonly into?: number;
}

/** A list of a store, by its path from the store down, and what must hold of it. */
type StoreRule = readonly [path: string, rule: ListRule];

/**
 * Checks a store that was not built here.
 *
 * @throws {RangeError} naming the first thing that is wrong.
 * Cost: one look at every code and every row number.
 */
export function checkStore(store: Store): void {
  const { catalogue, prices, statisticsUnits, rowByUuid } = store;
  for (const [path, rule] of storeRules(store)) checkList(path, listAt(store, path), rule);
  for (const { unit } of statisticsUnits)
    if (!catalogue.units.has(unit)) throw new RangeError(`statisticsUnits: no unit "${unit}"`);
  // A search in the table ends at an empty slot, so there must be one; the first slot looked at must exist.
  const { slots } = rowByUuid;
  if (!Number.isInteger(Math.log2(slots.length)) || slots.length <= prices.rowCount || !slots.includes(emptySlot)) {
    throw new RangeError(`rowByUuid: ${slots.length} slots are no hash table of ${prices.rowCount} rows`);
  }
}

/** Yields the conditions of each list: price columns, indexes, then what is by period. */
function* storeRules(store: Store): Generator<StoreRule, void> {
  const { catalogue, prices, periods, rollups, series, suspicious, runs } = store;
  const { rowCount, noteTexts } = prices;
  const [productCount, marketCount] = [catalogue.products.length, catalogue.markets.length];
  yield ["prices.uuids", { length: rowCount * wordsPerUuid }];
  for (const name of numberColumnNames) yield [`prices.${name}`, { length: rowCount }];
  yield ["prices.productOffsets", { length: productCount + 1, into: rowCount }];
  yield ["prices.products", { length: rowCount, below: productCount }];
  yield ["prices.markets", { length: rowCount, below: marketCount }];
  for (const name of textColumnNames) {
    const { texts } = priceColumns[name];
    const below = texts === "noteTexts" ? noteTexts.offsets.length - 1 : prices[texts].length;
    const missing = "isOptional" in priceColumns[name] ? missingCode(prices[name]) : -1;
    yield [`prices.${name}`, { length: rowCount, below, missing }];
  }
  yield ["prices.noteTexts.offsets", { into: noteTexts.bytes.length }];

  yield ["statisticsUnits", { length: productCount }];
  yield ["rates", { length: prices.currencyCodes.length * periods.month.labels.length }];
  yield ["rowByUuid.slots", { below: rowCount, missing: missingCode(store.rowByUuid.slots) }];
  yield ["rowsByTime", { length: rowCount, below: rowCount }];
  for (const [name, codeCount] of [
    ["rowsByProduct", productCount],
    ["rowsByMarket", marketCount],
    ["rowsByCounty", countyIdMax + 1],
  ] as const) {
    yield [`${name}.offsets`, { length: codeCount + 1, into: store[name].rows.length }];
    yield [`${name}.rows`, { length: rowCount, below: rowCount }];
  }
  yield ["newestRows.offsets", { length: productCount + 1, into: store.newestRows.rows.length }];
  yield ["newestRows.rows", { below: rowCount }];
  const { length } = series.byNewest;
  yield ["series.offsets", { length: productCount + 1, into: length }];
  yield ["series.byNewest", { length, below: length }];
  yield ["series.markets", { length, below: marketCount }];
  yield ["series.units", { length, below: prices.unitNames.length }];
  yield ["series.currencies", { length, below: prices.currencyCodes.length }];
  yield ["series.newestRows", { length, below: rowCount }];
  yield ["series.oldestRows", { length, below: rowCount }];
  yield ["series.newestDays", { length, below: periods.ages.length }];
  for (const name of ["counts", "longestGaps", "monthCounts", "longestMonthGaps"]) yield [`series.${name}`, { length }];
  yield ["sourceCounts", { length: prices.sourceNames.length }];
  yield ["newestRowBySource", { length: prices.sourceNames.length, below: rowCount }];
  yield ["suspicious.rows", { below: rowCount }];
  yield ["suspicious.reasons", { length: suspicious.rows.length, below: suspiciousReasons.length }];
  yield ["suspicious.bits", { length: Math.ceil(rowCount / 8) }];
  yield ["runs.runOffsets", { length: productCount + 1, into: runs.markets.length }];
  yield ["runs.markets", { below: marketCount }];
  yield ["runs.rowOffsets", { length: runs.markets.length + 1, into: rowCount }];

  const dayCount = periods.ages.length;
  yield ["periods.dayCodes", { length: rowCount, below: dayCount }];
  for (const grouping of timeGroupings) {
    const periodCount = periods[grouping].labels.length;
    yield [`periods.${grouping}.dayOffsets`, { length: periodCount + 1, into: dayCount }];
    yield [`periods.${grouping}.ofDay`, { length: dayCount, below: periodCount }];
  }
  yield ["priceOrder.monthOffsets", { length: periods.month.labels.length + 1, into: rowCount }];
  yield ["priceOrder.rows", { length: rowCount, below: rowCount }];
  for (const grouping of rollupGroupings) {
    const { offsets, typesBefore, ...columns } = rollups[grouping];
    const path = `rollups.${grouping}`;
    const { length } = columns.keys;
    yield [`${path}.offsets`, { length: rollupPartition(productCount, allTypes) + 1, into: length }];
    yield [`${path}.typesBefore`, { length: (length + 1) * marketTypes.length }];
    for (const name of Object.keys(columns)) yield [`${path}.${name}`, { length }];
    yield [`${path}.keys`, { below: periods[grouping].labels.length }];
  }
}

function listAt(store: Store, path: string): CodeColumn {
  return path
    .split(".")
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], store) as CodeColumn;
}

function checkList(path: string, list: CodeColumn, { length, below, missing = -1, into }: ListRule): void {
  if (length !== undefined && list.length !== length) {
    throw new RangeError(`${path} has ${list.length} entries, expected ${length}`);
  }
  const at = below === undefined ? -1 : firstOutside(list, below, missing);
  if (at !== -1) throw new RangeError(`${path} holds ${list[at]} at ${at}, expected less than ${below}`);
  if (into === undefined) return;
  if (list[0] !== 0 || list.at(-1) !== into) {
    throw new RangeError(`${path} go from ${list[0]} to ${list.at(-1)}, expected 0 to ${into}`);
  }
  for (let at = 1; at < list.length; at++) {
    if ((list[at] as number) >= (list[at - 1] as number)) continue;
    throw new RangeError(`${path} decrease at ${at}, expected offsets that never do`);
  }
}

/**
 * The first position of a column that holds `end` or more. The loop stands here once for each type of columns: one loop
 * for all of them is several times slower, because the engine then asks at every entry which type it has.
 *
 * @param missing A number that may stand anywhere; -1 for none.
 * @returns -1 when there is no such position. Cost: a look at each, about a nanosecond.
 */
export function firstOutside(column: Uint8Array | Uint16Array | Uint32Array, end: number, missing: number): number {
  if (column instanceof Uint8Array) return firstOutside8(column, end, missing);
  if (column instanceof Uint16Array) return firstOutside16(column, end, missing);
  return firstOutside32(column, end, missing);
}

function firstOutside8(column: Uint8Array, end: number, missing: number): number {
  for (let at = 0; at < column.length; at++) {
    const value = column[at] as number;
    if (value >= end && value !== missing) return at;
  }
  return -1;
}

function firstOutside16(column: Uint16Array, end: number, missing: number): number {
  for (let at = 0; at < column.length; at++) {
    const value = column[at] as number;
    if (value >= end && value !== missing) return at;
  }
  return -1;
}

function firstOutside32(column: Uint32Array, end: number, missing: number): number {
  for (let at = 0; at < column.length; at++) {
    const value = column[at] as number;
    if (value >= end && value !== missing) return at;
  }
  return -1;
}
