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

/** Finds values that are new, once for each product or, of sources and grades, once. Cost: a look at each row. */
export function findNewValues(judgement: Judgement, findings: Findings): void {
  findNewOfProducts(judgement, findings);
  findNewOfAll(judgement, findings);
}

/** A unit or currency of a product. */
interface ProductValue {
  readonly field: "unit" | "currency";
  readonly name: string;
  /** The newest price that has it. */
  readonly row: number;
  count: number;
}

function findNewOfProducts({ after, before, rows }: Judgement, findings: Findings): void {
  const { catalogue, prices } = after;
  const knownOf =
    before === undefined || before.prices.rowCount === 0 ? frequentMeasures(after) : knownMeasures(before);
  let product = -1;
  let known: ProductMeasures | undefined;
  let found = new Map<string, ProductValue>();
  for (const row of rows) {
    if (prices.products[row] !== product) {
      report();
      product = prices.products[row]!;
      const { uuid, commonUnits } = recordAt(catalogue.products, product);
      known = knownOf(uuid);
      for (const unit of commonUnits) known.units.add(unit);
    }
    const unit = prices.unitNames[prices.units[row]!]!;
    const currency = prices.currencyCodes[prices.currencies[row]!]!;
    if (!known!.units.has(unit)) count("unit", unit, row);
    if (!known!.currencies.has(currency)) count("currency", currency, row);
  }
  report();

  function count(field: ProductValue["field"], name: string, row: number): void {
    found.getOrInsertComputed(`${field} ${name}`, () => ({ field, name, row, count: 0 })).count++;
  }

  function report(): void {
    for (const { field, name, row, count } of found.values()) {
      findings.add(`new-${field}`, { row }, () => {
        const values = field === "unit" ? known!.units : known!.currencies;
        const pricesText = count === 1 ? "a price" : `${count} prices`;
        return {
          field,
          found: `${foundText(name)}, of ${pricesText} of ${recordAt(catalogue.products, product).name}`,
          wanted: `a ${field} that the product has had: ${[...values].sort().join(", ")}`,
        };
      });
    }
    found = new Map();
  }
}

/** Names of the units and currencies of a product. */
interface ProductMeasures {
  readonly units: Set<string>;
  readonly currencies: Set<string>;
}

/** By uuid of a product, what its prices have; of a product without prices, the currencies of all. */
function knownMeasures(store: Store): (uuid: Uuid) => ProductMeasures {
  const { catalogue, prices, series } = store;
  return (uuid) => {
    const product = catalogue.productCodes.get(uuid);
    const [from, to] = product === undefined ? [0, 0] : [series.offsets[product]!, series.offsets[product + 1]!];
    if (from === to) return { units: new Set(), currencies: new Set(prices.currencyCodes) };
    const namesOf = (codes: Uint32Array, names: readonly string[]): Set<string> =>
      new Set(Array.from(codes.subarray(from, to), (code) => names[code]!));
    return {
      units: namesOf(series.units, prices.unitNames),
      currencies: namesOf(series.currencies, prices.currencyCodes),
    };
  };
}

/** By uuid of a product, what more than one of a thousand of its prices have. */
function frequentMeasures({ catalogue, prices, series }: Store): (uuid: Uuid) => ProductMeasures {
  return (uuid) => {
    const product = catalogue.productCodes.get(uuid)!;
    const units = new Map<string, number>();
    const currencies = new Map<string, number>();
    let total = 0;
    for (let at = series.offsets[product]!; at < series.offsets[product + 1]!; at++) {
      const unit = prices.unitNames[series.units[at]!]!;
      const currency = prices.currencyCodes[series.currencies[at]!]!;
      units.set(unit, (units.get(unit) ?? 0) + series.counts[at]!);
      currencies.set(currency, (currencies.get(currency) ?? 0) + series.counts[at]!);
      total += series.counts[at]!;
    }
    const rareMax = total < pricesForRareMin ? 0 : Math.max(1, total / pricesPerRareMin);
    const frequent = (counts: ReadonlyMap<string, number>): Set<string> =>
      new Set([...counts].filter(([, count]) => count > rareMax).map(([name]) => name));
    return { units: frequent(units), currencies: frequent(currencies) };
  };
}

/** Finds sources and quality grades that no price of the snapshot before has. */
function findNewOfAll({ after, before, rows }: Judgement, findings: Findings): void {
  if (before === undefined || before.prices.rowCount === 0) return;
  const { prices } = after;
  const columns = [
    {
      kind: "new-source",
      field: "source",
      codes: prices.sources,
      names: prices.sourceNames,
      known: before.prices.sourceNames,
    },
    {
      kind: "new-grade",
      field: "quality_grade",
      codes: prices.grades,
      names: prices.gradeNames,
      known: before.prices.gradeNames,
    },
  ] as const;
  for (const { kind, field, codes, names, known } of columns) {
    const knownNames = new Set(known);
    const newCodes = new Set(names.keys().filter((code) => !knownNames.has(names[code]!)));
    if (newCodes.size === 0) continue;
    const values = new Map<number, { row: number; count: number }>();
    for (const row of rows) {
      const code = codes[row]!;
      if (newCodes.has(code)) values.getOrInsertComputed(code, () => ({ row, count: 0 })).count++;
    }
    for (const [code, { row, count }] of values) {
      findings.add(kind, { row }, () => ({
        field,
        found: `${foundText(names[code])} for the first time, of ${count === 1 ? "a price" : `${count} prices`}`,
        wanted: `a ${field} of the current snapshot`,
      }));
    }
  }
}
