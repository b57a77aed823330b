/** Facts and records of an import → its report: as data, as text for a person. */
import { dayText } from "../../../engine/model/calendar.ts";
import { compareTexts } from "../../../engine/model/folded-text.ts";
import { visibleText } from "../../../engine/model/visible-text.ts";
import { listLeftOut } from "../left-out-rows.ts";
import type { ImportedRecords } from "./build-wfp-records.ts";
import { type CollectedFacts, dayRange, groupsBySize } from "./collect-facts.ts";
import { leftOutReasons, type PriceType } from "./read-price-row.ts";
import type { ReferenceData } from "./reference-data.ts";

export type ImportReport = ReturnType<typeof reportImport>;

/**
 * Counts what happened. Cost: a few passes over the prices.
 *
 * @throws {RangeError} when there is no price.
 */
export function reportImport(facts: CollectedFacts, records: ImportedRecords, reference: ReferenceData) {
  const prices = [...facts.prices.values()];
  const places = facts.places.toSorted((a, b) => a.marketId - b.marketId);
  const { first, last } = dayRange(facts.prices);
  const countOfType = (type: PriceType): number => prices.filter(({ priceType }) => priceType === type).length;
  // One unit of the export can have two names here, because the package depends on the goods.
  const pairs = groupsBySize(prices, ({ wfpUnit, unit }) => JSON.stringify([wfpUnit, unit.name]));
  return {
    /** Rows of the export below the header: the prices kept and the rows left out. */
    rowCount: facts.rowCount,
    priceCount: prices.length,
    retailPriceCount: countOfType("Retail"),
    wholesalePriceCount: countOfType("Wholesale"),
    /** Days of the oldest and the newest price kept, `YYYY-MM-DD`. */
    dayFirst: dayText(first),
    dayLast: dayText(last),
    productCount: records.products.length,
    activeProductCount: records.products.filter(({ is_active }) => is_active).length,
    marketCount: records.markets.length,
    activeMarketCount: records.markets.filter(({ is_active }) => is_active).length,
    /** Months with an exchange rate, by currency. */
    exchangeRateCount: records["exchange-rates"].length,
    continuationCount: records.continuations.length,
    marketContinuationCount: records["market-continuations"].length,
    /** Places of the export; one with retail and wholesale prices is two markets. */
    placeCount: places.length,
    /** Units under their names here, the one with most prices first. */
    units: pairs.map(([pair, group]) => {
      const [wfpUnit, unit] = JSON.parse(pair) as [string, string];
      return { wfpUnit, unit, priceCount: group.length };
    }),
    /** Price flags, the one with most prices first. */
    flags: countTexts(prices.map(({ flag }) => flag)).map(([flag, priceCount]) => ({ flag, priceCount })),
    /** Notes made from price flags that are not known, the one with most prices first. */
    notes: countTexts(prices.map(({ notes }) => notes)).map(([note, priceCount]) => ({ note, priceCount })),
    /** Places whose county, name or point was decided by hand, by market id. */
    judgedPlaces: places.flatMap(({ marketId, countyId, judgement }) =>
      judgement?.reason
        ? { marketId, county: reference.counties.get(countyId)?.name ?? "", reason: judgement.reason }
        : [],
    ),
    /** Names of places without coordinates. */
    placesWithoutLocation: places.filter(({ location }) => location === null).map(({ name }) => name),
    /** Names of products with a plain description, because wfp-commodities.csv does not have them yet. */
    productsWithoutText: facts.commodities
      .filter(({ commodityId }) => !reference.commodities.has(commodityId))
      .map(({ name }) => name)
      .sort(compareTexts),
    /** The reason with most rows first. */
    leftOut: listLeftOut(facts.leftOut),
    /** Rows of other countries among them, by the sign of it: `country UGA`. */
    otherCountries: listLeftOut(facts.otherCountries).map(({ reason: sign, ...rows }) => ({ sign, ...rows })),
    /** The markets behind the reason `market_without_county`. */
    marketsWithoutCounty: facts.marketsWithoutCounty,
  };
}

