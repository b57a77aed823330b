/**
 * What every peer keeps beside its prices: the small tables, ready for look-ups by code, so that no peer pays for joins
 * that our own handlers do not make either. Product and market codes ascend in the order in which answers list them.
 */
import type { Dataset, SnapshotIdentity } from "../../src/engine/model/dataset.ts";
import { compareNameKeys, compareTexts, nameKeys } from "../../src/engine/model/folded-text.ts";
import { getOrInsert } from "../../src/engine/model/get-or-insert.ts";
import type { MarketRecord, ProductRecord, UnitRecord } from "../../src/engine/model/records.ts";
import { marketTypes } from "../../src/engine/model/vocabulary.ts";

/** The unit and currency that the statistics of a product are answered in. */
interface PeerUnit {
  readonly unit: string;
  readonly currency: string | null;
}

export interface PeerTables {
  readonly snapshot: SnapshotIdentity;
  readonly products: readonly ProductRecord[];
  readonly productCodes: ReadonlyMap<string, number>;
  readonly markets: readonly MarketRecord[];
  readonly marketCodes: ReadonlyMap<string, number>;
  readonly countyNames: ReadonlyMap<number, string>;
  /** County ids by folded name, then id: `countyRanks.get(id)` is the position. */
  readonly countyRanks: ReadonlyMap<number, number>;
  /** By product code. */
  readonly statisticsUnits: readonly PeerUnit[];
  /** Product and market codes by position in the dataset. */
  readonly productCodeAt: Uint16Array;
  readonly marketCodeAt: Uint16Array;
  readonly unitNames: readonly string[];
  readonly currencyCodes: readonly string[];
  readonly sourceNames: readonly string[];
  readonly gradeNames: readonly string[];
  readonly units: ReadonlyMap<string, UnitRecord>;
}

/** Cost: one pass over the prices. */
export function makePeerTables(dataset: Dataset): PeerTables {
  const products = dataset.products.toSorted(compareRecords);
  const markets = dataset.markets.toSorted(compareRecords);
  const productCodes = new Map(products.map(({ uuid }, code) => [uuid as string, code]));
  const marketCodes = new Map(markets.map(({ uuid }, code) => [uuid as string, code]));
  const counties = dataset.counties.toSorted((a, b) => byName(a, b) || a.id - b.id);
  const { unitNames, currencyCodes, sourceNames, gradeNames } = dataset.prices;
  const units = new Map(dataset.unitCategories.flatMap((category) => category.units.map((unit) => [unit.name, unit])));
  return {
    snapshot: dataset.snapshot,
    products,
    productCodes,
    markets,
    marketCodes,
    countyNames: new Map(counties.map(({ id, name }) => [id, name])),
    countyRanks: new Map(counties.map(({ id }, rank) => [id, rank])),
    statisticsUnits: statisticsUnitsOf(dataset, products, units),
    productCodeAt: Uint16Array.from(dataset.products, ({ uuid }) => productCodes.get(uuid) as number),
    marketCodeAt: Uint16Array.from(dataset.markets, ({ uuid }) => marketCodes.get(uuid) as number),
    unitNames,
    currencyCodes,
    sourceNames,
    gradeNames,
    units,
  };
}

/** Number under which peers keep a market type. */
export function marketTypeCode(type: MarketRecord["type"]): number {
  return marketTypes.indexOf(type);
}

function byName(a: { name: string }, b: { name: string }): number {
  return compareNameKeys(nameKeys(a.name), nameKeys(b.name));
}

function compareRecords(a: { name: string; uuid: string }, b: { name: string; uuid: string }): number {
  return byName(a, b) || compareTexts(a.uuid, b.uuid);
}

/** The rules of src/decisions for unit and currency of statistics, counted here independently of the store. */
function statisticsUnitsOf(
  { prices, products: productsInFile }: Dataset,
  products: readonly ProductRecord[],
  units: ReadonlyMap<string, UnitRecord>,
): PeerUnit[] {
  const unitCounts = productsInFile.map(() => new Map<string, number>());
  /** By product, then base unit. */
  const currencyCounts = productsInFile.map(() => new Map<string | undefined, Map<string, number>>());
  for (let row = 0; row < prices.rowCount; row++) {
    const product = prices.products[row] as number;
    const unit = prices.unitNames[prices.units[row] as number] as string;
    count(unitCounts[product], unit);
    const ofProduct = currencyCounts[product];
    const baseUnit = units.get(unit)?.baseUnit;
    const ofBase = ofProduct && getOrInsert(ofProduct, baseUnit, () => new Map<string, number>());
    count(ofBase, prices.currencyCodes[prices.currencies[row] as number]);
  }
  return products.map((product) => {
    const position = productsInFile.indexOf(product);
    const used = unitCounts[position] ?? new Map<string, number>();
    const bases = new Set([...used.keys()].map((name) => units.get(name)?.baseUnit));
    const common = product.commonUnits.find((name) => bases.has(units.get(name)?.baseUnit));
    const name = common ?? mostFrequent(used) ?? (product.commonUnits[0] as string);
    const unit = units.get(name)?.baseUnit ?? name;
    return { unit, currency: mostFrequent(currencyCounts[position]?.get(unit) ?? new Map()) };
  });
}

function count(counts: Map<string, number> | undefined, text: string | undefined): void {
  if (text !== undefined) counts?.set(text, (counts.get(text) ?? 0) + 1);
}

function mostFrequent(counts: ReadonlyMap<string, number>): string | null {
  return [...counts].sort(([textA, a], [textB, b]) => b - a || compareTexts(textA, textB))[0]?.[0] ?? null;
}
