/** From snake_case records, checked, to the records of the domain. The only place that knows both. */
import type { CountyId, Uuid } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type {
  CountyRecord,
  CropRecord,
  MarketRecord,
  MarketTypeRecord,
  PriceRecord,
  ProductRecord,
  UnitCategoryRecord,
} from "../domain/records.ts";
import { recentInstant } from "./recent-instant.ts";
import type { TableKind } from "./snapshot-layout.ts";
import type { WireRecords } from "./wire-records.ts";

/** The record in memory of each kind of file that becomes a table of records. */
export interface TableRecords {
  readonly counties: CountyRecord;
  readonly crops: CropRecord;
  readonly units: UnitCategoryRecord;
  readonly "market-types": MarketTypeRecord;
  readonly products: ProductRecord;
  readonly markets: MarketRecord;
}

/** How a checked record of each kind becomes the record in memory. */
export const translators: {
  readonly [Kind in TableKind]: (wire: WireRecords[Kind]) => TableRecords[Kind];
} = {
  counties: (wire) => ({
    id: wire.id as CountyId,
    code: wire.code,
    name: wire.name,
    capital: wire.capital,
    population: wire.population ?? null,
    areaSqKm: wire.area_sq_km ?? null,
    coordinates: wire.coordinates ?? null,
    subCounties: wire.sub_counties.toSorted((a, b) => a.id - b.id),
    economy: isThere(wire.economy)
      ? {
          mainActivities: wire.economy.main_activities,
          agriculturalProducts: wire.economy.agricultural_products,
        }
      : null,
    createdAt: instantOf(wire.created_at),
    updatedAt: instantOf(wire.updated_at),
  }),
  crops: (wire) => ({
    id: wire.id,
    name: wire.name,
    scientificName: wire.scientific_name ?? null,
    category: wire.category,
    subCategory: wire.sub_category ?? null,
    varieties: wire.varieties ?? null,
    growingSeason: wire.growing_season ?? null,
    maturityPeriod: wire.maturity_period ?? null,
    climateRequirements: isThere(wire.climate_requirements)
      ? {
          altitude: wire.climate_requirements.altitude ?? null,
          rainfall: wire.climate_requirements.rainfall ?? null,
          temperature: wire.climate_requirements.temperature ?? null,
        }
      : null,
    majorGrowingRegions: wire.major_growing_regions ?? null,
  }),
  units: (wire) => ({
    category: wire.category,
    units: wire.units.map((unit) => ({
      name: unit.name,
      abbreviation: unit.abbreviation,
      baseUnit: unit.base_unit,
      conversionFactor: unit.conversion_factor,
    })),
  }),
  "market-types": (wire) => wire,
  products: (wire) => ({
    uuid: uuidOf(wire.uuid),
    name: wire.name,
    category: wire.category,
    subCategory: wire.sub_category ?? null,
    description: wire.description,
    commonUnits: wire.common_units,
    alternativeNames: wire.alternative_names ?? null,
    season: wire.season ?? null,
    storageRequirements: wire.storage_requirements ?? null,
    isActive: wire.is_active,
    metadata: wire.metadata ?? null,
    createdAt: instantOf(wire.created_at),
    updatedAt: instantOf(wire.updated_at),
  }),
  markets: (wire) => ({
    uuid: uuidOf(wire.uuid),
    name: wire.name,
    type: wire.type,
    countyId: wire.county_id as CountyId,
    subCounty: wire.sub_county ?? null,
    location: isThere(wire.location)
      ? {
          latitude: wire.location.latitude,
          longitude: wire.location.longitude,
          address: wire.location.address ?? null,
        }
      : null,
    operatingDays: wire.operating_days,
    operatingHours: wire.operating_hours ?? null,
    description: wire.description ?? null,
    facilities: wire.facilities ?? null,
    contact: isThere(wire.contact) ? { phone: wire.contact.phone ?? null, email: wire.contact.email ?? null } : null,
    isActive: wire.is_active,
    createdAt: instantOf(wire.created_at),
    updatedAt: instantOf(wire.updated_at),
  }),
};

/**
 * A price on its way into the columns.
 *
 * @param product Position of its product in `Dataset.products`.
 * @param market Position of its market in `Dataset.markets`.
 */
export function translatePrice(wire: WireRecords["prices"], product: number, market: number): PriceRecord {
  return {
    uuid: wire.uuid,
    product,
    market,
    price: wire.price,
    unit: wire.unit,
    currency: wire.currency,
    recordedAt: instantOf(wire.recorded_at),
    source: wire.source,
    qualityGrade: wire.quality_grade ?? null,
    notes: wire.notes ?? null,
    createdAt: instantOf(wire.created_at),
    updatedAt: instantOf(wire.updated_at),
  };
}

/** The uuid of a text that the schema has let pass: in lower case. */
export function uuidOf(text: string): Uuid {
  return text.toLowerCase() as Uuid;
}

/** The instant of a text that the schema has let pass. */
export function instantOf(text: string): Instant {
  const instant = recentInstant(text);
  if (instant === undefined) throw new TypeError(`"${text}" passed the check of its record and is no RFC 3339 time`);
  return instant;
}

function isThere<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