/** Returns the number of prices that have each text, that of most first. */
function countTexts(texts: readonly (string | null)[]): [text: string, count: number][] {
  const stated = texts.filter((text) => text !== null);
  return groupsBySize(stated, (text) => text).map(([text, group]) => [text, group.length]);
}

/** A report as lines for a person: what was kept, converted and left out. */
export function reportText(report: ImportReport): string {
  const ofType = `${grouped(report.retailPriceCount)} retail, ${grouped(report.wholesalePriceCount)} wholesale`;
  const ofMarkets = grouped(report.marketContinuationCount);
  const continuations = `${count(report.continuationCount, "continuation")} of products and ${ofMarkets} of markets`;
  const locations = `${count(report.placeCount, "place")}, ${grouped(report.activeMarketCount)} of them active`;
  return [
    `Read ${count(report.rowCount, "row")}${othersText(report)}, ${report.dayFirst} to ${report.dayLast}.`,
    "",
    "Kept",
    `  ${count(report.priceCount, "price")}: ${ofType}`,
    `  ${count(report.productCount, "product")}, ${grouped(report.activeProductCount)} of them active`,
    `  ${count(report.marketCount, "market")} at ${locations}`,
    `  ${count(report.exchangeRateCount, "exchange rate")}, ${continuations}`,
    "",
    "Converted",
    ...report.units.map(
      ({ wfpUnit, unit, priceCount }) => `  unit ${wfpUnit} to "${unit}": ${count(priceCount, "price")}`,
    ),
    ...report.flags.map(({ flag, priceCount }) => `  price flag ${flag}: ${count(priceCount, "price")}`),
    ...report.notes.map(({ note, priceCount }) => `  note "${note}": ${count(priceCount, "price")}`),
    ...report.judgedPlaces.map(
      ({ marketId, county, reason }) => `  market ${marketId} decided by hand, ${county} County: ${reason}`,
    ),
    ...report.placesWithoutLocation.map((name) => `  no coordinates: ${name}`),
    ...report.productsWithoutText.map((name) => `  plain description, no product text: ${name}`),
    "",
    "Left out",
    ...(report.leftOut.length === 0 ? ["  nothing"] : []),
    ...report.leftOut.map(
      ({ reason, rowCount, lineFirst }) =>
        `  ${count(rowCount, "row")}: ${leftOutReasons[reason]} (first at line ${lineFirst})`,
    ),
    ...otherCountryLines(report),
    ...report.marketsWithoutCounty.map(
      ({ marketId, name, admin2 }) => `  market ${marketId} "${name}" has no county, its district is "${admin2}"`,
    ),
    "",
  ]
    .map(visibleText)
    .join("\n");
}

/** A person is shown so many signs of other countries; JSON has all. */
const otherCountriesShownMax = 20;

function otherCountryLines({ otherCountries }: ImportReport): string[] {
  const lines = otherCountries
    .slice(0, otherCountriesShownMax)
    .map(({ sign, rowCount, lineFirst }) => `  ${sign}: ${count(rowCount, "row")} (first at line ${lineFirst})`);
  const rest = otherCountries.length - lines.length;
  return rest > 0 ? [...lines, `  … and ${rest} more that are of other countries`] : lines;
}

/** The part of the first line that says that the export is not of Kenya alone. */
function othersText({ otherCountries }: ImportReport): string {
  if (otherCountries.length === 0) return "";
  const rows = otherCountries.reduce((sum, { rowCount }) => sum + rowCount, 0);
  return `, of which ${grouped(rows)} are not of Kenya`;
}

function count(amount: number, noun: string): string {
  return `${grouped(amount)} ${noun}${amount === 1 ? "" : "s"}`;
}

/** 26745 → "26,745". */
function grouped(amount: number): string {
  return amount.toLocaleString("en-US");
}
