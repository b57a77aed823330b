/**
 * One pass over the rows of an export: usable prices under their keys, what is known about each commodity and market,
 * and a count of what was left out and why. Every row is either in `prices` or in `leftOut`.
 */
import { type Day, dayText } from "../../domain/calendar-day.ts";
import type { Coordinates } from "../../domain/records.ts";
import { countyOfDistrict } from "./county-of-district.ts";
import { type LeftOutReason, type PriceFact, priceFactOf } from "./price-fact.ts";
import type { ExportRow } from "./read-export.ts";
import { type MarketJudgement, marketJudgements } from "./reference/market-judgements.ts";
import { priceKey } from "./source-uuids.ts";

/** A commodity as its newest row tells it. */
export interface CommodityFacts {
  readonly commodityId: number;
  readonly name: string;
  readonly category: string;
}

/** A market place as its newest rows tell it; county and location are corrected by the judged table. */
export interface PlaceFacts {
  readonly marketId: number;
  /** As the export writes it. */
  readonly name: string;
  readonly countyId: number;
  readonly location: Coordinates | null;
  /** What was decided by hand, null when the export was taken at its word. */
  readonly judgement: MarketJudgement | null;
}

/** A market that had to be left out. */
export interface UnplacedMarket {
  readonly marketId: number;
  readonly name: string;
  readonly admin2: string;
}

export interface CollectedFacts {
  readonly rowCount: number;
  /** By `priceKey`. */
  readonly prices: ReadonlyMap<string, PriceFact>;
  readonly commodities: ReadonlyMap<number, CommodityFacts>;
  readonly places: ReadonlyMap<number, PlaceFacts>;
  readonly unplacedMarkets: readonly UnplacedMarket[];
  readonly leftOut: ReadonlyMap<LeftOutReason, LeftOutRows>;
}

/** Rows left out for one reason. */
export interface LeftOutRows {
  readonly rowCount: number;
  /** Least line of the export with such a row; the header is line 1. */
  readonly lineFirst: number;
}

/** Reads all rows. Cost: memory for every usable price. */
export async function collectFacts(rows: AsyncIterable<ExportRow>): Promise<CollectedFacts> {
  const prices = new Map<string, PriceFact>();
  const commodities = new Map<number, Newest<CommodityFacts>>();
  const sightings = new Map<number, PlaceSightings>();
  const leftOut = new Map<LeftOutReason, LeftOutRows>();
  const leaveOut = (reason: LeftOutReason, line: number): void => {
    const { rowCount, lineFirst } = leftOut.get(reason) ?? { rowCount: 0, lineFirst: line };
    leftOut.set(reason, { rowCount: rowCount + 1, lineFirst: Math.min(lineFirst, line) });
  };
  let rowCount = 0;
  for await (const row of rows) {
    rowCount++;
    const fact = priceFactOf(row);
    if (typeof fact === "string") {
      leaveOut(fact, row.line);
      continue;
    }
    const { day, marketId, commodityId } = fact;
    const key = priceKey(dayText(day), marketId, commodityId, fact.wfpUnit, fact.priceType);
    const earlier = prices.get(key);
    if (earlier !== undefined) {
      leaveOut(isSamePrice(earlier, fact) ? "duplicate_identical" : "duplicate_replaced", earlier.line);
    }
    prices.set(key, fact);
    const commodity = { commodityId, name: row.commodity, category: row.category };
    commodities.set(commodityId, newerOf(commodities.get(commodityId), { day, value: commodity }));
    sightings.set(marketId, withSighting(sightings.get(marketId), day, row));
  }
  const { places, unplacedMarkets } = placeMarkets(sightings);
  for (const [key, { marketId, line }] of prices) {
    if (places.has(marketId)) continue;
    prices.delete(key);
    leaveOut("market_without_county", line);
  }
  const commodityIds = new Set(prices.values().map(({ commodityId }) => commodityId));
  return {
    rowCount,
    prices,
    commodities: new Map([...commodityIds].map((id) => [id, (commodities.get(id) as Newest<CommodityFacts>).value])),
    places,
    unplacedMarkets,
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

/** What the newest row says; of rows of one day, the last one in the file. */
interface Newest<T> {
  readonly day: Day;
  readonly value: T;
}

/** Each part by itself, so that a blank in the newest row does not wipe out what an older row knew. */
interface PlaceSightings {
  readonly name: Newest<{ readonly name: string; readonly admin2: string }>;
  readonly countyId: Newest<number> | undefined;
  readonly location: Newest<Coordinates> | undefined;
}

function newerOf<T>(known: Newest<T> | undefined, seen: Newest<T>): Newest<T> {
  return known === undefined || seen.day >= known.day ? seen : known;
}

function withSighting(known: PlaceSightings | undefined, day: Day, row: ExportRow): PlaceSightings {
  const countyId = countyOfDistrict(row.admin2);
  const location = coordinatesOf(row.latitude, row.longitude);
  return {
    name: newerOf(known?.name, { day, value: { name: row.market, admin2: row.admin2 } }),
    countyId: countyId === undefined ? known?.countyId : newerOf(known?.countyId, { day, value: countyId }),
    location: location === undefined ? known?.location : newerOf(known?.location, { day, value: location }),
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
  return a.price === b.price && a.currency === b.currency && a.notes === b.notes;
}

function placeMarkets(sightings: ReadonlyMap<number, PlaceSightings>): {
  places: Map<number, PlaceFacts>;
  unplacedMarkets: UnplacedMarket[];
} {
  const judgementById = new Map(marketJudgements.map((judgement) => [judgement.marketId, judgement]));
  const places = new Map<number, PlaceFacts>();
  const unplacedMarkets: UnplacedMarket[] = [];
  for (const [marketId, seen] of sightings) {
    const judgement = judgementById.get(marketId) ?? null;
    const countyId = judgement?.countyId ?? seen.countyId?.value;
    const { name, admin2 } = seen.name.value;
    if (countyId === undefined) {
      unplacedMarkets.push({ marketId, name, admin2 });
      continue;
    }
    const location = judgement?.isMisplaced ? null : (seen.location?.value ?? null);
    places.set(marketId, { marketId, name, countyId, location, judgement });
  }
  return { places, unplacedMarkets };
}
