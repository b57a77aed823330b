/** Units and currencies that a product did not have, and sources that no price had: often a misspelling. */

import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import type { Uuid } from "../../../engine/model/ids.ts";
import { foundName, foundText } from "../../../engine/snapshots/problem.ts";
import { recordAt } from "../../../engine/store/catalogue.ts";
import type { Store } from "../../../engine/store/store.ts";
import { type Finding, findingOf, type Judgement } from "./warning.ts";

/** Without a snapshot to compare with, a unit or currency is new if one price of this many has it, or fewer. */
export const pricesPerRareMin = 1000;

/** A product with fewer prices has no rare unit or currency. */
export const pricesForRareMin = 10;

/** The columns whose values are compared, each with its texts. */
const columns = {
  unit: { column: "units", texts: "unitNames" },
  currency: { column: "currencies", texts: "currencyCodes" },
  source: { column: "sources", texts: "sourceNames" },
} as const;

type UnitOrCurrency = "unit" | "currency";

/** Finds sources that no price had, once for each. Cost: a read of each row. */
export function* findNewSources({ after, before, rows }: Judgement): Generator<Finding> {
  const published = publishedOf(before);
  if (published === undefined) return;
  const known = new Set(published.prices.sourceNames);
  for (const { value, row, count } of newValues(
    after,
    rows,
    "source",
    () => 0,
    () => known,
  )) {
    yield findingOf("new-source", row, () => ({
      field: "source",
      found: `${foundText(value)} for the first time, of ${countText(count)}`,
      wanted: "a source of the current snapshot",
    }));
  }
}

/** Finds units or currencies that a product did not have, once for each. Cost: a read of each row. */
export function* findNewOfProducts({ after, before, rows }: Judgement, field: UnitOrCurrency): Generator<Finding> {
  const { catalogue, prices } = after;
  const published = publishedOf(before);
  const known = new Map<number, ReadonlySet<string>>();
  const knownOf = (product: number): ReadonlySet<string> =>
    getOrInsert(known, product, () => {
      const { uuid, commonUnits } = recordAt(catalogue.products, product);
      const values = published === undefined ? frequentValues(after, field, uuid) : knownValues(published, field, uuid);
      return field === "unit" ? values.union(new Set(commonUnits)) : values;
    });
  for (const { value, row, count } of newValues(after, rows, field, (at) => prices.products[at]!, knownOf)) {
    const product = prices.products[row]!;
    yield findingOf(`new-${field}`, row, () => ({
      field,
      found: `${foundText(value)}, of ${countText(count)} of ${foundName(recordAt(catalogue.products, product).name)}`,
      wanted: `a ${field} that the product has had: ${[...knownOf(product)].sort().join(", ")}`,
    }));
  }
}

/** Returns the store that new values are compared with; undefined where nothing was published. */
function publishedOf(before: Store | undefined): Store | undefined {
  return before !== undefined && before.prices.rowCount > 0 ? before : undefined;
}

/** A value that is not known in its group. */
interface NewValue {
  readonly value: string;
  /** The newest row that has it. */
  readonly row: number;
  count: number;
}

/** The values of a column that are not known in their group. */
function newValues(
  { prices }: Store,
  rows: Uint32Array,
  field: keyof typeof columns,
  groupOf: (row: number) => number,
  knownIn: (group: number) => ReadonlySet<string>,
): Iterable<NewValue> {
  const { column, texts } = columns[field];
  const found = new Map<number, NewValue>();
  for (const row of rows) {
    const [group, code] = [groupOf(row), prices[column][row]!];
    const value = prices[texts][code];
    if (value === undefined || knownIn(group).has(value)) continue;
    // At most 65,535 texts.
    getOrInsert(found, group * 0x1_0000 + code, () => ({ value, row, count: 0 })).count++;
  }
  return found.values();
}

function countText(count: number): string {
  return count === 1 ? "a price" : `${count} prices`;
}

/** The values of the prices of a product; of a product without prices, no unit, and the currencies of all. */
function knownValues(store: Store, field: UnitOrCurrency, uuid: Uuid): ReadonlySet<string> {
  const counts = countValues(store, field, uuid);
  return new Set(counts.size === 0 && field === "currency" ? store.prices.currencyCodes : counts.keys());
}

/** The values that more than one of a thousand of the prices of a product have. */
function frequentValues(store: Store, field: UnitOrCurrency, uuid: Uuid): ReadonlySet<string> {
  const counts = countValues(store, field, uuid);
  const total = counts.values().reduce((sum, count) => sum + count, 0);
  const rareMax = total < pricesForRareMin ? 0 : Math.max(1, total / pricesPerRareMin);
  return new Set([...counts].filter(([, count]) => count > rareMax).map(([name]) => name));
}

/** Returns the number of prices of a product by unit or currency. */
function countValues({ catalogue, prices, series }: Store, field: UnitOrCurrency, uuid: Uuid): Map<string, number> {
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
