/**
 * The series of a page and their monthly figures. A series is a product at a type of market in all of Kenya, in a
 * county or at a market; in an address it is `PRODUCT:Wholesale`, `PRODUCT:Retail:32` or `PRODUCT:Retail:MARKET`.
 * Suspicious prices are in no figure; the figures name them.
 */

import type { Day, MonthNumber } from "../../engine/model/calendar.ts";
import type {
  ContinuationRecord,
  CountyRecord,
  MarketContinuationRecord,
  MarketRecord,
  ProductRecord,
} from "../../engine/model/records.ts";
import { type MarketType, marketTypes } from "../../engine/model/vocabulary.ts";
import { findContinuations, findMarketContinuations } from "../../engine/query/find-series.ts";
import { divisorsOf } from "../../engine/query/measures/find-index.ts";
import { findJudged, type JudgedSubject, marketTypeOf } from "../../engine/query/measures/find-judged.ts";
import type { ComparablePrices } from "../../engine/query/measures/fit-comparable.ts";
import {
  type MonthFigures,
  monthlyFigures,
  type SuspiciousPrice,
  suspiciousPrices,
} from "../../engine/query/monthly-figures.ts";
import type { MarketConditions, PriceStatistics } from "../../engine/query/questions.ts";
import type { PriceSelection } from "../../engine/query/walk-prices.ts";
import { marketOf, type ProductCode, recordAt } from "../../engine/store/catalogue.ts";
import { type ConversionTarget, targetOf, type UnitAndCurrency } from "../../engine/store/price-conversion.ts";
import type { Store } from "../../engine/store/store.ts";
import { linesMax } from "../charts/chart-style.ts";
import type { ComparableMonth } from "../charts/comparable-month.ts";
import type { Words } from "../pages/words.ts";

export interface Place {
  readonly conditions: Pick<MarketConditions, "countyId" | "marketUuid">;
  readonly kind: "country" | "county" | "market";
  /** The county or market, as in the data; empty for all of Kenya. */
  readonly name: string;
}

export const wholeCountry: Place = { conditions: {}, kind: "country", name: "" };

export function countyPlace({ id, name }: CountyRecord): Place {
  return { conditions: { countyId: id }, kind: "county", name };
}

export function marketPlace({ uuid, name }: MarketRecord): Place {
  return { conditions: { marketUuid: uuid }, kind: "market", name };
}

