/**
 * The smallest dataset that makes a point. Every part has a default; what a test gives replaces it, and within a record
 * only the fields that matter to the test need be given:
 *
 *     const recordedAt = "2026-01-31T21:00:00Z";
 *     tinyDataset({ prices: [{ price: 50 }, { market: 1, price: 4500, unit: "90 kg bag", recordedAt }] })
 */

import { type Instant, instantFromText } from "../../src/engine/model/calendar.ts";
import type { Dataset, SnapshotIdentity } from "../../src/engine/model/dataset.ts";
import type { CountyId, Uuid } from "../../src/engine/model/ids.ts";
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
} from "../../src/engine/model/records.ts";
import { marketTypes } from "../../src/engine/model/vocabulary.ts";
import { type AppendedPrice, PriceAppender } from "./price-appender.ts";

/** A price whose product and market are named by uuid or by position, and whose time may be RFC 3339 text. */
export interface TinyPrice extends Omit<AppendedPrice, "product" | "market" | "recordedAt"> {
  readonly product: number | Uuid;
  readonly market: number | Uuid;
  readonly recordedAt: Instant | string;
}

/** What a test may set; the numbers of uuids count from 1 in the order given, separately for each kind. */
export interface TinyDatasetParts {
  readonly snapshot?: Partial<SnapshotIdentity>;
  readonly counties?: readonly CountyRecord[];
  readonly crops?: readonly CropRecord[];
  readonly unitCategories?: readonly UnitCategoryRecord[];
  readonly marketTypes?: readonly MarketTypeRecord[];
  readonly products?: readonly Partial<ProductRecord>[];
  readonly markets?: readonly Partial<MarketRecord>[];
  readonly exchangeRates?: readonly ExchangeRateRecord[];
  readonly continuations?: readonly ContinuationRecord[];
  readonly marketContinuations?: readonly MarketContinuationRecord[];
  readonly prices?: readonly Partial<TinyPrice>[];
}

/**
 * A dataset with what was given and defaults for the rest: three counties, one crop, six units of four base units, the
 * four market types, two products, three markets and no prices.
 *
 * @throws {Error} when a reference resolves to nothing or a uuid stands twice, because no reader would let it pass.
 */
export function tinyDataset(parts: TinyDatasetParts = {}): Dataset {
  const counties = parts.counties ?? defaultCounties;
  const unitCategories = parts.unitCategories ?? defaultUnitCategories;
  const products = (parts.products ?? defaultProducts).map((fields, at) => product(fields, at + 1));
  const markets = (parts.markets ?? defaultMarkets).map((fields, at) => market(fields, at + 1));
  const prices = (parts.prices ?? []).map((fields, at) => price(fields, at + 1));

  const countyIds = uniqueKeys("county", counties, (one) => one.id);
  const units = uniqueKeys(
    "unit",
    unitCategories.flatMap((category) => category.units),
    (unit) => unit.name,
  );
  const productPositions = uniqueKeys("product", products, (one) => one.uuid);
  const marketPositions = uniqueKeys("market", markets, (one) => one.uuid);
  uniqueKeys("price", prices, (one) => one.uuid);
  for (const one of products) for (const unit of one.commonUnits) requireKnown("common unit", units, unit);
  for (const one of markets) requireKnown("county of a market", countyIds, one.countyId);

  const appender = new PriceAppender(prices.length);
  for (const one of prices) {
    requireKnown("unit of a price", units, one.unit);
    appender.append({
      ...one,
      product: resolve("product of a price", productPositions, one.product),
      market: resolve("market of a price", marketPositions, one.market),
      recordedAt: asInstant(one.recordedAt),
    });
  }
  return {
    snapshot: { ...defaultSnapshot, ...parts.snapshot },
    counties,
    crops: parts.crops ?? [crop()],
    unitCategories,
    marketTypes: parts.marketTypes ?? defaultMarketTypes,
    products,
    markets,
    exchangeRates: parts.exchangeRates ?? [],
    continuations: parts.continuations ?? [],
    marketContinuations: parts.marketContinuations ?? [],
    prices: appender.finish(),
  };
}

/** The same uuid for the same number: `uuidOf("price", 7)` ends in 7. Within a kind they sort by number. */
export function uuidOf(kind: "price" | "product" | "market", number: number): Uuid {
  const first = { price: "aaaaaaaa", product: "bbbbbbbb", market: "cccccccc" }[kind];
  return `${first}-0000-4000-8000-${String(number).padStart(12, "0")}` as Uuid;
}

/** A price of 100 KES for a kilogram, recorded in the morning of 15 January 2026 in Nairobi; product and market 0. */
export function price(overrides: Partial<TinyPrice> = {}, number = 1): TinyPrice {
  const recordedAt = overrides.recordedAt === undefined ? usualInstant : asInstant(overrides.recordedAt);
  return {
    uuid: uuidOf("price", number),
    product: 0,
    market: 0,
    price: 100,
    unit: "kg",
    currency: "KES",
    source: "WFP",
    qualityGrade: null,
    notes: null,
    priceFlag: null,
    createdAt: recordedAt,
    updatedAt: recordedAt,
    ...overrides,
    recordedAt,
  };
}

/** A product sold by the kilogram, with everything unknown that may be. */
export function product(overrides: Partial<ProductRecord> = {}, number = 1): ProductRecord {
  return {
    uuid: uuidOf("product", number),
    name: `Product ${number}`,
    category: "Cereals",
    subCategory: null,
    description: "A product.",
    commonUnits: ["kg"],
    alternativeNames: null,
    season: null,
    storageRequirements: null,
    sourceIds: null,
    scientificName: null,
    isActive: true,
    metadata: null,
    createdAt: referenceDay,
    updatedAt: referenceDay,
    ...overrides,
  };
}

