import type { ProblemList } from "../dataset/problem.ts";
import type { RecordsReading } from "../dataset/read-records.ts";
import type { ProductRecord } from "../domain/records.ts";
import { medianOf } from "../store/select-middle.ts";
import type { Store } from "../store/store.ts";
import { outlierFault, seriesName } from "./price-warnings.ts";

/**
 * Reports prices of a day that are far from the median of their product, unit and currency, old prices and new together.
 *
 * @param reading The day's prices.
 * @param after The store of the snapshot that holds them.
 * Cost: for each product and unit that the day has, the prices of the product.
 */
export function warnOfOddAppended(reading: RecordsReading, after: Store, warnings: ProblemList): void {
  const { products, prices } = reading.records;
  const medians = new Map<string, number>();
  const scratch = new Float64Array(longestProduct(after));
  for (let row = 0; row < prices.rowCount; row++) {
    const product = products[prices.products[row] as number] as ProductRecord;
    const unit = prices.unitNames[prices.units[row] as number] as string;
    const currency = prices.currencyCodes[prices.currencies[row] as number] as string;
    const key = JSON.stringify([product.uuid, unit, currency]);
    let median = medians.get(key);
    if (median === undefined) {
      median = medianInStore(after, product, unit, currency, scratch);
      medians.set(key, median);
    }
    const fault = outlierFault(prices.prices[row] as number, median, seriesName(products, prices, row));
    if (fault !== undefined) warnings.add({ ...reading.placeOfPrice(row), ...fault });
  }
}

function longestProduct({ prices: { productOffsets } }: Store): number {
  return productOffsets.reduce((longest, end, at) => Math.max(longest, end - (productOffsets[at - 1] ?? 0)), 0);
}

/** @param scratch As long as the product has prices; overwritten. */
function medianInStore(
  { catalogue, prices }: Store,
  { uuid }: ProductRecord,
  unit: string,
  currency: string,
  scratch: Float64Array,
): number {
  const product = catalogue.productCodes.get(uuid) as number;
  const unitCode = prices.unitNames.indexOf(unit);
  const currencyCode = prices.currencyCodes.indexOf(currency);
  const { units, currencies, prices: amounts } = prices;
  const end = prices.productOffsets[product + 1] as number;
  let count = 0;
  for (let row = prices.productOffsets[product] as number; row < end; row++) {
    if (units[row] === unitCode && currencies[row] === currencyCode) scratch[count++] = amounts[row] as number;
  }
  return medianOf(scratch, count);
}
