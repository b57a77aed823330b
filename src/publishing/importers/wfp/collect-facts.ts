/**
 * One pass over the rows of an export: usable prices under their keys, what is known about each commodity and market,
 * and a count of the rows that were left out, by reason. Every row is either in `prices` or in `leftOut`.
 */
import type { Day } from "../../../engine/model/calendar.ts";
import { compareTexts, searchKey } from "../../../engine/model/folded-text.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import type { Coordinates } from "../../../engine/model/records.ts";
import { type LeftOutRows, leaveOut } from "../left-out-rows.ts";
import { coordinatesOf, otherCountrySign } from "./other-country.ts";
import { plainName } from "./place-names.ts";
import { type LeftOutReason, type PriceFact, priceKey, readPriceRow } from "./read-price-row.ts";
import type { ExportRow } from "./read-wfp-export.ts";
import { lettersOf, type MarketRow, type ReferenceData } from "./reference-data.ts";

/** A location with prices (a market of the export) as its newest rows have it, corrected by wfp-markets.csv. */
export interface PlaceFacts {
  readonly marketId: number;
  /** The name as the export writes it. */
  readonly name: string;
  readonly countyId: number;
  readonly location: Coordinates | null;
  /** Its row of wfp-markets.csv. */
  readonly judgement: MarketRow | undefined;
  /** Line of its newest row. */
  readonly line: number;
}

export type CollectedFacts = Awaited<ReturnType<typeof collectFacts>>;
export type CommodityFacts = CollectedFacts["commodities"][number];

interface UsableRow {
  readonly row: ExportRow;
  readonly fact: PriceFact;
}

/**
 * Reads all rows. Cost: memory for every usable row.
 *
 * @param today See `readPriceRow`.
 */
export async function collectFacts(rows: AsyncIterable<ExportRow>, reference: ReferenceData, today: Day) {
  const usable: UsableRow[] = [];
  const prices = new Map<string, PriceFact>();
  const leftOut = new Map<LeftOutReason, LeftOutRows>();
  const otherCountries = new Map<string, LeftOutRows>();
  let rowCount = 0;
  for await (const row of rows) {
    rowCount++;
    const fact = readPriceRow(row, reference, today);
    if (typeof fact === "string") {
      leaveOut(leftOut, fact, row.line);
      const sign = otherCountrySign(fact, row);
      if (sign !== undefined) leaveOut(otherCountries, sign, row.line);
      continue;
    }
    const key = priceKey(fact);
    const earlier = prices.get(key);
    if (earlier !== undefined) {
      const reason = isSamePrice(earlier, fact) ? "duplicate_identical" : "duplicate_replaced";
      leaveOut(leftOut, reason, earlier.line);
    }
    prices.set(key, fact);
    usable.push({ row, fact });
  }

  const { places, marketsWithoutCounty } = collectPlaces(usable, reference);
  const countyOf = new Map(places.map(({ marketId, countyId }) => [marketId, reference.counties.get(countyId)?.name]));
  const placeIds = new Set(places.map(({ marketId }) => marketId));
  for (const [key, { marketId, line }] of prices) {
    if (placeIds.has(marketId)) continue;
    prices.delete(key);
    leaveOut(leftOut, "market_without_county", line);
  }
  return {
    rowCount,
    /** By `priceKey`. */
    prices: prices as ReadonlyMap<string, PriceFact>,
    commodities: collectCommodities(usable, prices),
    places,
    /** The first row of each other name of an id, beside the first row of the id. One decided by hand counts alone. */
    secondNames: [
      ...secondNames(usable, "commodity", ({ commodity }) => commodity),
      ...secondNames(
        usable,
        "market",
        ({ market }, { marketId }) =>
          reference.markets.get(marketId)?.name ?? plainName(market, countyOf.get(marketId) ?? ""),
      ),
    ],
    /** Markets that were left out. */
    marketsWithoutCounty,
    leftOut: leftOut as ReadonlyMap<LeftOutReason, LeftOutRows>,
    /** Rows left out that are of other countries, by the sign of it. */
    otherCountries: otherCountries as ReadonlyMap<string, LeftOutRows>,
  };
}

function* secondNames(
  usable: readonly UsableRow[],
  field: "commodity" | "market",
  nameOf: (row: ExportRow, fact: PriceFact) => string,
) {
  const firstOf = new Map<string, ExportRow>();
  const seen = new Set<string>();
  for (const { row, fact } of usable) {
    const id = row[`${field}_id`];
    const first = getOrInsert(firstOf, id, () => row);
    const key = `${id} ${searchKey(nameOf(row, fact))}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (first !== row) {
      yield { field, id, line: row.line, name: row[field], lineFirst: first.line, nameFirst: first[field] };
    }
  }
}

/** The commodities that have a price, each as its newest row has it. */
function collectCommodities(usable: readonly UsableRow[], prices: ReadonlyMap<string, PriceFact>) {
  const priced = new Set(prices.values().map(({ commodityId }) => commodityId));
  const rowsOf = Map.groupBy(usable, ({ fact }) => fact.commodityId);
  return [...priced].map((commodityId) => {
    const [newest] = newestFirst(rowsOf.get(commodityId) ?? []);
    const { commodity: name = "", category = "" } = newest ?? {};
    return { commodityId, name, category };
  });
}

/** Each fact is that of the newest row that has it, so that a blank there does not hide what an older row knew. */
function collectPlaces(usable: readonly UsableRow[], reference: ReferenceData) {
  const places: PlaceFacts[] = [];
  const marketsWithoutCounty: { readonly marketId: number; readonly name: string; readonly admin2: string }[] = [];
  for (const [marketId, rows] of Map.groupBy(usable, ({ fact }) => fact.marketId)) {
    const newest = newestFirst(rows);
    const { market: name, admin2, line } = newest[0] as ExportRow;
    const judgement = reference.markets.get(marketId);
    const known = newest.map((row) => reference.countyIds.get(lettersOf(row.admin2)));
    const countyId = judgement?.county_id ?? known.find((id) => id !== undefined);
    const points = judgement?.is_misplaced ? [] : newest.map(coordinatesOf);
    const location = points.find((point) => point !== undefined) ?? null;
    if (countyId === undefined) marketsWithoutCounty.push({ marketId, name, admin2 });
    else places.push({ marketId, name, countyId, location, judgement, line });
  }
  return { places, marketsWithoutCounty };
}

/** The newest row first; of rows of one day the last one in the file. */
function newestFirst(rows: readonly UsableRow[]): readonly ExportRow[] {
  const sorted = rows.toReversed().sort((a, b) => b.fact.day - a.fact.day);
  return sorted.map(({ row }) => row);
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

function isSamePrice(a: PriceFact, b: PriceFact): boolean {
  return a.price === b.price && a.currency === b.currency && a.flag === b.flag && a.notes === b.notes;
}
