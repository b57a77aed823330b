/** Records as the files of the snapshot format (see data/README.md); snake_case begins here. */
import { type Instant, instantText } from "../../domain/instant.ts";
import type {
  CountyRecord,
  CropRecord,
  MarketRecord,
  MarketTypeRecord,
  ProductRecord,
  UnitCategoryRecord,
} from "../../domain/records.ts";
import type { ImportedRecords, PriceLine } from "./build-records.ts";
import { crops } from "./reference/crops.ts";
import { marketTypeRecords } from "./reference/market-types.ts";

/** One file to write: its name and its text in pieces. */
export interface RecordFile {
  readonly name: string;
  readonly pieces: Iterable<string>;
}

/** What goes into the manifest besides what publishing adds. */
export interface ManifestText {
  readonly note: string;
  readonly attribution: readonly string[];
}

/** What makes the text of each file, in the order in which they are written. */
const makers: Readonly<Record<string, (records: ImportedRecords, manifest: ManifestText) => RecordFile["pieces"]>> = {
  "manifest.json": (_, manifest) => jsonPieces({ time_zone: "Africa/Nairobi", ...manifest }),
  "counties.json": ({ counties }) => jsonPieces(counties.map(countyObject)),
  "crops.json": () => jsonPieces(crops.map(cropObject)),
  "units.json": ({ unitCategories }) => jsonPieces(unitCategories.map(unitCategoryObject)),
  "market-types.json": () => jsonPieces(marketTypeRecords.map(marketTypeObject)),
  "products.ndjson": ({ products }) => linePieces(products, productObject),
  "markets.ndjson": ({ markets }) => linePieces(markets, marketObject),
  "prices.ndjson": ({ prices }) => linePieces(prices, priceObject),
};

/** The names of all files of an import, in the order in which they are written. */
export const recordFileNames: readonly string[] = Object.keys(makers);

/** All files of an import. The same records give the same bytes. Texts are made while they are read. */
export function recordFiles(records: ImportedRecords, manifest: ManifestText): RecordFile[] {
  return Object.entries(makers).map(([name, piecesOf]) => ({ name, pieces: piecesOf(records, manifest) }));
}

function jsonPieces(value: unknown): string[] {
  return [JSON.stringify(value, null, 2), "\n"];
}

function* linePieces<T>(records: readonly T[], toObject: (record: T) => object): Generator<string> {
  for (const record of records) yield `${JSON.stringify(toObject(record))}\n`;
}

function countyObject(county: CountyRecord): object {
  return {
    id: county.id,
    code: county.code,
    name: county.name,
    capital: county.capital,
    population: county.population,
    area_sq_km: county.areaSqKm,
    coordinates: county.coordinates,
    sub_counties: county.subCounties,
    economy: county.economy,
    ...times(county.createdAt, county.updatedAt),
  };
}

function cropObject(crop: CropRecord): object {
  return {
    id: crop.id,
    name: crop.name,
    scientific_name: crop.scientificName,
    category: crop.category,
    sub_category: crop.subCategory,
    varieties: crop.varieties,
    growing_season: crop.growingSeason,
    maturity_period: crop.maturityPeriod,
    climate_requirements: crop.climateRequirements,
    major_growing_regions: crop.majorGrowingRegions,
  };
}

function unitCategoryObject({ category, units }: UnitCategoryRecord): object {
  return {
    category,
    units: units.map((unit) => ({
      name: unit.name,
      abbreviation: unit.abbreviation,
      base_unit: unit.baseUnit,
      conversion_factor: unit.conversionFactor,
    })),
  };
}

function marketTypeObject({ type, description, characteristics }: MarketTypeRecord): object {
  return { type, description, characteristics };
}

function productObject(product: ProductRecord): object {
  return {
    uuid: product.uuid,
    name: product.name,
    category: product.category,
    sub_category: product.subCategory,
    description: product.description,
    common_units: product.commonUnits,
    alternative_names: product.alternativeNames,
    season: product.season,
    storage_requirements: product.storageRequirements,
    is_active: product.isActive,
    metadata: product.metadata,
    ...times(product.createdAt, product.updatedAt),
  };
}

function marketObject(market: MarketRecord): object {
  return {
    uuid: market.uuid,
    name: market.name,
    type: market.type,
    county_id: market.countyId,
    sub_county: market.subCounty,
    location: market.location,
    operating_days: market.operatingDays,
    operating_hours: market.operatingHours,
    description: market.description,
    facilities: market.facilities,
    contact: market.contact,
    is_active: market.isActive,
    ...times(market.createdAt, market.updatedAt),
  };
}

/** Fields that are null are left out here, as the format allows: in the longest file they would be a tenth of it. */
function priceObject(price: PriceLine): object {
  return {
    uuid: price.uuid,
    product_uuid: price.productUuid,
    market_uuid: price.marketUuid,
    price: price.price,
    unit: price.unit,
    currency: price.currency,
    recorded_at: instantText(price.recordedAt),
    source: "WFP",
    ...(price.notes === null ? {} : { notes: price.notes }),
    ...times(price.recordedAt, price.recordedAt),
  };
}

function times(createdAt: Instant, updatedAt: Instant): object {
  return { created_at: instantText(createdAt), updated_at: instantText(updatedAt) };
}
