/**
 * The prices of each series once more, as statistics read them: measured in the product's own unit and currency, one
 * beside the other in the order of the series index, so that summing up a series never jumps through the price columns.
 *
 * A product has far fewer different measured prices than prices, so each is a *sample code*: its place among the
 * product's measured prices, ascending. Codes order as prices do; `excludedCode` stands for a price that cannot be
 * measured. The codes of each series stand there a second time, sorted, for a median or a least price without looking at
 * the rest.
 */
import { sharedFloat64, sharedUint32 } from "../domain/shared-columns.ts";
import type { Catalogue } from "./catalogue.ts";
import { type CodeColumn, codeColumn } from "./code-column.ts";
import type { GroupFiguresBuilder } from "./group-figures.ts";
import { measuringIn, sampleOf } from "./measuring.ts";
import type { Periods } from "./periods.ts";
import type { PriceColumns } from "./price-columns.ts";
import type { ProductMeasure } from "./product-measures.ts";
import { SampleTable } from "./sample-table.ts";
import type { SeriesIndex } from "./series-index.ts";
import { dayPositionsOf } from "./time-groups.ts";

export interface SeriesSamples {
  /** Position in `Periods.days` by place in `SeriesIndex.rows`; never ascends within a series. */
  readonly days: CodeColumn;
  /** Sample code by place in `SeriesIndex.rows`. */
  readonly codes: CodeColumn;
  /** The sample codes of each series, ascending, at the places of the series. */
  readonly sortedCodes: CodeColumn;
  /** Code c of product p stands for `values[valueOffsets[p] + c]`. */
  readonly valueOffsets: Uint32Array<SharedArrayBuffer>;
  /** In the product's own unit and currency; ascending within a product, except that 0 stands for `excludedCode`. */
  readonly values: Float64Array<SharedArrayBuffer>;
  /** 1 for prices that were recorded in another unit; such a price has a code of its own. */
  readonly isConverted: Uint8Array<SharedArrayBuffer>;
}

/** The sample code of prices in a unit of another base or in another currency. */
export const excludedCode = 0;

/**
 * Measures every price and codes it.
 *
 * Cost: one look-up in a hash table for each price, and a sort of each series.
 */
export function buildSeriesSamples(
  catalogue: Catalogue,
  prices: PriceColumns,
  series: SeriesIndex,
  periods: Periods,
  measures: readonly ProductMeasure[],
  utcOffset: number,
): SeriesSamples {
  const { rowCount, productOffsets } = prices;
  const codesByRow = new Uint32Array(rowCount);
  const valueOffsets = sharedUint32(measures.length + 1);
  const tables: { values: Float64Array; isConverted: Uint8Array }[] = [];
  let codeCount = 0;
  for (const [product, { unit, currency }] of measures.entries()) {
    const measuring = measuringIn(catalogue, prices, unit, currency);
    const table = new SampleTable();
    const from = productOffsets[product]!;
    const to = productOffsets[product + 1]!;
    for (let row = from; row < to; row++) {
      const value = sampleOf(prices, measuring, row);
      const isConverted = prices.units[row] === measuring.unit ? 0 : 1;
      codesByRow[row] = Number.isNaN(value) ? excludedCode : table.numberOf(value, isConverted);
    }
    const { codes, values, isConverted } = table.finish();
    for (let row = from; row < to; row++) codesByRow[row] = codes[codesByRow[row]!]!;
    tables.push({ values, isConverted });
    valueOffsets[product + 1] = valueOffsets[product]! + values.length;
    codeCount = Math.max(codeCount, values.length);
  }
  const values = sharedFloat64(valueOffsets[measures.length]!);
  const isConverted = new Uint8Array(new SharedArrayBuffer(values.length));
  for (const [product, table] of tables.entries()) {
    values.set(table.values, valueOffsets[product]!);
    isConverted.set(table.isConverted, valueOffsets[product]!);
  }
  const days = codeColumn(rowCount, periods.days.length);
  const codes = codeColumn(rowCount, codeCount);
  const sortedCodes = codeColumn(rowCount, codeCount);
  const daysByRow = dayPositionsOf(prices, periods, utcOffset);
  for (let place = 0; place < rowCount; place++) {
    const row = series.rows[place]!;
    days[place] = daysByRow[row]!;
    codes[place] = codesByRow[row]!;
  }
  sortEachSeries(codes, sortedCodes, series.rowOffsets);
  return { days, codes, sortedCodes, valueOffsets, values, isConverted };
}

/**
 * Adds the figures of some samples as one group.
 *
 * @param codes Sample codes of the product; those at places [from, to) are meant.
 * @param scratch At least as long as there are places; overwritten.
 */
export function addSamples(
  builder: GroupFiguresBuilder,
  key: number,
  { values, valueOffsets, isConverted }: SeriesSamples,
  product: number,
  codes: Uint8Array | Uint16Array | Uint32Array,
  from: number,
  to: number,
  scratch: Float64Array,
): void {
  const base = valueOffsets[product]!;
  let count = 0;
  let converted = 0;
  // An excluded price is written too and then overwritten: whether one comes cannot be foreseen.
  for (let place = from; place < to; place++) {
    const code = codes[place]!;
    converted += isConverted[base + code]!;
    scratch[count] = values[base + code]!;
    count += Number(code !== excludedCode);
  }
  builder.add(key, scratch, count, converted, to - from - count);
}

/** Sorts in memory of its own, because arrays over shared memory are sorted several times slower. */
function sortEachSeries(codes: CodeColumn, sortedCodes: CodeColumn, rowOffsets: Uint32Array): void {
  const sorted = codes instanceof Uint32Array ? new Uint32Array(codes) : new Uint16Array(codes);
  for (let one = 0; one + 1 < rowOffsets.length; one++) sorted.subarray(rowOffsets[one]!, rowOffsets[one + 1]!).sort();
  sortedCodes.set(sorted);
}
