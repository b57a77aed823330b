/** Checks a directory of record files by itself, and warns of prices that look odd but may be true. */
import { median } from "simple-statistics";
import type { ReadingOptions, RecordsReading } from "../dataset/load-dataset.ts";
import { foundText, ProblemList } from "../dataset/problem.ts";
import { type Candidate, readCandidate } from "../dataset/read-candidate.ts";
import type { PriceTable } from "../domain/dataset.ts";
import type { Instant } from "../domain/instant.ts";
import type { ProductRecord } from "../domain/records.ts";
import type { Store } from "../store/store.ts";

export interface CheckedCandidate {
  readonly candidate: Candidate;
  /** Non-blocking: the directory may be published all the same. */
  readonly warnings: ProblemList;
}

/**
 * Checks a directory of record files by itself, as publishing does before it compares it with the current snapshot.
 *
 * @param now The clock; prices may be recorded up to a day later.
 * @param options As in `readCandidate`.
 * @throws {DatasetError} with every problem found.
 */
export async function checkCandidate(
  directory: string,
  now: Instant,
  options?: ReadingOptions,
): Promise<CheckedCandidate> {
  const candidate = await readCandidate(directory, now, options);
  const warnings = new ProblemList();
  warnOfOutliers(candidate.reading, undefined, warnings);
  warnOfUnpriced(candidate.reading, warnings);
  return { candidate, warnings };
}

/** A price may be this many times greater or smaller than the median of its product, unit and currency (inclusive). */
const medianRatioMax = 6;

/**
 * Warns of prices far from the median of their product, unit and currency, in groups of these.
 *
 * @param after The store whose prices give the medians, which includes those of the reading; the reading when undefined.
 * Cost: for each group of the reading one pass over its product's prices in the store, and a selection.
 */
export function warnOfOutliers(reading: RecordsReading, after: Store | undefined, warnings: ProblemList): void {
  const { products, prices } = reading.records;
  for (const rows of groupRows(prices)) {
    const first = rows[0] as number;
    const product = products[prices.products[first] as number] as ProductRecord;
    const unit = prices.unitNames[prices.units[first] as number] as string;
    const currency = prices.currencyCodes[prices.currencies[first] as number] as string;
    const amounts = rows.map((row) => prices.prices[row] as number);
    const middle = median(after === undefined ? amounts : storedAmounts(after, product, unit, currency));
    const group = `${product.name}, ${unit}, ${currency}`;
    const wanted = `a price at most ${medianRatioMax} times above or below ${middle}, the median of ${group}`;
    amounts.forEach((price, at) => {
      if (price <= middle * medianRatioMax && price * medianRatioMax >= middle) return;
      const place = reading.placeOfPrice(rows[at] as number);
      warnings.add({ ...place, kind: "outlier", field: "price", found: String(price), wanted });
    });
  }
}

/** Warns of products without prices. */
function warnOfUnpriced({ records, tables }: RecordsReading, warnings: ProblemList): void {
  const priced = new Set(records.prices.products);
  records.products.forEach(({ name }, position) => {
    if (priced.has(position)) return;
    const found = `${foundText(name)} without any price`;
    tables.products.report(warnings, position, { kind: "no-prices", found, wanted: "at least one" });
  });
}

/** The sources, quality grades and units of a snapshot's prices. */
type KnownValues = Pick<PriceTable, "sourceNames" | "gradeNames" | "unitNames">;

/** Warns of sources, quality grades and units that the current snapshot's prices do not have. */
export function warnOfNewValues(reading: RecordsReading, current: KnownValues, warnings: ProblemList): void {
  const { prices } = reading.records;
  const columns = [
    { field: "source", codes: prices.sources, names: prices.sourceNames, known: current.sourceNames },
    { field: "quality_grade", codes: prices.grades, names: prices.gradeNames, known: current.gradeNames },
    { field: "unit", codes: prices.units, names: prices.unitNames, known: current.unitNames },
  ];
  for (const { field, codes, names, known } of columns) {
    const knownNames = new Set(known);
    names.forEach((name, code) => {
      if (knownNames.has(name)) return;
      const found = `${foundText(name)} for the first time`;
      const place = reading.placeOfPrice(codes.indexOf(code));
      warnings.add({ ...place, kind: "new-value", field, found, wanted: `a ${field} of the current snapshot` });
    });
  }
}

/** The rows of each product, unit and currency, in order of the table. */
function groupRows(prices: PriceTable): Iterable<readonly number[]> {
  const groups = new Map<number, number[]>();
  for (let row = 0; row < prices.rowCount; row++) {
    const productAndUnit = (prices.products[row] as number) * prices.unitNames.length + (prices.units[row] as number);
    const key = productAndUnit * prices.currencyCodes.length + (prices.currencies[row] as number);
    const rows = groups.get(key);
    if (rows === undefined) groups.set(key, [row]);
    else rows.push(row);
  }
  return groups.values();
}

/** A store's prices of one product in one unit and currency. */
function storedAmounts(
  { catalogue, prices }: Store,
  { uuid }: ProductRecord,
  unit: string,
  currency: string,
): number[] {
  const product = catalogue.productCodes.get(uuid) as number;
  const unitCode = prices.unitNames.indexOf(unit);
  const currencyCode = prices.currencyCodes.indexOf(currency);
  const amounts: number[] = [];
  const end = prices.productOffsets[product + 1] as number;
  for (let row = prices.productOffsets[product] as number; row < end; row++) {
    if (prices.units[row] !== unitCode || prices.currencies[row] !== currencyCode) continue;
    amounts.push(prices.prices[row] as number);
  }
  return amounts;
}
