/**
 * What queries rely on without looking: that lists are as long as they should be, that offsets lead into them, and that
 * codes and row numbers stand for something. Checksums show that a file is as it was written; this shows that what was
 * written is a store, so that a mistake in writing ends in a rebuild and not in a question without an answer. The order
 * of rows is not looked at again: a wrong one gives wrong answers, but nothing that breaks.
 */
import { countyIdMax } from "../domain/ids.ts";
import { numberColumnNames, priceColumns, textColumnNames } from "../domain/price-columns.ts";
import { missingCode } from "../domain/shared-columns.ts";
import { wordsPerUuid } from "../domain/uuid-words.ts";
import { marketTypes, timeGroupings } from "../domain/vocabulary.ts";
import type { CodeColumn, PriceColumns } from "../store/columns.ts";
import type { Periods } from "../store/periods.ts";
import type { PostingLists } from "../store/posting-list.ts";
import type { PriceOrder } from "../store/price-order.ts";
import { rollupGroupings, rollupPartition } from "../store/rollups.ts";
import { allTypes, type RunIndex } from "../store/runs.ts";
import type { SeriesTable } from "../store/series.ts";
import type { Store } from "../store/store.ts";
import { suspiciousReasons } from "../store/suspicious-prices.ts";
import { emptySlot, type UuidIndex } from "../store/uuid-index.ts";

/**
 * Checks a store that was not built here.
 *
 * @throws {RangeError} naming the first thing that is wrong.
 * Cost: one look at every code and every row number.
 */
export function checkStore(store: Store): void {
  const { catalogue, prices, measures, periods } = store;
  const { rowCount } = prices;
  const productCount = catalogue.products.length;
  const marketCount = catalogue.markets.length;
  checkPrices(prices, productCount, marketCount);
  checkLength("measures", measures.length, productCount);
  for (const { unit } of measures) if (!catalogue.units.has(unit)) throw new RangeError(`measures: no unit "${unit}"`);
  checkLength("rates", store.rates.length, prices.currencyCodes.length * periods.month.labels.length);
  checkUuidIndex(store.rowByUuid, rowCount);
  checkRows("rowsByTime", store.rowsByTime, rowCount, rowCount);
  for (const [name, codeCount] of [
    ["rowsByProduct", productCount],
    ["rowsByMarket", marketCount],
    ["rowsByCounty", countyIdMax + 1],
  ] as const) {
    checkPostings(name, store[name], codeCount, rowCount);
    checkLength(`${name}.rows`, store[name].rows.length, rowCount);
  }
  checkPostings("newestRows", store.newestRows, productCount, rowCount);
  checkSeries(store.series, store, rowCount);
  checkLength("sourceCounts", store.sourceCounts.length, prices.sourceNames.length);
  checkRows("newestRowBySource", store.newestRowBySource, prices.sourceNames.length, rowCount);
  checkBelow("suspicious.rows", store.suspicious.rows, rowCount);
  checkRows("suspicious.reasons", store.suspicious.reasons, store.suspicious.rows.length, suspiciousReasons.length);
  checkLength("suspicious.bits", store.suspicious.bits.length, Math.ceil(rowCount / 8));
  checkRuns(store.runs, productCount, marketCount, rowCount);
  checkPeriods(periods, rowCount);
  checkPriceOrder(store.priceOrder, periods.month.labels.length, rowCount);
  for (const grouping of rollupGroupings) {
    const { offsets, typesBefore, ...columns } = store.rollups[grouping];
    const path = `rollups.${grouping}`;
    checkOffsets(`${path}.offsets`, offsets, rollupPartition(productCount, allTypes), columns.keys.length);
    checkLength(`${path}.typesBefore`, typesBefore.length, (columns.keys.length + 1) * marketTypes.length);
    for (const [name, column] of Object.entries(columns)) {
      checkLength(`${path}.${name}`, column.length, columns.keys.length);
    }
    checkBelow(`${path}.keys`, columns.keys, periods[grouping].labels.length);
  }
}

function checkPrices(prices: PriceColumns, productCount: number, marketCount: number): void {
  const { rowCount, noteTexts } = prices;
  checkLength("prices.uuids", prices.uuids.length, rowCount * wordsPerUuid);
  for (const name of numberColumnNames) checkLength(`prices.${name}`, prices[name].length, rowCount);
  checkOffsets("prices.productOffsets", prices.productOffsets, productCount, rowCount);
  checkRows("prices.products", prices.products, rowCount, productCount);
  checkRows("prices.markets", prices.markets, rowCount, marketCount);
  for (const name of textColumnNames) {
    const { texts } = priceColumns[name];
    const textCount = texts === "noteTexts" ? noteTexts.offsets.length - 1 : prices[texts].length;
    const missing = "isOptional" in priceColumns[name] ? missingCode(prices[name]) : -1;
    checkRows(`prices.${name}`, prices[name], rowCount, textCount, missing);
  }
  checkOffsets("prices.noteTexts.offsets", noteTexts.offsets, noteTexts.offsets.length - 1, noteTexts.bytes.length);
}