/** A product at a type of market and a place. */
export interface Series {
  readonly code: ProductCode;
  readonly product: ProductRecord;
  readonly marketType: MarketType;
  readonly place: Place;
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
export function seriesParameter({ product, marketType, place: { conditions } }: Omit<Series, "code">): string {
  const at = conditions.countyId ?? conditions.marketUuid;
  return `${product.uuid}:${marketType}${at === undefined ? "" : `:${at}`}`;
}

/** `Maize (white)`, `Maize (white) in Nakuru` or `Maize (white) at Wakulima`. */
export function productAtPlace(words: Words, record: ProductRecord, { kind, name }: Place): string {
  const product = words.product(record);
  return kind === "country" ? product : words.say(kind === "county" ? "inPlace" : "atPlace", { product, place: name });
}

/** `all of Kenya`, `Nakuru county` or `Wakulima`. */
export function placeName(words: Words, { kind, name }: Place): string {
  if (kind === "country") return words.say("allOfKenya");
  return kind === "county" ? words.say("countyTitle", { county: name }) : name;
}

/**
 * In a sentence: nothing, `, in Nakuru county` or `, at Wakulima`.
 *
 * @param separator Precedes it.
 */
export function placeSuffix(words: Words, { kind, name }: Place, separator = ", "): string {
  if (kind === "country") return "";
  return separator + words.say(kind === "county" ? "sentencePlaceCounty" : "sentencePlaceMarket", { place: name });
}

/** `Maize (white), wholesale, in Nakuru county` */
export function nameOfSeries(words: Words, { product, marketType, place }: Omit<Series, "code">): string {
  return `${words.product(product)}, ${words.type(marketType)}${placeSuffix(words, place)}`;
}

/** A month of a series. */
export interface SeriesMonth extends MonthFigures {
  /** Undefined for a market, where nothing was judged, and in a month that the fit lacks. */
  readonly comparable: ComparableMonth | undefined;
}

/** With the price that a line shows. */
export interface PricedMonth extends SeriesMonth {
  readonly price: number;
}

export interface SeriesFigures extends Series, Required<ConversionTarget> {
  /** Months with prices, ascending; at least one. */
  readonly months: readonly SeriesMonth[];
  /** The prices that the figures leave out, newest first. */
  readonly suspicious: readonly SuspiciousPrice[];
}

/** A line of a chart. */
export interface MonthlyLine extends SeriesFigures {
  readonly label: string;
  /** The number of its colour and symbol, below `linesMax`: the same whatever else is drawn. */
  readonly colour: number;
}

/** The colour of a product at each type of market; other products have those from the last one down. */
export function colourOf(marketType: MarketType): number {
  return marketTypes.indexOf(marketType);
}

/** With the unit and currency of all figures. */
export interface ProductFigures extends ConversionTarget {
  /** By the newest month, newest first; of equal ones in the order of the vocabulary. */
  readonly byType: readonly SeriesFigures[];
  /** Prices that do not convert to the unit and currency of these figures, also those at types that have no others. */
  readonly excluded: number;
  /** The part of `excluded` whose month has no exchange rate; 0 where no currency is converted. */
  readonly withoutRate: number;
  /** At these types of market, also those that have no figures; newest first. */
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
  /** The first day; all days when undefined. */
  readonly dayFirst?: Day;
}

/**
 * The monthly figures of a product at a place.
 *
 * @param judged The product at the place, each type of market in any order: their comparable prices are those of the
 * months.
 * @param requested A unit of the product's base, its own when undefined; a currency that the rates of the snapshot
 * convert to, the product's own when undefined.
 * Cost: reads each price three times.
 */
export function* figuresByType(
  store: Store,
  requested: FiguresQuestion,
  judged: readonly JudgedSubject[] = [],
): Generator<number, ProductFigures> {
  const { code, place, unit, currency } = requested;
  const { catalogue, statisticsUnits } = store;
  const { newestDay, ages } = store.periods;
  const product = recordAt(catalogue.products, code);
  const target = targetOf(catalogue, statisticsUnits[code] as UnitAndCurrency, requested);
  const byType: SeriesFigures[] = [];
  const allSuspicious: SuspiciousPrice[] = [];
  let [excluded, withoutRate] = [0, 0];
  const dayFirst = requested.dayFirst ?? ((newestDay - (ages.at(-1) ?? 0)) as Day);
  const days = { dayFirst, dayLast: newestDay as Day };
  const types = requested.marketType === undefined ? marketTypes : [requested.marketType];
  for (const marketType of ages.length === 0 ? [] : types) {
    const question = { productUuid: product.uuid, ...days, ...place.conditions, marketType, unit, currency } as const;
    const suspicious = suspiciousPrices(store, question);
    allSuspicious.push(...suspicious);
    const { months, overall, excludedSamples, missingRates } = yield* monthlyFigures(store, question);
    excluded += excludedSamples;
    withoutRate += missingRates.count;
    if (overall === null) continue;
    const comparable = judged.find((subject) => marketTypeOf(subject) === marketType)?.comparable;
    const comparableOf = comparableMonths(store, code, target, comparable);
    const withComparable = months.map((figures) => ({ ...figures, comparable: comparableOf.get(figures.month) }));
    byType.push({ code, product, marketType, place, ...target, months: withComparable, suspicious });
  }
  return {
    ...target,
    byType: byType.sort((a, b) => newestOf(b).month - newestOf(a).month),
    excluded,
    withoutRate,
    suspicious: allSuspicious.sort((a, b) => b.day - a.day),
  };
}

/** Comparable prices by month, in a unit and currency; empty without any. A month without an exchange rate has none. */
export function comparableMonths(
  store: Store,
  product: number,
  target: Required<ConversionTarget>,
  comparable: ComparablePrices | undefined,
): ReadonlyMap<MonthNumber, ComparableMonth> {
  const found = new Map<MonthNumber, ComparableMonth>();
  if (comparable === undefined) return found;
  const { months, prices, marketCounts, components } = comparable;
  const divisorOf = divisorsOf(store, product, target);
  for (const [at, month] of months.entries()) {
    const price = (prices[at] as number) / divisorOf(month);
    const [markets, component] = [marketCounts[at] as number, components[at] as number];
    if (!Number.isNaN(price)) found.set(month, { price, markets, component });
  }
  return found;
}

/**
 * The months in which a line of a series has a price: the comparable price of a county or the country, where the fit
 * has the month; the median of a market, which is the comparable price of one market.
 */
export function pricedMonths({ place, months }: Pick<SeriesFigures, "place" | "months">): PricedMonth[] {
  return months.flatMap((month) => {
    const price = place.kind === "market" ? month.median : month.comparable?.price;
    return price === undefined ? [] : [{ ...month, price }];
  });
}

/** The reasons why a product has prices and no figures; undefined where it has no prices. */
export function leftOutText(words: Words, figures: ProductFigures): string | undefined {
  const reasons = [excludedSentence(words, figures), leftOutSentence(words, figures)];
  return reasons.filter(Boolean).join(" ") || undefined;
}

/** The number of prices that do not convert; undefined where all do. */
export function excludedSentence(words: Words, { excluded, currency, unit }: ProductFigures): string | undefined {
  if (excluded === 0) return undefined;
  return words.say("excludedSamples", { count: excluded, unit: words.currencyPerUnit(currency, unit) });
}

/** The number of suspicious prices; undefined without any. */
function leftOutSentence(words: Words, { suspicious }: Pick<ProductFigures, "suspicious">): string | undefined {
  return suspicious.length === 0 ? undefined : words.say("suspiciousLeftOut", { count: suspicious.length });
}

/** The unit that another converts to, such as `kg` for a `90 kg bag`; undefined for one that is not known. */
export function baseUnitOf({ catalogue }: Store, unit: string | undefined): string | undefined {
  return catalogue.units.get(unit ?? "")?.baseUnit;
}

/** The figures of the newest month. */
export function newestOf({ months }: Pick<SeriesFigures, "months">): SeriesMonth {
  return months.at(-1) as SeriesMonth;
}

export function figuresOf({ months }: Pick<SeriesFigures, "months">, month: MonthNumber): SeriesMonth | undefined {
  return months.find((figures) => figures.month === month);
}

/** A product at a type of market and a place, for its comparable prices; nothing for a market, which needs none. */
export function* judgedAt(
  store: Store,
  { product, marketType, place }: Omit<Series, "code">,
): Generator<number, readonly JudgedSubject[]> {
  if (place.kind === "market") return [];
  const question = { productUuids: [product.uuid], marketType, ...place.conditions, level: place.kind, measures: [] };
  return yield* findJudged(store, question);
}

/** What the snapshot says of another product at the place, or of a product at the market that is the same place. */
type Continued = (
  | { readonly judgement: ContinuationRecord; readonly atMarket: undefined }
  | { readonly judgement: ContinuationRecord | undefined; readonly atMarket: MarketContinuationRecord }
) & {
  /** True if it comes before. */
  readonly isEarlier: boolean;
};

/** With the line where a chart can have it. */
export type ContinuedLine = Continued & {
  readonly other: ProductRecord;
  readonly marketType: MarketType;
  readonly place: Place;
  readonly line: SeriesFigures | undefined;
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
 * The lines of the products that a product continues, and that continue it, at the types of market that it is shown at;
 * at a market also those of the market that is the same place. Each is a line of its own: where one ends and the other
 * begins stays visible.
 *
 * @param shown The figures of the product, in one unit and currency; all converted to the currency, or none.
 * @returns With those of the product at most `linesMax` lines; the same goods before similar ones.
 */
export function* continuedLines(
  store: Store,
  shown: readonly SeriesFigures[],
): Generator<number, readonly ContinuedLine[]> {
  const { catalogue, statisticsUnits } = store;
  const found: ContinuedLine[] = [];
  const ownColours = shown.map(({ marketType }) => colourOf(marketType));
  const colours = Array.from({ length: linesMax }, (_, at) => at).filter((at) => !ownColours.includes(at));
  const judged = shown.flatMap((figures) => {
    return continuedAt(store, figures).map((continued) => ({ figures, continued }));
  });
  const isSame = ({ continued: { judgement } }: (typeof judged)[number]): boolean =>
    judgement === undefined || judgement.judgement === "same goods";
  judged.sort((a, b) => Number(isSame(b)) - Number(isSame(a)));
  for (const { figures, continued } of judged) {
    if (shown.length + found.length >= linesMax) break;
    const { marketType, unit, isConverted } = figures;
    const { judgement, atMarket, isEarlier } = continued;
    const otherProduct = isEarlier ? judgement?.continuesUuid : judgement?.productUuid;
    const otherMarket = isEarlier ? atMarket?.continuesUuid : atMarket?.marketUuid;
    const code = catalogue.productCodes.get(otherProduct ?? figures.product.uuid) as ProductCode;
    const place = otherMarket === undefined ? figures.place : marketPlace(marketOf(catalogue, otherMarket));
    const own = statisticsUnits[code] as UnitAndCurrency;
    // Lines of one chart have one unit and currency.
    if (!isConverted && own.currency !== figures.currency) continue;
    if (baseUnitOf(store, own.unit) !== baseUnitOf(store, unit)) continue;
    const currency = isConverted ? (figures.currency ?? undefined) : undefined;
    const other = recordAt(catalogue.products, code);
    const comparable = yield* judgedAt(store, { product: other, marketType, place });
    const [line] = (yield* figuresByType(store, { code, marketType, place, unit, currency }, comparable)).byType;
    if (atMarket !== undefined && line === undefined) continue;
    found.push({ ...continued, other, marketType, place, line, colour: colours.pop() as number });
  }
  return found;
}
