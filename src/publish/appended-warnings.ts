import type { ProblemList } from "../dataset/problem.ts";
import type { RecordsReading } from "../dataset/read-records.ts";
import type { ProductRecord } from "../domain/records.ts";
import { medianOf } from "../store/figures.ts";
import type { Store } from "../store/store.ts";
import { outlierFault, seriesName } from "./price-warnings.ts";

/**
 * Reports prices of a day that are far from the median of their product, unit and currency, old prices and new together.
 *
 * @param reading The day's prices.
 * @param after The store of the snapshot that holds them.
 * Cost: two looks at the prices of each product that the day has, and a selection.
 */
export function warnOfOddAppended(reading: RecordsReading, after: Store, warnings: ProblemList): void {
  const { products, prices } = reading.records;
  const medians = new Map<number, ReadonlyMap<string, number>>();
  const scratch = new Float64Array(longestProduct(after));
  for (let row = 0; row < prices.rowCount; row++) {
    const position = prices.products[row] as number;
    let ofProduct = medians.get(position);
    if (ofProduct === undefined) {
      ofProduct = mediansInStore(after, products[position] as ProductRecord, scratch);
      medians.set(position, ofProduct);
    }
    const unit = prices.unitNames[prices.units[row] as number] as string;
    const currency = prices.currencyCodes[prices.currencies[row] as number] as string;
    const median = ofProduct.get(seriesKey(unit, currency)) as number;
    const fault = outlierFault(prices.prices[row] as number, median, seriesName(products, prices, row));
    if (fault !== undefined) warnings.add({ ...reading.placeOfPrice(row), ...fault });
  }
}

function longestProduct({ prices: { productOffsets } }: Store): number {
  return productOffsets.reduce((longest, end, at) => Math.max(longest, end - (productOffsets[at - 1] ?? 0)), 0);
}

function seriesKey(unit: string, currency: string): string {
  return JSON.stringify([unit, currency]);
}

/**
 * The medians of a product's prices by unit and currency: a counting sort by both, and a selection in each group.
 *
 * @param scratch As long as the product has prices; overwritten.
 */
function mediansInStore(
  { catalogue, prices }: Store,
  { uuid }: ProductRecord,
  scratch: Float64Array,
): ReadonlyMap<string, number> {
  const { units, currencies, unitNames, currencyCodes, productOffsets, prices: amounts } = prices;
  const product = catalogue.productCodes.get(uuid) as number;
  const from = productOffsets[product] as number;
  const end = productOffsets[product + 1] as number;
  const currencyCount = currencyCodes.length;
  const groupOf = (row: number): number => (units[row] as number) * currencyCount + (currencies[row] as number);
  const offsets = new Uint32Array(unitNames.length * currencyCount + 1);
  for (let row = from; row < end; row++) {
    const behind = groupOf(row) + 1;
    offsets[behind] = (offsets[behind] as number) + 1;
  }
  for (let group = 1; group < offsets.length; group++)
    offsets[group] = (offsets[group] as number) + (offsets[group - 1] as number);
  const next = offsets.slice();
  for (let row = from; row < end; row++) {
    const group = groupOf(row);
    const place = next[group] as number;
    scratch[place] = amounts[row] as number;
    next[group] = place + 1;
  }
  const medians = new Map<string, number>();
  for (const [unitCode, unit] of unitNames.entries()) {
    for (const [currencyCode, currency] of currencyCodes.entries()) {
      const group = unitCode * currencyCount + currencyCode;
      const [first, last] = [offsets[group] as number, offsets[group + 1] as number];
      if (first < last) medians.set(seriesKey(unit, currency), medianOf(scratch, first, last));
    }
  }
  return medians;
}