/** A search in the table ends at an empty slot, so there must be one; the first slot looked at must exist. */
function checkUuidIndex({ slots }: UuidIndex, rowCount: number): void {
  if (!Number.isInteger(Math.log2(slots.length)) || slots.length <= rowCount || !slots.includes(emptySlot)) {
    throw new RangeError(`rowByUuid: ${slots.length} slots are no hash table of ${rowCount} rows`);
  }
  checkBelow("rowByUuid.slots", slots, rowCount, missingCode(slots));
}

function checkRuns(
  { runOffsets, markets, rowOffsets }: RunIndex,
  productCount: number,
  marketCount: number,
  rowCount: number,
): void {
  checkOffsets("runs.runOffsets", runOffsets, productCount, markets.length);
  checkBelow("runs.markets", markets, marketCount);
  checkOffsets("runs.rowOffsets", rowOffsets, markets.length, rowCount);
}

function checkSeries(series: SeriesTable, { catalogue, prices, periods }: Store, rowCount: number): void {
  const { length } = series.byNewest;
  checkOffsets("series.offsets", series.offsets, catalogue.products.length, length);
  for (const [name, end] of [
    ["byNewest", length],
    ["markets", catalogue.markets.length],
    ["units", prices.unitNames.length],
    ["currencies", prices.currencyCodes.length],
    ["newestRows", rowCount],
    ["oldestRows", rowCount],
    ["newestDays", periods.ages.length],
  ] as const) {
    checkRows(`series.${name}`, series[name], length, end);
  }
  for (const name of ["counts", "longestGaps", "monthCounts", "longestMonthGaps"] as const) {
    checkLength(`series.${name}`, series[name].length, length);
  }
}

function checkPeriods(periods: Periods, rowCount: number): void {
  const dayCount = periods.ages.length;
  checkRows("periods.dayCodes", periods.dayCodes, rowCount, dayCount);
  for (const grouping of timeGroupings) {
    const { labels, dayOffsets, ofDay } = periods[grouping];
    checkOffsets(`periods.${grouping}.dayOffsets`, dayOffsets, labels.length, dayCount);
    checkRows(`periods.${grouping}.ofDay`, ofDay, dayCount, labels.length);
  }
}

function checkPriceOrder(order: PriceOrder, monthCount: number, rowCount: number): void {
  checkOffsets("priceOrder.monthOffsets", order.monthOffsets, monthCount, rowCount);
  checkRows("priceOrder.rows", order.rows, rowCount, rowCount);
}

function checkPostings(path: string, { offsets, rows }: PostingLists, codeCount: number, rowCount: number): void {
  checkOffsets(`${path}.offsets`, offsets, codeCount, rows.length);
  checkBelow(`${path}.rows`, rows, rowCount);
}

function checkRows(path: string, column: CodeColumn, length: number, end: number, missing = -1): void {
  checkLength(path, column.length, length);
  checkBelow(path, column, end, missing);
}

function checkLength(path: string, length: number, wanted: number): void {
  if (length !== wanted) throw new RangeError(`${path} has ${length} entries, expected ${wanted}`);
}

/** Offsets of `count` things in a list of `end` entries: from 0 to the end, never decreasing. */
function checkOffsets(path: string, offsets: Uint32Array | Float64Array, count: number, end: number): void {
  checkLength(path, offsets.length, count + 1);
  if (offsets[0] !== 0 || offsets[count] !== end) {
    throw new RangeError(`${path} go from ${offsets[0]} to ${offsets[count]}, expected 0 to ${end}`);
  }
  for (let at = 1; at < offsets.length; at++) {
    if ((offsets[at] as number) >= (offsets[at - 1] as number)) continue;
    throw new RangeError(`${path} decrease at ${at}, expected offsets that never do`);
  }
}

function checkBelow(path: string, column: CodeColumn, end: number, missing = -1): void {
  const at = firstOutside(column, end, missing);
  if (at !== -1) throw new RangeError(`${path} holds ${column[at]} at ${at}, expected less than ${end}`);
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
