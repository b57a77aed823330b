/** Facts of an export, joined with the reference data, as the records of a snapshot in their final order. */
import { type Day, dayText } from "../../domain/calendar-day.ts";
import { compareTexts } from "../../domain/folded-text.ts";
import type { CountyId, Uuid } from "../../domain/ids.ts";
import type { Instant } from "../../domain/instant.ts";
import type { CountyRecord, MarketRecord, ProductRecord, UnitCategoryRecord } from "../../domain/records.ts";
import { type CollectedFacts, dayRange } from "./collect-facts.ts";
import { marketRecords } from "./market-records.ts";
import { productRecords } from "./product-records.ts";
import { recordedAt, referenceInstant } from "./recording-time.ts";
import { type ReferenceCounty, counties as referenceCounties } from "./reference/counties.ts";
import { subCountiesOf } from "./reference/sub-counties.ts";
import { unitCategories } from "./reference/units.ts";
import { marketUuid, priceUuid, productUuid } from "./source-uuids.ts";

/** A price ready to be written. */
export interface PriceLine {
  readonly uuid: Uuid;
  readonly productUuid: Uuid;
  readonly marketUuid: Uuid;
  readonly price: number;
  readonly unit: string;
  readonly currency: string;
  readonly recordedAt: Instant;
  readonly notes: string | null;
}

export interface ImportedRecords {
  /** In order of id. */
  readonly counties: readonly CountyRecord[];
  /** The reference units, then packs that only the export has, by size. */
  readonly unitCategories: readonly UnitCategoryRecord[];
  /** By name, then uuid, by code unit. */
  readonly products: readonly ProductRecord[];
  /** By name, then uuid, by code unit. */
  readonly markets: readonly MarketRecord[];
  /** Oldest first, then by uuid. */
  readonly prices: readonly PriceLine[];
}

/**
 * Joins and sorts. Cost: a few passes over the prices and one sort.
 *
 * @throws {RangeError} when there is no price.
 */
export function buildRecords(facts: CollectedFacts): ImportedRecords {
  const isActive = activityTest(dayRange(facts.prices).last);
  return {
    counties: referenceCounties.map(countyRecord),
    unitCategories: withAddedUnits(facts),
    products: productRecords(facts, isActive).sort(byNameThenUuid),
    markets: marketRecords(facts, isActive).sort(byNameThenUuid),
    prices: priceLines(facts),
  };
}

/**
 * Tells whether a series whose last price is of `day` counts as tracked: twelve months before the newest price of the
 * export or later. Texts of the form YYYY-MM-DD compare as their days do, and 29 February less a year, which does not
 * exist, compares as the day between 28 February and 1 March.
 */
function activityTest(newestDay: Day): (day: Day) => boolean {
  const newest = dayText(newestDay);
  const oldest = `${String(Number(newest.slice(0, 4)) - 1).padStart(4, "0")}${newest.slice(4)}`;
  return (day) => dayText(day) >= oldest;
}

function countyRecord(county: ReferenceCounty): CountyRecord {
  return {
    id: county.id as CountyId,
    code: String(county.id).padStart(3, "0"),
    name: county.name,
    capital: county.capital,
    population: county.population,
    areaSqKm: county.areaSqKm,
    coordinates: county.coordinates,
    subCounties: subCountiesOf(county.id),
    economy: null,
    createdAt: referenceInstant,
    updatedAt: referenceInstant,
  };
}

function withAddedUnits(facts: CollectedFacts): UnitCategoryRecord[] {
  const added = new Map(
    facts.prices
      .values()
      .flatMap(({ unit }) => (unit.added === null ? [] : [unit.added]))
      .map((entry) => [entry.unit.name, entry]),
  );
  return unitCategories.map(({ category, units }) => {
    const own = [...added.values()].filter((entry) => entry.category === category).map((entry) => entry.unit);
    own.sort((a, b) => a.conversionFactor - b.conversionFactor || compareTexts(a.name, b.name));
    return { category, units: [...units, ...own] };
  });
}

function priceLines(facts: CollectedFacts): PriceLine[] {
  const lines = facts.prices.entries().map(
    ([key, fact]): PriceLine => ({
      uuid: priceUuid(key),
      productUuid: productUuid(fact.commodityId),
      marketUuid: marketUuid(fact.marketId, fact.priceType),
      price: fact.price,
      unit: fact.unit.name,
      currency: fact.currency,
      recordedAt: recordedAt(fact.day),
      notes: fact.notes,
    }),
  );
  return [...lines].sort((a, b) => a.recordedAt - b.recordedAt || compareTexts(a.uuid, b.uuid));
}

function byNameThenUuid(a: { name: string; uuid: string }, b: { name: string; uuid: string }): number {
  return compareTexts(a.name, b.name) || compareTexts(a.uuid, b.uuid);
}
