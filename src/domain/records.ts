/** One readonly interface per record of a snapshot, checked when it was read. What is unknown is null, never absent. */
import type { CountyId, Uuid } from "./ids.ts";
import type { Instant } from "./instant.ts";
import type { Continuity, CropCategory, MarketType, PriceFlag, WeekDay } from "./vocabulary.ts";

/** Degrees, WGS 84. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

interface SubCountyRecord {
  readonly id: number;
  readonly name: string;
  readonly wards: readonly string[];
}

export interface CountyRecord {
  readonly id: CountyId;
  /** Three digits with leading zeros, equal to the id. */
  readonly code: string;
  /** P-code of humanitarian data (OCHA), `KE047`. */
  readonly pcode: string | null;
  /** ISO 3166-2, `KE-30`: by name in alphabetical order, so its number is not the id. */
  readonly iso_3166_2: string | null;
  readonly name: string;
  readonly capital: string;
  /** People at the latest census. */
  readonly population: number | null;
  /** Land area in square kilometres. */
  readonly areaSqKm: number | null;
  readonly coordinates: Coordinates | null;
  /** In order of id. */
  readonly subCounties: readonly SubCountyRecord[];
  readonly economy: {
    readonly mainActivities: readonly string[];
    readonly agriculturalProducts: readonly string[];
  } | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface CropRecord {
  readonly id: number;
  readonly name: string;
  readonly scientificName: string | null;
  readonly category: CropCategory;
  readonly subCategory: string | null;
  readonly varieties: readonly string[] | null;
  readonly growingSeason: string | null;
  readonly maturityPeriod: string | null;
  readonly climateRequirements: {
    readonly altitude: string | null;
    readonly rainfall: string | null;
    readonly temperature: string | null;
  } | null;
  readonly majorGrowingRegions: readonly string[] | null;
}

export interface UnitRecord {
  /** Unique over all categories. */
  readonly name: string;
  readonly abbreviation: string;
  /** Name of a unit of the same category. */
  readonly baseUnit: string;
  /** How many base units one of this unit is. */
  readonly conversionFactor: number;
}

export interface UnitCategoryRecord {
  readonly category: string;
  readonly units: readonly UnitRecord[];
}

export interface MarketTypeRecord {
  readonly type: MarketType;
  readonly description: string;
  readonly characteristics: readonly string[];
}

export interface ProductRecord {
  readonly uuid: Uuid;
  readonly name: string;
  readonly category: string;
  readonly subCategory: string | null;
  readonly description: string;
  /** Unit names, at least one. */
  readonly commonUnits: readonly string[];
  readonly alternativeNames: readonly string[] | null;
  readonly season: string | null;
  readonly storageRequirements: string | null;
  /** What sources call the product, each `source:id`, such as `WFP:51`. */
  readonly sourceIds: readonly string[] | null;
  /** Name of the crop that the product comes from. */
  readonly scientificName: string | null;
  readonly isActive: boolean;
  /** Free-form JSON. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface MarketRecord {
  readonly uuid: Uuid;
  readonly name: string;
  readonly type: MarketType;
  readonly countyId: CountyId;
  /** Name of a sub-county of the county. */
  readonly subCounty: string | null;
  readonly location: (Coordinates & { readonly address: string | null }) | null;
  readonly operatingDays: readonly WeekDay[];
  readonly operatingHours: string | null;
  readonly description: string | null;
  readonly facilities: readonly string[] | null;
  /** What sources call the market, each `source:id`; several markets may have one. */
  readonly sourceIds: readonly string[] | null;
  readonly contact: { readonly phone: string | null; readonly email: string | null } | null;
  readonly isActive: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** The currency that exchange rates are rates of. */
export const referenceCurrency = "USD";

/** What US dollars cost in a month. */
export interface ExchangeRateRecord {
  /** `2024-01`, a month of the dataset's calendar. */
  readonly month: string;
  /** ISO 4217, not USD. */
  readonly currency: string;
  /** Units of the currency for one US dollar. */
  readonly rate: number;
  /** Where the rate comes from, as answers name it. */
  readonly source: string;
}

/** A product that has the prices of another one from some month on. A judgement, with what it rests on. */
export interface ContinuationRecord {
  readonly productUuid: Uuid;
  /** The earlier product. */
  readonly continuesUuid: Uuid;
  /** Type of the markets that the judgement is about. */
  readonly marketType: MarketType;
  /** Last month with a price of the earlier product at such markets, `2020-03`. */
  readonly lastMonth: string;
  /** First month with a price of the later product there. */
  readonly firstMonth: string;
  /** Months in which both have a price there. */
  readonly overlapMonths: number;
  /** Median of later price / earlier price per base unit, same market and month; null where there is no such pair. */
  readonly ratio: number | null;
  readonly judgement: Continuity;
  /** What the judgement rests on, in words. */
  readonly evidence: string;
}

/**
 * Above any real price, and far enough below the greatest number that no conversion of units and no sum overflows
 * (inclusive).
 */
export const priceMax = 1e12;

/**
 * Beyond the factors of any real unit, and so that no price above 0 and up to `priceMax` is converted to more than 1e21
 * (inclusive).
 */
export const conversionFactorMin = 1e-9;
export const conversionFactorMax = 1e9;

/** What a data team has ruled on a price. */
export interface PriceRuling {
  readonly uuid: Uuid;
  readonly reason: string;
  readonly when: Instant;
  /** Who ruled it, where that was stated. */
  readonly by: string | null;
}

/** Where an import found a price. */
export interface PriceOrigin {
  readonly uuid: Uuid;
  /** The name of the table's file, without folders. */
  readonly file: string;
  /** Null for a file without sheets. */
  readonly sheet: string | null;
  /** Counted from 1, as the table's own program counts: of a CSV file the line on which the row begins. */
  readonly row: number;
  /** When the import ran; null of one whose output depends on the table alone. */
  readonly importedAt: Instant | null;
}

/** One price as it is read; never kept. */
export interface PriceRecord {
  readonly uuid: Uuid;
  readonly productUuid: Uuid;
  readonly marketUuid: Uuid;
  readonly price: number;
  readonly unit: string;
  readonly currency: string;
  readonly recordedAt: Instant;
  readonly source: string;
  readonly qualityGrade: string | null;
  readonly notes: string | null;
  readonly priceFlag: PriceFlag | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
