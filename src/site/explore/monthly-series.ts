/**
 * The series of a page and their monthly figures. A series is a product at a type of market and a place: in all of
 * Kenya or a county, at the markets outside refugee camps or in the camps; or at a market. In an address it is
 * `PRODUCT:Wholesale`, `PRODUCT:Retail:32`, `PRODUCT:Retail:MARKET`, or in camps `PRODUCT:Retail:23:camps`.
 */

import type { Words } from "../../contract/words.ts";
import type { MonthNumber } from "../../engine/model/calendar.ts";
import type { ContinuationRecord, MarketContinuationRecord, ProductRecord } from "../../engine/model/records.ts";
import { type MarketType, marketTypes } from "../../engine/model/vocabulary.ts";
import { findContinuations, findMarketContinuations } from "../../engine/query/find-series.ts";
import {
  figuresOfMonths,
  type MarketPrices,
  type MonthFigures,
  monthlyPrices,
  type SuspiciousPrice,
  suspiciousPrices,
} from "../../engine/query/monthly-figures.ts";
import { marketPlace, type Place, type Series } from "../../engine/query/place.ts";
import type { PriceStatistics } from "../../engine/query/questions.ts";
import type { PriceSelection } from "../../engine/query/walk-prices.ts";
import { isCamp, marketOf, type ProductCode, recordAt } from "../../engine/store/catalogue.ts";
import type { ConversionTarget, UnitAndCurrency } from "../../engine/store/price-conversion.ts";
import type { Store } from "../../engine/store/store.ts";
import { linesMax } from "../charts/chart-style.ts";

/** Outside refugee camps, and in them. */
export const populations = ["exclude", "only"] as const;
export type ShownPopulation = (typeof populations)[number];

/** The same area for another population; a market is itself. */
export function placeIn({ conditions, ...place }: Place, refugeeCamps: ShownPopulation): Place {
  return { ...place, conditions: place.kind === "market" ? conditions : { ...conditions, refugeeCamps } };
}

/** True for a refugee camp, and for an area's camps. */
export function isInCamps({ catalogue }: Store, { conditions: { marketUuid, refugeeCamps } }: Place): boolean {
  const market = marketUuid === undefined ? undefined : catalogue.marketCodes.get(marketUuid);
  return market === undefined ? refugeeCamps === "only" : isCamp(catalogue, market);
}

/** The parameters of a place, as in the address of a product. */
export function placeParameters({ countyId, marketUuid }: Place["conditions"]) {
  return { county: countyId, market: marketUuid };
}

/** The prices of a series, as a selection. */
export function pricesOf({ product, marketType, place }: Omit<Series, "code">): PriceSelection {
  return { productUuids: [product.uuid], marketType, ...place.conditions };
}

/** A series as an address names it; `PageRequest.series` reads it. */
export function seriesParameter({ product, marketType, place }: Omit<Series, "code">): string {
  const { countyId, marketUuid, refugeeCamps } = place.conditions;
  const at = countyId ?? marketUuid;
  const ofPlace = refugeeCamps === "only" ? [at ?? "", "camps"] : at === undefined ? [] : [at];
  return [product.uuid, marketType, ...ofPlace].join(":");
}

/** `Maize (white)`, `Maize (white) in Nakuru` or `Maize (white) at Wakulima`. */
export function productAtPlace(words: Words, record: ProductRecord, { kind, name }: Place): string {
  const product = words.product(record);
  return kind === "country" ? product : words.say(kind === "county" ? "inPlace" : "atPlace", { product, place: name });
}

export interface SeriesFigures extends Series, Required<ConversionTarget> {
  /** In the order of codes; at least one. */
  readonly markets: readonly MarketPrices[];
  /** The figures of all of them by month, ascending; at least one. */
  readonly months: readonly MonthFigures[];
}

/** The colours of lines: outside camps, and in camps; other products have those from the last one down. */
export function colourOf(store: Store, place: Place): number {
  return Number(isInCamps(store, place));
}

/** With the unit and currency of all figures. */
export interface ProductFigures extends Required<ConversionTarget> {
  /** By the newest month, newest first; of equal ones outside camps first, then in the order of the vocabulary. */
  readonly series: readonly SeriesFigures[];
  /** Prices that do not convert to the unit and currency of these figures, also those at types that have no others. */
  readonly excluded: number;
  /** The part of `excluded` whose month has no exchange rate; 0 where no currency is converted. */
  readonly withoutRate: number;
  /** The prices that the figures leave out, newest first. */
  readonly suspicious: readonly SuspiciousPrice[];
}

/** First and last month, both inclusive. */
export interface MonthSpan {
  readonly from: MonthNumber;
  readonly to: MonthNumber;
}

/** The requested figures. */
interface FiguresQuestion extends Pick<Series, "code" | "place">, Pick<PriceStatistics, "unit" | "currency"> {
  /** At each type of market that has some when undefined. */
  readonly marketType?: MarketType;
}

/**
 * The monthly figures of a product at a market, or at an area: of the population of the place, and of the other one.
 *
 * @param requested A unit of the product's base, its own when undefined; a currency that the rates of the snapshot
 * convert to, the product's own when undefined. Cost: two reads of each price, and two sorts of those of each month.
 */
