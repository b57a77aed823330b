/** What looks odd in prices but may be true: it is told, and published all the same. */

import { type Fault, foundText, type ProblemList } from "../dataset/problem.ts";
import type { RecordsReading } from "../dataset/read-records.ts";
import type { PriceTable } from "../domain/dataset.ts";
import type { ProductRecord } from "../domain/records.ts";
import { medianOf } from "../store/figures.ts";

/** A price may be this many times greater or smaller than the median of its product, unit and currency (inclusive). */
export const medianRatioMax = 6;

/** Reports prices far from the median of their product, unit and currency, and products that nobody has priced. */
export function warnOfOddPrices(reading: RecordsReading, warnings: ProblemList): void {
  const { products, prices } = reading.records;
  const groups = rowsByMeasure(prices);
  const isPriced = new Set<number>();
  for (const rows of groups.values()) {
    const first = rows[0] as number;
    const product = prices.products[first] as number;
    isPriced.add(product);
    const median = medianOf(
      Float64Array.from(rows, (row) => prices.prices[row] as number),
      0,
      rows.length,
    );
    const series = seriesName(products, prices, first);
    for (const row of rows) {
      const fault = outlierFault(prices.prices[row] as number, median, series);
      if (fault !== undefined) warnings.add({ ...reading.placeOfPrice(row), ...fault });
    }
  }
  products.forEach((product, position) => {
    if (isPriced.has(position)) return;
    const found = `${foundText(product.name)} without any price`;
    reading.tables.products.report(warnings, position, { kind: "no-prices", found, wanted: "at least one" });
  });
}

/** What is odd about a price, if it is far from the median of its series. */
export function outlierFault(price: number, median: number, series: string): Fault | undefined {
  if (price <= median * medianRatioMax && price * medianRatioMax >= median) return undefined;
  const wanted = `a price at most ${medianRatioMax} times above or below ${median}, the median of ${series}`;
  return { kind: "outlier", field: "price", found: String(price), wanted };
}

/** How a median is told: `Maize, kg, KES`. */
export function seriesName(products: readonly ProductRecord[], prices: PriceTable, row: number): string {
  const product = products[prices.products[row] as number]?.name;
  const unit = prices.unitNames[prices.units[row] as number];
  return `${product}, ${unit}, ${prices.currencyCodes[prices.currencies[row] as number]}`;
}

/** The sources, quality grades and units of a snapshot's prices. */
export type KnownValues = Pick<PriceTable, "sourceNames" | "gradeNames" | "unitNames">;

/** Reports sources, quality grades and units of prices that the current snapshot's prices do not have. */
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

/** Row numbers of each product, unit and currency, in order of the table. */
function rowsByMeasure(prices: PriceTable): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (let row = 0; row < prices.rowCount; row++) {
    const productAndUnit = (prices.products[row] as number) * prices.unitNames.length + (prices.units[row] as number);
    const key = productAndUnit * prices.currencyCodes.length + (prices.currencies[row] as number);
    const rows = groups.get(key);
    if (rows === undefined) groups.set(key, [row]);
    else rows.push(row);
  }
  return groups;
}
