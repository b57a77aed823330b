/** The small tables, each in the order in which it is answered, with what look-ups and text searches need. */
import type { Branded } from "../model/branded.ts";
import type { Dataset } from "../model/dataset.ts";
import { compareNameKeys, compareTexts, type NameKeys, nameKeys, searchKey, searchRuns } from "../model/folded-text.ts";
import type { CountyId, Uuid } from "../model/ids.ts";
import type {
  ContinuationRecord,
  CountyRecord,
  CropRecord,
  ExchangeRateRecord,
  MarketContinuationRecord,
  MarketRecord,
  MarketTypeRecord,
  ProductRecord,
  UnitCategoryRecord,
  UnitRecord,
} from "../model/records.ts";
import { sharedColumnFrom } from "../model/shared-columns.ts";
import { marketTypes, type Population } from "../model/vocabulary.ts";

/** Position of a product in `Catalogue.products`. */
export type ProductCode = Branded<number, "ProductCode">;

/** Position of a market in `Catalogue.markets`. */
export type MarketCode = Branded<number, "MarketCode">;

/** A record with what it is sorted by, and what searches look at. */
export interface NamedEntry<Entry> extends NameKeys {
  readonly record: Entry;
  /** Its description as `searchKey` has it; empty where there is none. */
  readonly searchDescription: string;
}

/** A market with what finds it. */
export interface MarketEntry extends NamedEntry<MarketRecord> {
  /** Its own name and its alternative ones as `searchKey` has them, a line each, which no word of a search spans. */
  readonly searchNames: string;
}

/** A product with what searches by its names need. */
export interface ProductEntry extends NamedEntry<ProductRecord> {
  /** Its own name, then alternative ones. */
  readonly names: readonly ProductName[];
}

export interface ProductName {
  readonly text: string;
  /** As `searchKey` has it. */
  readonly key: string;
  /** As `searchRuns` has them. */
  readonly words: readonly string[];
}

export interface Catalogue {
  /** By folded name, then uuid; the position is the product code. */
  readonly products: readonly ProductEntry[];
  readonly productCodes: ReadonlyMap<Uuid, ProductCode>;
  /** Codes, ascending, of the products that have a `namesakeKey`. */
  readonly namesakes: ReadonlyMap<string, readonly ProductCode[]>;
  /**
   * By county id, type, folded name, then uuid; the position is the market code. So the markets of a county are
   * neighbours, and so are a product's prices there.
   */
  readonly markets: readonly MarketEntry[];
  readonly marketCodes: ReadonlyMap<Uuid, MarketCode>;
  /** Market codes by folded name, then uuid: the order in which markets are answered. */
  readonly marketsByName: readonly MarketCode[];
  /** County id by market code, ascending. */
  readonly marketCounties: Uint8Array<SharedArrayBuffer>;
  /** Position in `marketTypes` of engine/model/vocabulary.ts by market code. */
  readonly marketTypeCodes: Uint8Array<SharedArrayBuffer>;
  /** 1 for each market code in a refugee camp. */
  readonly camps: Uint8Array<SharedArrayBuffer>;
  /** 1 for each other market code. */
  readonly otherMarkets: Uint8Array<SharedArrayBuffer>;
  /** By id. */
  readonly counties: ReadonlyMap<CountyId, CountyRecord>;
  /** Ids by folded name, then id: the order in which groups by county are answered. */
  readonly countiesByName: readonly CountyId[];
  /** By id. */
  readonly crops: readonly CropRecord[];
  /** In the order of the file. */
  readonly unitCategories: readonly UnitCategoryRecord[];
  /** Units of all categories by name. */
  readonly units: ReadonlyMap<string, UnitRecord>;
  /** In the order of the file. */
  readonly marketTypes: readonly MarketTypeRecord[];
  /** In the order of the file; empty in a snapshot without them. */
  readonly exchangeRates: readonly ExchangeRateRecord[];
  /** In the order of the file; empty in a snapshot without them. */
  readonly continuations: readonly ContinuationRecord[];
  /** In the order of the file; empty in a snapshot without them. */
  readonly marketContinuations: readonly MarketContinuationRecord[];
}

/** The tables that are kept as records. */
export type SmallTables = Omit<Dataset, "snapshot" | "prices">;