export function* findFigures(store: Store, requested: FiguresQuestion): Generator<number, ProductFigures> {
  const { code, place, unit, currency, marketType } = requested;
  const product = recordAt(store.catalogue.products, code);
  const question = { ...place.conditions, refugeeCamps: undefined, marketType, unit, currency };
  const { markets, excluded, withoutRate, ...target } = yield* monthlyPrices(store, code, question);
  const groupOf = ({ record, isCamp }: MarketPrices): number => marketTypes.indexOf(record.type) * 2 + Number(isCamp);
  const series: SeriesFigures[] = [];
  for (const [group, ofGroup] of [...Map.groupBy(markets, groupOf)].sort(([a], [b]) => (a % 2) - (b % 2) || a - b)) {
    const ofPlace = { place: placeIn(place, populations[group % 2] as ShownPopulation), markets: ofGroup };
    const marketType = marketTypes[group >> 1] as MarketType;
    series.push({ code, product, marketType, ...ofPlace, ...target, months: figuresOfMonths(ofGroup) });
    yield ofGroup.length;
  }
  const suspicious = suspiciousPrices(store, { productUuid: product.uuid, ...question });
  series.sort((a, b) => newestOf(b).month - newestOf(a).month);
  return { ...target, series, excluded, withoutRate, suspicious };
}

/** The reasons why a product has prices and no figures; undefined where it has no prices. */
export function leftOutText(words: Words, figures: ProductFigures): string | undefined {
  const count = figures.suspicious.length;
  const reasons = [excludedSentence(words, figures), count > 0 && words.say("suspiciousLeftOut", { count })];
  return reasons.filter(Boolean).join(" ") || undefined;
}

/** The number of prices that do not convert; undefined where all do. */
export function excludedSentence(words: Words, { excluded, currency, unit }: ProductFigures): string | undefined {
  if (excluded === 0) return undefined;
  return words.say("excludedSamples", { count: excluded, unit: words.currencyPerUnit(currency, unit) });
}

/** The unit that another converts to, such as `kg` for a `90 kg bag`; undefined for one that is not known. */
export function baseUnitOf({ catalogue }: Store, unit: string | undefined): string | undefined {
  return catalogue.units.get(unit ?? "")?.baseUnit;
}

/** The figures of the newest month. */
export function newestOf({ months }: Pick<SeriesFigures, "months">): MonthFigures {
  return months.at(-1) as MonthFigures;
}

/** What the snapshot says of another product at the place, or of a product at the market that is the same place. */
type Continued = (
  | { readonly judgement: ContinuationRecord; readonly atMarket: undefined }
  | { readonly judgement: ContinuationRecord | undefined; readonly atMarket: MarketContinuationRecord }
) & {
  /** True if it comes before. */
  readonly isEarlier: boolean;
};

/** With its figures where a chart can have them. */
export type ContinuedLine = Continued & {
  readonly other: ProductRecord;
  readonly place: Place;
  readonly figures: SeriesFigures | undefined;
  /** The colour of the line. */
  readonly colour: number;
};

/** The products before and after at the place; then, where the place is one market, all of them at the other one. */
function continuedAt({ catalogue }: Store, { product, marketType, place }: SeriesFigures): Continued[] {
  const products = findContinuations(catalogue, product.uuid, marketType);
  const { marketUuid } = place.conditions;
  const markets = marketUuid === undefined ? undefined : findMarketContinuations(catalogue, marketUuid);
  return (["continues", "continuedBy"] as const).flatMap((direction) => {
    const judgements = products[direction];
    const atMarket = markets?.[direction];
    const isEarlier = direction === "continues";
    const atPlace = judgements.map((judgement) => ({ judgement, atMarket: undefined, isEarlier }));
    if (atMarket === undefined) return atPlace;
    return [...atPlace, ...[undefined, ...judgements].map((judgement) => ({ judgement, atMarket, isEarlier }))];
  });
}

/**
 * The products that a product continues, and that continue it, at the types of market that it is shown at; at a market
 * also the prices of the market that is the same place. Each is a line of its own: where one ends and the other begins
 * stays visible.
 *
 * @param shown In one unit and currency; converted to the currency, or not.
 * @returns At most `linesMax` − 2; the same goods before similar ones.
 */
export function* continuedLines(store: Store, shown: SeriesFigures): Generator<number, readonly ContinuedLine[]> {
  const { catalogue, statisticsUnits } = store;
  const { product, marketType, unit, isConverted } = shown;
  const isSame = ({ judgement }: Continued): boolean => judgement === undefined || judgement.judgement === "same goods";
  const found: ContinuedLine[] = [];
  for (const continued of continuedAt(store, shown).sort((a, b) => Number(isSame(b)) - Number(isSame(a)))) {
    if (found.length === linesMax - populations.length) break;
    const { judgement, atMarket, isEarlier } = continued;
    const otherProduct = isEarlier ? judgement?.continuesUuid : judgement?.productUuid;
    const otherMarket = isEarlier ? atMarket?.continuesUuid : atMarket?.marketUuid;
    const code = catalogue.productCodes.get(otherProduct ?? product.uuid) as ProductCode;
    const place = otherMarket === undefined ? shown.place : marketPlace(marketOf(catalogue, otherMarket));
    const own = statisticsUnits[code] as UnitAndCurrency;
    // Lines of one chart have one unit and currency.
    if (!isConverted && own.currency !== shown.currency) continue;
    if (baseUnitOf(store, own.unit) !== baseUnitOf(store, unit)) continue;
    const currency = isConverted ? (shown.currency ?? undefined) : undefined;
    const { series } = yield* findFigures(store, { code, marketType, place, unit, currency });
    const figures = series.find((found) => found.place.conditions.refugeeCamps === place.conditions.refugeeCamps);
    if (atMarket !== undefined && figures === undefined) continue;
    const colour = linesMax - 1 - found.length;
    found.push({ ...continued, other: recordAt(catalogue.products, code), place, figures, colour });
  }
  return found;
}
