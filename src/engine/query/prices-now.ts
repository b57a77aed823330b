/** What a product costs now: at a place and near it, near a point, or wherever its prices are newest. */
import { type MonthNumber, monthOf } from "../model/calendar.ts";
import type { Coordinates } from "../model/records.ts";
import { compareAnswers } from "../store/answer-order.ts";
import { countyRecord, isCamp, type MarketCode, type ProductCode, recordAt } from "../store/catalogue.ts";
import { roundSigned } from "../store/figures.ts";
import { dayOfRow } from "../store/periods.ts";
import type { Store } from "../store/store.ts";
import { distanceTo } from "./find-markets.ts";
import { percentOf } from "./measures/judge-month.ts";
import { isOld } from "./measures/monthly-values.ts";
import { countyPlace, marketPlace, type Place } from "./place.ts";
import { newestMonthAt, nextSound, originOf } from "./places-of-product.ts";
import { nounOf } from "./related-products.ts";
import { inOrder, type MatchedProduct, type SearchResults, searchCatalogue } from "./search-catalogue.ts";
import type { ProductSuggestion } from "./suggest-products.ts";

/** Markets whose prices are answered. */
export const nowPricesMax = 3;

/** What a text asks for. */
export interface NowQuestion {
  /** Undefined where the text names none. */
  readonly product: ProductCode | undefined;
  /** The county or market that the text names. */
  readonly place: Place | undefined;
  /** As `SearchResults` has them. */
  readonly notFound: readonly string[];
  /** Products that the text may mean, where it names none, or several. */
  readonly suggestions: readonly ProductSuggestion[];
}

/** The newest price of a product at a market. */
export interface NowPrice {
  readonly row: number;
  readonly month: MonthNumber;
  readonly market: MarketCode;
  /** From the point or the place; null without any, and where the market's location is not known. */
  readonly kilometres: number | null;
  /** Row of the price of an earlier day in the same unit and currency; undefined without one. */
  readonly previousRow: number | undefined;
  /** The change since that price; undefined also where that price is too near 0 for a finite percentage. */
  readonly change: { readonly percent: number; readonly since: MonthNumber } | undefined;
  /** True if the market is the place, or lies in it. */
  readonly isAtPlace: boolean;
}

export interface PricesNow {
  /** At most `nowPricesMax`. */
  readonly prices: readonly NowPrice[];
  /** The month of the newest price that is not suspicious; undefined without any. */
  readonly newest: { readonly atPlace: MonthNumber | undefined; readonly anywhere: MonthNumber | undefined };
}

/**
 * Reads product and place as the search of the pages does: the best pair, else the best product, else a place alone.
 * A text that names a county is about the county, not about one of its markets. A description names no product.
 *
 * Cost: that of `searchCatalogue`.
 */
export function* readNowQuestion(store: Store, text: string): Generator<number, NowQuestion> {
  const found = yield* searchCatalogue(store, text);
  const { notFound, suggestions } = found;
  const [pair] = found.productsAtPlaces;
  const named = pair?.product ?? found.products[0];
  const best = found.named.find(({ product }) => product === named);
  if (best === undefined) return { product: undefined, place: placeAlone(store, found), notFound, suggestions };
  const product = yield* currentOf(store, best, found.named);
  return { product, place: pair?.county ?? pair?.place, notFound, suggestions };
}

/** The product, or where all its prices are old the best one of the same noun that the same words name. */
function* currentOf(store: Store, own: MatchedProduct, all: readonly MatchedProduct[]): Generator<number, ProductCode> {
  const nounAt = (code: ProductCode): string => nounOf(recordAt(store.catalogue.products, code).name);
  const isCurrent = (code: ProductCode): boolean => !isOld(store, newestMonthAt(store, code, {})?.month);
  const { product, bits } = own;
  if (isCurrent(product)) return product;
  const alike = all.filter((other) => (other.bits & bits) === bits && nounAt(other.product) === nounAt(product));
  const ordered = yield* inOrder(store, alike);
  return ordered.find(isCurrent) ?? ordered[0] ?? product;
}

/** The first county or market that was found. */
function placeAlone({ catalogue }: Store, { counties: [county], markets: [market] }: SearchResults): Place | undefined {
  if (county !== undefined) return countyPlace(countyRecord(catalogue, county));
  return market === undefined ? undefined : marketPlace(recordAt(catalogue.markets, market));
}

/**
 * The newest prices of a product that are not old, one a market, suspicious ones left out; those at the place first,
 * then the nearest to `near`, or else to the place. At the place, and without both: outside refugee camps first.
 *
 * Cost: a read of the newest rows of each run.
 */
export function pricesNow(
  store: Store,
  product: ProductCode,
  place: Place | undefined,
  near: Coordinates | undefined,
): PricesNow {
  const { catalogue, prices, runs } = store;
  const point = near ?? (place && originOf(store, place)?.point);
  const found: NowPrice[] = [];
  const monthAt = (row: number): MonthNumber => monthOf(dayOfRow(store.periods, row));
  for (let run = runs.runOffsets[product]!; run < runs.runOffsets[product + 1]!; run++) {
    const end = runs.rowOffsets[run + 1]!;
    const row = nextSound(store, runs.rowOffsets[run]!, end);
    if (row === end || isOld(store, monthAt(row))) continue;
    const market = runs.markets[run] as MarketCode;
    const record = recordAt(catalogue.markets, market);
    const { countyId, marketUuid } = place?.conditions ?? {};
    const previousRow = previousOf(store, row, end);
    const percent = roundSigned(percentOf(prices.prices[row]!, prices.prices[previousRow ?? row]!));
    const hasChange = previousRow !== undefined && Number.isFinite(percent);
    found.push({
      row,
      month: monthAt(row),
      market,
      kilometres: point === undefined ? null : distanceTo(record, point),
      previousRow,
      change: hasChange ? { percent, since: monthAt(previousRow) } : undefined,
      isAtPlace: record.uuid === marketUuid || record.countyId === countyId,
    });
  }
  const isLast = ({ market, isAtPlace }: NowPrice): boolean =>
    (isAtPlace || point === undefined) && isCamp(catalogue, market);
  const compare = (a: NowPrice, b: NowPrice): number =>
    Number(b.isAtPlace) - Number(a.isAtPlace) ||
    Number(isLast(a)) - Number(isLast(b)) ||
    // NaN, of two unknown distances, is no difference.
    (a.kilometres ?? Infinity) - (b.kilometres ?? Infinity) ||
    compareAnswers(prices, a.row, b.row);
  const newestAt = (conditions: Place["conditions"]): MonthNumber | undefined =>
    newestMonthAt(store, product, { ...conditions, refugeeCamps: undefined })?.month;
  return {
    prices: found.sort(compare).slice(0, nowPricesMax),
    newest: { atPlace: place && newestAt(place.conditions), anywhere: newestAt({}) },
  };
}

/** The next older row of a run that is of an earlier day, of the same unit and currency, and not suspicious. */
function previousOf(store: Store, row: number, end: number): number | undefined {
  const { periods, prices } = store;
  for (let next = nextSound(store, row + 1, end); next < end; next = nextSound(store, next + 1, end)) {
    const isAlike = prices.units[next] === prices.units[row] && prices.currencies[next] === prices.currencies[row];
    if (isAlike && periods.dayCodes[next] !== periods.dayCodes[row]) return next;
  }
  return undefined;
}