/** Sorts and indexes the small tables of a dataset. */
export function buildCatalogue(dataset: SmallTables): Catalogue {
  const products = dataset.products.map(productEntry).sort(compareEntries);
  const markets = dataset.markets
    .map(marketEntry)
    .sort((a, b) => compareKinds(a.record, b.record) || compareEntries(a, b));
  const counties = dataset.counties.toSorted((a, b) => a.id - b.id);
  return {
    products,
    namesakes: Map.groupBy(
      Array.from(products.keys(), (code) => code as ProductCode),
      (code) => namesakeKey(recordAt(products, code)),
    ),
    productCodes: new Map(products.map(({ record }, code) => [record.uuid, code as ProductCode])),
    markets,
    marketCodes: new Map(markets.map(({ record }, code) => [record.uuid, code as MarketCode])),
    marketsByName: [...markets.keys()].sort((a, b) => compareEntries(markets[a]!, markets[b]!)) as MarketCode[],
    marketCounties: sharedColumnFrom("Uint8Array", markets, ({ record }) => record.countyId),
    marketTypeCodes: sharedColumnFrom("Uint8Array", markets, ({ record }) => marketTypes.indexOf(record.type)),
    camps: sharedColumnFrom("Uint8Array", markets, ({ record }) => Number(record.setting === "refugee_camp")),
    otherMarkets: sharedColumnFrom("Uint8Array", markets, ({ record }) => Number(record.setting !== "refugee_camp")),
    counties: new Map(counties.map((county) => [county.id, county])),
    countiesByName: counties
      .map(({ id, name }) => ({ id, ...nameKeys(name) }))
      .sort((a, b) => compareNameKeys(a, b) || a.id - b.id)
      .map(({ id }) => id),
    crops: dataset.crops.toSorted((a, b) => a.id - b.id),
    unitCategories: dataset.unitCategories,
    units: new Map(dataset.unitCategories.flatMap(({ units }) => units.map((unit) => [unit.name, unit]))),
    marketTypes: dataset.marketTypes,
    exchangeRates: dataset.exchangeRates,
    continuations: dataset.continuations,
    marketContinuations: dataset.marketContinuations,
  };
}

/**
 * The county that a market of this catalogue lies in.
 *
 * @throws {RangeError} when there is none of this id.
 */
export function countyRecord({ counties }: Catalogue, id: CountyId): CountyRecord {
  const county = counties.get(id);
  if (county === undefined) throw new RangeError(`county ${id} is not in the catalogue`);
  return county;
}

/**
 * The record that a product or market code stands for.
 *
 * @throws {RangeError} when the code is outside the table.
 */
export function recordAt<Entry>(entries: readonly NamedEntry<Entry>[], code: number): Entry {
  const entry = entries[code];
  if (entry === undefined) {
    throw new RangeError(`code ${code} is outside the table, expected 0 to ${entries.length - 1}`);
  }
  return entry.record;
}

/**
 * The product of a uuid that a record of the catalogue names.
 *
 * @throws {RangeError} when there is none.
 */
export function productOf({ products, productCodes }: Catalogue, uuid: Uuid): ProductRecord {
  return recordAt(products, productCodes.get(uuid) ?? -1);
}

/** So too the market. */
export function marketOf({ markets, marketCodes }: Catalogue, uuid: Uuid): MarketRecord {
  return recordAt(markets, marketCodes.get(uuid) ?? -1);
}

/** The category and the first word of a name, which products may share that are one good under several names. */
export function namesakeKey({ name, category }: ProductRecord): string {
  return `${searchKey(category)}\n${searchRuns(name)[0] ?? ""}`;
}

/** Returns whether a market lies in a refugee camp. */
export function isCamp({ camps }: Pick<Catalogue, "camps">, code: number): boolean {
  return camps[code] === 1;
}

/** 1 for each market code of a population; undefined where it is all of them. */
export function maskOf(
  { camps, otherMarkets }: Pick<Catalogue, "camps" | "otherMarkets">,
  population: Population | undefined,
): Uint8Array | undefined {
  if (population === undefined || population === "include") return undefined;
  return population === "only" ? camps : otherMarkets;
}

/** The positions of some codes in a list, by code. */
export function ranksOf(codes: readonly number[]): readonly number[] {
  const ranks: number[] = [];
  for (const [rank, code] of codes.entries()) ranks[code] = rank;
  return ranks;
}

function marketEntry(record: MarketRecord): MarketEntry {
  return { ...namedEntry(record), searchNames: namesOf(record).map(searchKey).join("\n") };
}

/** The names of a product or market, its own first. */
export function namesOf({
  name,
  alternativeNames,
}: Pick<MarketRecord, "name" | "alternativeNames">): readonly string[] {
  return [name, ...(alternativeNames ?? [])];
}

function productEntry(record: ProductRecord): ProductEntry {
  return {
    ...namedEntry(record),
    names: namesOf(record).map((text) => ({ text, key: searchKey(text), words: searchRuns(text) })),
  };
}

function namedEntry<Entry extends { readonly name: string; readonly description: string | null }>(
  record: Entry,
): NamedEntry<Entry> {
  return {
    record,
    ...nameKeys(record.name),
    searchDescription: record.description === null ? "" : searchKey(record.description),
  };
}

function compareEntries(a: NamedEntry<{ uuid: Uuid }>, b: NamedEntry<{ uuid: Uuid }>): number {
  return compareNameKeys(a, b) || compareTexts(a.record.uuid, b.record.uuid);
}

function compareKinds(a: MarketRecord, b: MarketRecord): number {
  return a.countyId - b.countyId || marketTypes.indexOf(a.type) - marketTypes.indexOf(b.type);
}
