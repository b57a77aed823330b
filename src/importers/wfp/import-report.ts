/** What an import kept, converted and left out, as data. */
import { dayText } from "../../domain/calendar-day.ts";
import { compareTexts } from "../../domain/folded-text.ts";
import type { ImportedRecords } from "./build-records.ts";
import { type CollectedFacts, dayRange, type LeftOutRows, type UnplacedMarket } from "./collect-facts.ts";
import type { LeftOutReason, PriceFact, PriceType } from "./price-fact.ts";
import { countyName } from "./reference/counties.ts";
import { productTexts } from "./reference/product-texts.ts";

export interface ImportReport {
  /** Rows of the export below the header: the prices kept and the rows left out. */
  readonly rowCount: number;
  readonly priceCount: number;
  readonly retailPriceCount: number;
  readonly wholesalePriceCount: number;
  /** Days of the oldest and the newest price kept, `YYYY-MM-DD`. */
  readonly dayFirst: string;
  readonly dayLast: string;
  readonly productCount: number;
  readonly activeProductCount: number;
  readonly marketCount: number;
  readonly activeMarketCount: number;
  /** Places of the export; one with retail and wholesale prices is two markets. */
  readonly placeCount: number;
  /** Units under their names here, the one with most prices first. */
  readonly units: readonly { readonly wfpUnit: string; readonly unit: string; readonly priceCount: number }[];
  /** Notes made from price flags, the one with most prices first. */
  readonly notes: readonly { readonly note: string; readonly priceCount: number }[];
  /** Places whose county, name or point was decided by hand, by market id. */
  readonly judgedPlaces: readonly { readonly marketId: number; readonly county: string; readonly reason: string }[];
  /** Names of places without coordinates. */
  readonly placesWithoutLocation: readonly string[];
  /** Names of products with a plain description, because product-texts.ts does not know them yet. */
  readonly productsWithoutText: readonly string[];
  /** The reason that took most rows first. */
  readonly leftOut: readonly ({ readonly reason: LeftOutReason } & LeftOutRows)[];
  /** The markets behind the reason `market_without_county`. */
  readonly marketsWithoutCounty: readonly UnplacedMarket[];
}

/**
 * Counts what happened. Cost: a few passes over the prices.
 *
 * @throws {RangeError} when there is no price.
 */
export function reportOfImport(facts: CollectedFacts, records: ImportedRecords): ImportReport {
  const prices = [...facts.prices.values()];
  const places = [...facts.places.values()].sort((a, b) => a.marketId - b.marketId);
  const { first, last } = dayRange(facts.prices);
  const countOfType = (type: PriceType): number => prices.filter(({ priceType }) => priceType === type).length;
  const idsWithText = new Set(productTexts.map(({ commodityId }) => commodityId));
  return {
    rowCount: facts.rowCount,
    priceCount: prices.length,
    retailPriceCount: countOfType("Retail"),
    wholesalePriceCount: countOfType("Wholesale"),
    dayFirst: dayText(first),
    dayLast: dayText(last),
    productCount: records.products.length,
    activeProductCount: records.products.filter(({ isActive }) => isActive).length,
    marketCount: records.markets.length,
    activeMarketCount: records.markets.filter(({ isActive }) => isActive).length,
    placeCount: places.length,
    units: unitsOf(prices),
    notes: tally(prices.flatMap(({ notes }) => notes ?? [])).map(([note, priceCount]) => ({ note, priceCount })),
    judgedPlaces: places.flatMap(({ marketId, countyId, judgement }) =>
      judgement === null ? [] : { marketId, county: countyName(countyId), reason: judgement.reason },
    ),
    placesWithoutLocation: places.filter(({ location }) => location === null).map(({ name }) => name),
    productsWithoutText: [...facts.commodities.values()]
      .filter(({ commodityId }) => !idsWithText.has(commodityId))
      .map(({ name }) => name)
      .sort(compareTexts),
    leftOut: [...facts.leftOut]
      .map(([reason, rows]) => ({ reason, ...rows }))
      .sort((a, b) => b.rowCount - a.rowCount || compareTexts(a.reason, b.reason)),
    marketsWithoutCounty: facts.unplacedMarkets,
  };
}

/** One export unit can have two names here, because the package depends on the goods. */
function unitsOf(prices: readonly PriceFact[]): ImportReport["units"] {
  return tally(prices.map(({ wfpUnit, unit }) => JSON.stringify([wfpUnit, unit.name]))).map(([pair, priceCount]) => {
    const [wfpUnit, unit] = JSON.parse(pair) as [string, string];
    return { wfpUnit, unit, priceCount };
  });
}

/** How often each text occurs, the most frequent first, equal ones by text. */
function tally(texts: readonly string[]): [text: string, count: number][] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([textA, a], [textB, b]) => b - a || compareTexts(textA, textB));
}
