/**
 * One pass over the rows of an export: usable prices under their keys, what is known about each commodity and market,
 * and a count of the rows that were left out, by reason. Every row is either in `prices` or in `leftOut`.
 */
import type { Day } from "../../domain/calendar-day.ts";
import { compareTexts } from "../../domain/folded-text.ts";
import type { Coordinates } from "../../domain/records.ts";
import { type LeftOutRows, leaveOut } from "../left-out-rows.ts";
import type { ExportRow } from "./read-export.ts";
import { type LeftOutReason, type PriceFact, priceKey, readPriceRow } from "./read-price-row.ts";
import { lettersOf, type MarketRow, type ReferenceData } from "./reference-data.ts";

/** A commodity as its newest row has it. */
export interface CommodityFacts {
  readonly commodityId: number;
  readonly name: string;
  readonly category: string;
}

/** A location with prices (a market of the export) as its newest rows have it, corrected by wfp-markets.csv. */
export interface PlaceFacts {
  readonly marketId: number;
  /** As the export writes it. */
  readonly name: string;
  readonly countyId: number;
  readonly location: Coordinates | null;
  /** Its row of wfp-markets.csv. */
  readonly judgement: MarketRow | undefined;
}

/** A market that was left out. */
export interface MarketWithoutCounty {
  readonly marketId: number;
  readonly name: string;
  readonly admin2: string;
}

export interface CollectedFacts {
  readonly rowCount: number;
  /** By `priceKey`. */
  readonly prices: ReadonlyMap<string, PriceFact>;
  /** Commodities with a price. */
  readonly commodities: readonly CommodityFacts[];
  readonly places: readonly PlaceFacts[];
  readonly marketsWithoutCounty: readonly MarketWithoutCounty[];
  readonly leftOut: ReadonlyMap<LeftOutReason, LeftOutRows>;
}

/** Reads all rows. Cost: memory for every usable price. */
export async function collectFacts(rows: AsyncIterable<ExportRow>, reference: ReferenceData): Promise<CollectedFacts> {
  const prices = new Map<string, PriceFact>();
  const commodities = new Map<number, Newest<CommodityFacts>>();
  const newestOfPlaces = new Map<number, NewestOfPlace>();
  const leftOut = new Map<LeftOutReason, LeftOutRows>();
  let rowCount = 0;
  for await (const row of rows) {
    rowCount++;
    const fact = readPriceRow(row, reference);
    if (typeof fact === "string") {
      leaveOut(leftOut, fact, row.line);
      continue;
    }
    const { day, marketId, commodityId } = fact;
    const key = priceKey(fact);
    const earlier = prices.get(key);
    if (earlier !== undefined) {
      const reason = isSamePrice(earlier, fact) ? "duplicate_identical" : "duplicate_replaced";
      leaveOut(leftOut, reason, earlier.line);
    }
    prices.set(key, fact);
    const commodity = { commodityId, name: row.commodity, category: row.category };
    commodities.set(commodityId, newerOf(commodities.get(commodityId), day, commodity));
    const countyId = reference.countyIds.get(lettersOf(row.admin2));
    newestOfPlaces.set(marketId, newerPlace(newestOfPlaces.get(marketId), day, row, countyId));
  }

  const places = new Map<number, PlaceFacts>();
  const marketsWithoutCounty: MarketWithoutCounty[] = [];
  for (const [marketId, newest] of newestOfPlaces) {
    const judgement = reference.markets.get(marketId);
    const countyId = judgement?.county_id ?? newest.countyId?.value;
    const { name, admin2 } = newest.names.value;
    const location = judgement?.is_misplaced ? null : (newest.location?.value ?? null);
    if (countyId === undefined) marketsWithoutCounty.push({ marketId, name, admin2 });
    else places.set(marketId, { marketId, name, countyId, location, judgement });
  }
  for (const [key, { marketId, line }] of prices) {
    if (places.has(marketId)) continue;
    prices.delete(key);
    leaveOut(leftOut, "market_without_county", line);
  }
  const commodityIds = new Set(prices.values().map(({ commodityId }) => commodityId));
  return {
    rowCount,
    prices,
    commodities: [...commodityIds].map((id) => (commodities.get(id) as Newest<CommodityFacts>).value),
    places: [...places.values()],
    marketsWithoutCounty,
    leftOut,
  };
}

/**
 * The days of the oldest and the newest price.
 *
 * @throws {RangeError} when there is no price.
 */
export function dayRange(prices: CollectedFacts["prices"]): { readonly first: Day; readonly last: Day } {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { day } of prices.values()) {
    first = Math.min(first, day);
    last = Math.max(last, day);
  }
  if (first > last) throw new RangeError("no price, so no first and last day");
  return { first: first as Day, last: last as Day };
}

/** Items by text, the largest group first, equal ones by text. */
export function groupsBySize<T>(items: Iterable<T>, textOf: (item: T) => string): [text: string, group: T[]][] {
  const groups = [...Map.groupBy(items, textOf)];
  return groups.sort(([textA, a], [textB, b]) => b.length - a.length || compareTexts(textA, textB));
}

/** What the newest row says; of rows of one day, the last one in the file. */
interface Newest<T> {
  readonly day: Day;
  readonly value: T;
}

/** Each fact by itself, so that a blank in the newest row does not hide what an older row knew. */
interface NewestOfPlace {
  readonly names: Newest<{ readonly name: string; readonly admin2: string }>;
  readonly countyId: Newest<number> | undefined;
  readonly location: Newest<Coordinates> | undefined;
}

function newerOf<T>(known: Newest<T> | undefined, day: Day, value: T): Newest<T> {
  return known === undefined || day >= known.day ? { day, value } : known;
}

function newerPlace(
  known: NewestOfPlace | undefined,
  day: Day,
  row: ExportRow,
  countyId: number | undefined,
): NewestOfPlace {
  const location = coordinatesOf(row.latitude, row.longitude);
  return {
    names: newerOf(known?.names, day, { name: row.market, admin2: row.admin2 }),
    countyId: countyId === undefined ? known?.countyId : newerOf(known?.countyId, day, countyId),
    location: location === undefined ? known?.location : newerOf(known?.location, day, location),
  };
}

const degreesExpression = /^-?\d{1,3}(?:\.\d+)?$/;

function coordinatesOf(latitudeText: string, longitudeText: string): Coordinates | undefined {
  if (!degreesExpression.test(latitudeText) || !degreesExpression.test(longitudeText)) return undefined;
  const latitude = Number(latitudeText);
  const longitude = Number(longitudeText);
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

function isSamePrice(a: PriceFact, b: PriceFact): boolean {
  return a.price === b.price && a.currency === b.currency && a.flag === b.flag && a.notes === b.notes;
}
