/**
 * What queries rely on without looking: that lists are as long as they should be, that offsets lead into them, and that
 * codes and row numbers stand for something. Checksums tell that a file is as it was written; this tells that what was
 * written is a store, so that a mistake in writing ends in a rebuild and not in a question without an answer. The order of
 * rows is not looked at again: a wrong one gives wrong answers, but nothing that breaks.
 */
import { countyIdMax } from "../domain/ids.ts";
import { wordsPerUuid } from "../domain/uuid-words.ts";
import { type CodeColumn, missingCode } from "../store/code-column.ts";
import { classesMax } from "../store/county-rows.ts";
import type { GroupFigures } from "../store/group-figures.ts";
import type { Periods } from "../store/periods.ts";
import type { PriceColumns } from "../store/price-columns.ts";
import type { PriceOrder } from "../store/price-order.ts";
import { countyKey, typeOwner } from "../store/ready-figures.ts";
import type { SeriesIndex } from "../store/series-index.ts";
import type { Store } from "../store/store.ts";
import { emptySlot, type UuidIndex } from "../store/uuid-index.ts";
import type { Column } from "./column-types.ts";
import { firstOutside } from "./first-outside.ts";

/**
 * Checks a store that was not built here.
 *
 * @throws {RangeError} naming the first thing that is wrong.
 * Cost: one look at every code and every row number.
 */
export function checkStore(store: Store): void {
  const { catalogue, prices, measures, series, periods } = store;
  const { rowCount } = prices;
  const productCount = catalogue.products.length;
  const marketCount = catalogue.markets.length;
  checkPrices(prices, productCount, marketCount);
  checkLength("measures", measures.length, productCount);
  for (const { unit } of measures) if (!catalogue.units.has(unit)) throw new RangeError(`measures: no unit "${unit}"`);
  checkUuidIndex(store.rowByUuid, rowCount);
  checkRows("rowsByTime", store.rowsByTime, rowCount, rowCount);
  checkPostings("rowsByMarket", store.rowsByMarket, marketCount, rowCount);
  checkLength("rowsByMarket.rows", store.rowsByMarket.rows.length, rowCount);
  checkPostings("rowsByCounty", store.rowsByCounty, countyIdMax + 1, rowCount);
  checkLength("rowsByCounty.rows", store.rowsByCounty.rows.length, rowCount);
  checkRows(
    "rowsByCounty.priceClasses",
    store.rowsByCounty.priceClasses,
    rowCount,
    store.rowsByCounty.classBounds.length,
  );
  checkPostings("newestRows", store.newestRows, productCount, rowCount);
  checkClassBounds(store.rowsByCounty.classBounds);
  checkSeries(series, productCount, marketCount, rowCount);
  checkSamples(store);
  checkPeriods(periods);
  checkPriceOrder(store.priceOrder, periods.month.labels.length, rowCount);
  checkFigures("figures", store.figures);
  checkGroups(store);
}

/** Groups have the owners and keys that their readers reckon with. */
function checkGroups({
  figures: { byTime, byTimeOfType, bySeries, byCounty },
  catalogue,
  periods,
  series,
}: Store): void {
  const productCount = catalogue.products.length;
  checkLength("figures.bySeries.keys", bySeries.keys.length, series.markets.length);
  checkBelow("figures.bySeries.keys", bySeries.keys, catalogue.markets.length);
  checkLength("figures.byCounty.offsets", byCounty.offsets.length, productCount + 1);
  checkBelow("figures.byCounty.figures.keys", byCounty.figures.keys, countyKey(countyIdMax + 1, -1));
  for (const [path, owned, ownerCount] of [
    ["figures.byTime", byTime, productCount],
    ["figures.byTimeOfType", byTimeOfType, typeOwner(productCount, 0)],
  ] as const) {
    for (const grouping of Object.keys(owned) as (keyof typeof owned)[]) {
      const { offsets, figures } = owned[grouping];
      checkLength(`${path}.${grouping}.offsets`, offsets.length, ownerCount + 1);
      checkBelow(`${path}.${grouping}.figures.keys`, figures.keys, periods[grouping].labels.length);
    }
  }
}

function checkPrices(prices: PriceColumns, productCount: number, marketCount: number): void {
  const { rowCount, productOffsets, noteTexts, notes } = prices;
  checkLength("prices.uuids", prices.uuids.length, rowCount * wordsPerUuid);
  for (const name of ["prices", "recordedAt", "createdAt", "updatedAt"] as const) {
    checkLength(`prices.${name}`, prices[name].length, rowCount);
  }
  checkOffsets("prices.productOffsets", productOffsets, productCount, rowCount);
  checkRows("prices.products", prices.products, rowCount, productCount);
  checkRows("prices.markets", prices.markets, rowCount, marketCount);
  checkRows("prices.units", prices.units, rowCount, prices.unitNames.length);
  checkRows("prices.currencies", prices.currencies, rowCount, prices.currencyCodes.length);
  checkRows("prices.sources", prices.sources, rowCount, prices.sourceNames.length);
  checkOptionalCodes("prices.grades", prices.grades, rowCount, prices.gradeNames.length);
  checkOptionalCodes("prices.notes", notes, rowCount, noteTexts.offsets.length - 1);
  checkOffsets("prices.noteTexts.offsets", noteTexts.offsets, noteTexts.offsets.length - 1, noteTexts.bytes.length);
}

