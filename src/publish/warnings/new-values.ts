/**
 * Units and currencies that a product did not have, sources and quality grades that no price had: often a misspelling.
 */
import { foundText } from "../../dataset/problem.ts";
import type { Uuid } from "../../domain/ids.ts";
import { recordAt } from "../../store/catalogue.ts";
import type { Store } from "../../store/store.ts";
import type { Findings, Judgement } from "./warning.ts";

/** Without a snapshot to compare with, a unit or currency is new if one price of this many has it, or fewer. */
export const pricesPerRareMin = 1000;

/** A product with fewer prices has no rare unit or currency. */
export const pricesForRareMin = 10;

/** The columns whose values are compared, each with its texts and the kind of warning. */
const columns = {
  unit: { kind: "new-unit", column: "units", texts: "unitNames" },
  currency: { kind: "new-currency", column: "currencies", texts: "currencyCodes" },
  source: { kind: "new-source", column: "sources", texts: "sourceNames" },
  quality_grade: { kind: "new-grade", column: "grades", texts: "gradeNames" },
} as const;

type MeasureField = "unit" | "currency";

/** Finds values that are new, once for each product or, of sources and grades, once. Cost: four looks at each row. */
export function findNewValues({ after, before, rows }: Judgement, findings: Findings): void {
  const { catalogue, prices } = after;
  const published = before !== undefined && before.prices.rowCount > 0 ? before : undefined;
  for (const field of ["unit", "currency"] as const) {
    const { kind, column, texts } = columns[field];
    const [codes, names] = [prices[column], prices[texts]];
    const known = new Map<number, ReadonlySet<string>>();
    const knownOf = (product: number): ReadonlySet<string> =>
      known.getOrInsertComputed(product, () => {
        const { uuid, commonUnits } = recordAt(catalogue.products, product);
        const values =
          published === undefined ? frequentValues(after, field, uuid) : knownValues(published, field, uuid);
        return field === "unit" ? values.union(new Set(commonUnits)) : values;
      });
    const isNew = (row: number): boolean => !knownOf(prices.products[row]!).has(names[codes[row]!]!);
    // At most 65,535 units or currencies.
    const keyOf = (row: number): number => prices.products[row]! * 0x1_0000 + codes[row]!;
    for (const { row, count } of countNew(rows, isNew, keyOf)) {
      const product = prices.products[row]!;
      const { name } = recordAt(catalogue.products, product);
      findings.add(kind, { row }, () => ({
        field,
        found: `${foundText(names[codes[row]!])}, of ${countText(count)} of ${name}`,
        wanted: `a ${field} that the product has had: ${[...knownOf(product)].sort().join(", ")}`,
      }));
    }
  }
  if (published === undefined) return;
  for (const field of ["source", "quality_grade"] as const) {
    const { kind, column, texts } = columns[field];
    const [codes, names] = [prices[column], prices[texts]];
    const newNames = new Set(names).difference(new Set(published.prices[texts]));
    const isNew = (row: number): boolean => newNames.has(names[codes[row]!]!);
    for (const { row, count } of countNew(rows, isNew, (at) => codes[at]!)) {
      findings.add(kind, { row }, () => ({
        field,
        found: `${foundText(names[codes[row]!])} for the first time, of ${countText(count)}`,
        wanted: `a ${field} of the current snapshot`,
      }));
    }
  }
}

/** The newest of the rows that are new and have a key in common, and how many these are. */
function countNew(
  rows: Uint32Array,
  isNew: (row: number) => boolean,
  keyOf: (row: number) => number,
): Iterable<{ readonly row: number; readonly count: number }> {
  const found = new Map<number, { row: number; count: number }>();
  for (const row of rows) {
    if (isNew(row)) found.getOrInsertComputed(keyOf(row), () => ({ row, count: 0 })).count++;
  }
  return found.values();
}

function countText(count: number): string {
  return count === 1 ? "a price" : `${count} prices`;
}

/** What the prices of a product have; of a product without prices, no unit, and the currencies of all. */
function knownValues(store: Store, field: MeasureField, uuid: Uuid): ReadonlySet<string> {
  const counts = countValues(store, field, uuid);
  return new Set(counts.size === 0 && field === "currency" ? store.prices.currencyCodes : counts.keys());
}

/** What more than one of a thousand of the prices of a product have. */
function frequentValues(store: Store, field: MeasureField, uuid: Uuid): ReadonlySet<string> {
  const counts = countValues(store, field, uuid);
  const total = counts.values().reduce((sum, count) => sum + count, 0);
  const rareMax = total < pricesForRareMin ? 0 : Math.max(1, total / pricesPerRareMin);
  return new Set([...counts].filter(([, count]) => count > rareMax).map(([name]) => name));
}

/** How many prices of a product have which unit or currency. */
function countValues({ catalogue, prices, series }: Store, field: MeasureField, uuid: Uuid): Map<string, number> {
  const { column, texts } = columns[field];
  const counts = new Map<string, number>();
  const product = catalogue.productCodes.get(uuid);
  if (product === undefined) return counts;
  for (let at = series.offsets[product]!; at < series.offsets[product + 1]!; at++) {
    const name = prices[texts][series[column][at]!]!;
    counts.set(name, (counts.get(name) ?? 0) + series.counts[at]!);
  }
  return counts;
}