/** A retail market in Nairobi, with everything unknown that may be. */
export function market(overrides: Partial<MarketRecord> = {}, number = 1): MarketRecord {
  return {
    uuid: uuidOf("market", number),
    name: `Market ${number}`,
    type: "Retail",
    countyId: 47 as CountyId,
    subCounty: null,
    location: null,
    operatingDays: [],
    operatingHours: null,
    description: null,
    facilities: null,
    alternativeNames: null,
    sourceIds: null,
    setting: null,
    contact: null,
    isActive: true,
    createdAt: referenceDay,
    updatedAt: referenceDay,
    ...overrides,
  };
}

/** A county with one sub-county, with everything unknown that may be. */
export function county(id: number, overrides: Partial<CountyRecord> = {}): CountyRecord {
  return {
    id: id as CountyId,
    code: String(id).padStart(3, "0"),
    pcode: `KE${String(id).padStart(3, "0")}`,
    iso_3166_2: null,
    name: `County ${id}`,
    capital: `Capital ${id}`,
    population: null,
    areaSqKm: null,
    coordinates: null,
    subCounties: [{ id: id * 10, name: `Sub-county ${id * 10}`, wards: ["East Ward", "West Ward"] }],
    economy: null,
    createdAt: referenceDay,
    updatedAt: referenceDay,
    ...overrides,
  };
}

/** Prices of each market, by month (`YYYY-MM`): one in the middle of each. */
export function pricesAt(...markets: readonly Readonly<Record<string, number>>[]): Partial<TinyPrice>[] {
  return markets.flatMap((months, market) =>
    Object.entries(months).map(([month, price]) => ({ market, price, recordedAt: `${month}-15T09:00:00+03:00` })),
  );
}

/** A food crop, with everything unknown that may be. */
export function crop(overrides: Partial<CropRecord> = {}): CropRecord {
  return {
    id: 1,
    name: "Maize",
    scientificName: null,
    category: "Food Crops",
    subCategory: null,
    varieties: null,
    growingSeason: null,
    maturityPeriod: null,
    climateRequirements: null,
    majorGrowingRegions: null,
    ...overrides,
  };
}

const referenceDay = asInstant("2026-01-01T00:00:00Z");
const usualInstant = asInstant("2026-01-15T09:00:00+03:00");

const defaultSnapshot: SnapshotIdentity = {
  id: "20261120T083000Z-0123456789ab",
  createdAt: asInstant("2026-11-20T08:30:00Z"),
  timeZone: "Africa/Nairobi",
  utcOffset: 10_800_000,
  parent: null,
  note: null,
  attribution: [],
  periods: {},
  sources: {},
};

const defaultCounties = [
  county(1, { name: "Mombasa", capital: "Mombasa" }),
  county(21, { name: "Murang'a", capital: "Murang'a" }),
  county(47, { name: "Nairobi", capital: "Nairobi" }),
];

const defaultUnitCategories: readonly UnitCategoryRecord[] = [
  {
    category: "weight",
    units: [
      { name: "kg", abbreviation: "kg", baseUnit: "kg", conversionFactor: 1 },
      { name: "90 kg bag", abbreviation: "bag", baseUnit: "kg", conversionFactor: 90 },
      { name: "g", abbreviation: "g", baseUnit: "kg", conversionFactor: 0.001 },
    ],
  },
  { category: "volume", units: [{ name: "litre", abbreviation: "l", baseUnit: "litre", conversionFactor: 1 }] },
  {
    category: "count",
    units: [
      { name: "piece", abbreviation: "pc", baseUnit: "piece", conversionFactor: 1 },
      { name: "bunch", abbreviation: "bunch", baseUnit: "bunch", conversionFactor: 1 },
    ],
  },
];

const defaultMarketTypes: readonly MarketTypeRecord[] = marketTypes.map((type) => ({
  type,
  description: `${type} markets.`,
  characteristics: [],
}));

const defaultProducts: readonly Partial<ProductRecord>[] = [
  { name: "Maize", description: "Grain; Mahindi in Swahili.", commonUnits: ["kg", "90 kg bag"] },
  { name: "Kale", category: "Vegetables", description: "Sukuma wiki in Swahili.", commonUnits: ["bunch", "kg"] },
];

const defaultMarkets: readonly Partial<MarketRecord>[] = [
  { name: "Wakulima", type: "Wholesale", countyId: 47 as CountyId },
  { name: "Gikomba", type: "Retail", countyId: 47 as CountyId },
  { name: "Kongowea", type: "Wholesale", countyId: 1 as CountyId },
];

function asInstant(time: Instant | string): Instant {
  const instant = typeof time === "string" ? instantFromText(time) : time;
  if (instant === undefined) throw new Error(`"${time}" is no RFC 3339 time`);
  return instant;
}

/** Positions by key. */
function uniqueKeys<T, Key>(kind: string, records: readonly T[], keyOf: (record: T) => Key): Map<Key, number> {
  const positions = new Map(records.map((record, at) => [keyOf(record), at]));
  if (positions.size !== records.length) {
    throw new Error(`${records.length} records of kind ${kind}, but only ${positions.size} different identities`);
  }
  return positions;
}

function requireKnown<Key>(what: string, positions: Map<Key, number>, key: Key): void {
  if (!positions.has(key)) throw new Error(`${what} is "${key}", which is not in the dataset`);
}

/** The position that a reference by uuid or by position means. */
function resolve(what: string, positions: Map<Uuid, number>, reference: number | Uuid): number {
  const position = typeof reference === "number" ? reference : positions.get(reference);
  if (position === undefined || position < 0 || position >= positions.size) {
    throw new Error(`${what} is ${reference}, which is not in the dataset`);
  }
  return position;
}