/** A search in the table ends at an empty slot, so there must be one at the end, and the first slot looked at must exist. */
function checkUuidIndex({ homeCount, slots }: UuidIndex, rowCount: number): void {
  const isPowerOfTwo = Number.isInteger(Math.log2(homeCount));
  if (!isPowerOfTwo || slots.length <= homeCount || slots.at(-1) !== emptySlot) {
    throw new RangeError(`rowByUuid: ${homeCount} home slots and ${slots.length} slots are no hash table`);
  }
  checkBelowOrMissing("rowByUuid.slots", slots, rowCount);
}

/** Each price is in a class, and a class has a place among the verdicts on all of them. */
function checkClassBounds(bounds: Float64Array): void {
  if (bounds[0] === -Infinity && bounds.length <= classesMax) return;
  throw new RangeError(
    `rowsByCounty.classBounds: ${bounds.length} from ${bounds[0]}, expected at most ${classesMax} from -Infinity`,
  );
}

function checkSeries(series: SeriesIndex, productCount: number, marketCount: number, rowCount: number): void {
  const { seriesOffsets, markets, rowOffsets, rows } = series;
  checkOffsets("series.seriesOffsets", seriesOffsets, productCount, markets.length);
  checkBelow("series.markets", markets, marketCount);
  checkOffsets("series.rowOffsets", rowOffsets, markets.length, rowCount);
  checkRows("series.rows", rows, rowCount, rowCount);
}

function checkSamples({ samples, prices, periods, catalogue }: Store): void {
  const { days, codes, sortedCodes, valueOffsets, values, isConverted } = samples;
  const { rowCount, productOffsets } = prices;
  checkRows("samples.days", days, rowCount, periods.days.length);
  checkLength("samples.codes", codes.length, rowCount);
  checkLength("samples.sortedCodes", sortedCodes.length, rowCount);
  checkOffsets("samples.valueOffsets", valueOffsets, catalogue.products.length, values.length);
  checkLength("samples.isConverted", isConverted.length, values.length);
  // Series are in the order of products, so the places of a product's series are those of its rows.
  for (const product of catalogue.products.keys()) {
    const [from, to] = [productOffsets[product], productOffsets[product + 1]];
    const codeCount = (valueOffsets[product + 1] as number) - (valueOffsets[product] as number);
    checkBelow(`samples.codes of product ${product}`, codes.subarray(from, to), codeCount);
    checkBelow(`samples.sortedCodes of product ${product}`, sortedCodes.subarray(from, to), codeCount);
  }
}

function checkPeriods(periods: Periods): void {
  const dayCount = periods.days.length;
  for (const grouping of ["day", "week", "month"] as const) {
    const { labels, dayOffsets, ofDay } = periods[grouping];
    checkOffsets(`periods.${grouping}.dayOffsets`, dayOffsets, labels.length, dayCount);
    checkRows(`periods.${grouping}.ofDay`, ofDay, dayCount, labels.length);
  }
}

function checkPriceOrder(order: PriceOrder, monthCount: number, rowCount: number): void {
  checkOffsets("priceOrder.monthOffsets", order.monthOffsets, monthCount, rowCount);
  checkOffsets("priceOrder.pivotOffsets", order.pivotOffsets, monthCount, order.pivots.length);
  checkRows("priceOrder.rows", order.rows, rowCount, rowCount);
}

/** All figures kept ready, however they are arranged: groups with columns of one length, and offsets that lead into them. */
function checkFigures(path: string, value: object): void {
  const parts = Object.entries(value);
  const columns = parts.filter((part): part is [string, Column] => ArrayBuffer.isView(part[1]));
  if ("figures" in value && "offsets" in value) {
    const { offsets, figures } = value as { offsets: Uint32Array; figures: GroupFigures };
    checkOffsets(`${path}.offsets`, offsets, offsets.length - 1, figures.keys.length);
  } else {
    for (const [name, column] of columns) checkLength(`${path}.${name}`, column.length, columns[0]?.[1].length ?? 0);
  }
  for (const [name, part] of parts) {
    if (typeof part === "object" && part !== null && !ArrayBuffer.isView(part)) checkFigures(`${path}.${name}`, part);
  }
}

function checkPostings(
  path: string,
  { offsets, rows }: { readonly offsets: Uint32Array; readonly rows: Uint32Array },
  codeCount: number,
  rowCount: number,
): void {
  checkOffsets(`${path}.offsets`, offsets, codeCount, rows.length);
  checkBelow(`${path}.rows`, rows, rowCount);
}

function checkRows(path: string, column: CodeColumn, length: number, end: number): void {
  checkLength(path, column.length, length);
  checkBelow(path, column, end);
}

function checkOptionalCodes(path: string, column: CodeColumn, length: number, end: number): void {
  checkLength(path, column.length, length);
  checkBelowOrMissing(path, column, end);
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

function checkBelow(path: string, column: CodeColumn | Uint32Array, end: number, missing = -1): void {
  const at = firstOutside(column, end, missing);
  if (at !== -1) throw new RangeError(`${path} holds ${column[at]} at ${at}, expected less than ${end}`);
}

function checkBelowOrMissing(path: string, column: CodeColumn, end: number): void {
  checkBelow(path, column, end, missingCode(column));
}
