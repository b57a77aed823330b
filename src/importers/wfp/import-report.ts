/** What an import kept, converted and left out: as data, as text for a person, as JSON. */
import { dayText } from "../../domain/calendar-day.ts";
import { compareTexts } from "../../domain/folded-text.ts";
import { visibleText } from "../../domain/visible-text.ts";
import { type LeftOutRows, listLeftOut } from "../left-out-rows.ts";
import { snakeCased } from "../snake-cased.ts";
import type { ImportedRecords } from "./build-records.ts";
import { type CollectedFacts, dayRange, groupsBySize, type MarketWithoutCounty } from "./collect-facts.ts";
import { type LeftOutReason, leftOutReasons, type PriceType } from "./read-price-row.ts";
import type { ReferenceData } from "./reference-data.ts";

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
  /** Months with an exchange rate, by currency. */
  readonly exchangeRateCount: number;
  readonly continuationCount: number;
  /** Places of the export; one with retail and wholesale prices is two markets. */
  readonly placeCount: number;
  /** Units under their names here, the one with most prices first. */
  readonly units: readonly { readonly wfpUnit: string; readonly unit: string; readonly priceCount: number }[];
  /** Price flags, the one with most prices first. */
  readonly flags: readonly { readonly flag: string; readonly priceCount: number }[];
  /** Notes made from price flags that are not known, the one with most prices first. */
  readonly notes: readonly { readonly note: string; readonly priceCount: number }[];
  /** Places whose county, name or point was decided by hand, by market id. */
  readonly judgedPlaces: readonly { readonly marketId: number; readonly county: string; readonly reason: string }[];
  /** Names of places without coordinates. */
  readonly placesWithoutLocation: readonly string[];
  /** Names of products with a plain description, because wfp-commodities.csv does not have them yet. */
  readonly productsWithoutText: readonly string[];
  /** The reason with most rows first. */
  readonly leftOut: readonly ({ readonly reason: LeftOutReason } & LeftOutRows)[];
  /** The markets behind the reason `market_without_county`. */
  readonly marketsWithoutCounty: readonly MarketWithoutCounty[];
}

/**
 * Counts what happened. Cost: a few passes over the prices.
 *
 * @throws {RangeError} when there is no price.
 */
export function reportImport(facts: CollectedFacts, records: ImportedRecords, reference: ReferenceData): ImportReport {
  const prices = [...facts.prices.values()];
  const places = facts.places.toSorted((a, b) => a.marketId - b.marketId);
  const { first, last } = dayRange(facts.prices);
  const countOfType = (type: PriceType): number => prices.filter(({ priceType }) => priceType === type).length;
  return {
    rowCount: facts.rowCount,
    priceCount: prices.length,
    retailPriceCount: countOfType("Retail"),
    wholesalePriceCount: countOfType("Wholesale"),
    dayFirst: dayText(first),
    dayLast: dayText(last),
    productCount: records.products.length,
    activeProductCount: records.products.filter(({ is_active }) => is_active).length,
    marketCount: records.markets.length,
    activeMarketCount: records.markets.filter(({ is_active }) => is_active).length,
    exchangeRateCount: records["exchange-rates"].length,
    continuationCount: records.continuations.length,
    placeCount: places.length,
    // One unit of the export can have two names here, because the package depends on the goods.
    units: groupsBySize(prices, ({ wfpUnit, unit }) => JSON.stringify([wfpUnit, unit.name])).map(([pair, group]) => {
      const [wfpUnit, unit] = JSON.parse(pair) as [string, string];
      return { wfpUnit, unit, priceCount: group.length };
    }),
    flags: groupsBySize(
      prices.flatMap(({ flag }) => flag ?? []),
      (flag) => flag,
    ).map(([flag, group]) => ({ flag, priceCount: group.length })),
    notes: groupsBySize(
      prices.flatMap(({ notes }) => notes ?? []),
      (note) => note,
    ).map(([note, group]) => ({ note, priceCount: group.length })),
    judgedPlaces: places.flatMap(({ marketId, countyId, judgement }) =>
      judgement?.reason
        ? { marketId, county: reference.counties.get(countyId)?.name ?? "", reason: judgement.reason }
        : [],
    ),
    placesWithoutLocation: places.filter(({ location }) => location === null).map(({ name }) => name),
    productsWithoutText: facts.commodities
      .filter(({ commodityId }) => !reference.commodities.has(commodityId))
      .map(({ name }) => name)
      .sort(compareTexts),
    leftOut: listLeftOut(facts.leftOut),
    marketsWithoutCounty: facts.marketsWithoutCounty,
  };
}

/** A report as lines for a person: what was kept, converted and left out. */
export function reportText(report: ImportReport): string {
  const ofType = `${grouped(report.retailPriceCount)} retail, ${grouped(report.wholesalePriceCount)} wholesale`;
  const locations = `${count(report.placeCount, "place")}, ${grouped(report.activeMarketCount)} of them active`;
  return [
    `Read ${count(report.rowCount, "row")}, ${report.dayFirst} to ${report.dayLast}.`,
    "",
    "Kept",
    `  ${count(report.priceCount, "price")}: ${ofType}`,
    `  ${count(report.productCount, "product")}, ${grouped(report.activeProductCount)} of them active`,
    `  ${count(report.marketCount, "market")} at ${locations}`,
    `  ${count(report.exchangeRateCount, "exchange rate")}, ${count(report.continuationCount, "continuation")}`,
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
    ...report.marketsWithoutCounty.map(
      ({ marketId, name, admin2 }) => `  market ${marketId} "${name}" has no county, its district is "${admin2}"`,
    ),
    "",
  ]
    .map(visibleText)
    .join("\n");
}

/** A report as one JSON object with snake_case keys. */
export function reportJson(report: ImportReport): string {
  return `${JSON.stringify(snakeCased(report), null, 2)}\n`;
}

function count(amount: number, noun: string): string {
  return `${grouped(amount)} ${noun}${amount === 1 ? "" : "s"}`;
}

/** 26745 → "26,745". */
function grouped(amount: number): string {
  return amount.toLocaleString("en-US");
}
