/**
 * The search of the start page: counties, products and markets by words, and products at the places that the other
 * words name.
 */
import { searchKey, searchWords } from "../../engine/model/folded-text.ts";
import type { CountyId } from "../../engine/model/ids.ts";
import { isMentioned, rankProducts } from "../../engine/query/find-products.ts";
import { newestDayAt } from "../../engine/query/places-of-product.ts";
import { type ProductSuggestion, suggestProducts } from "../../engine/query/suggest-products.ts";
import {
  countyRecord,
  type MarketCode,
  type MarketEntry,
  type ProductCode,
  type ProductEntry,
  recordAt,
} from "../../engine/store/catalogue.ts";
import { rowsOf } from "../../engine/store/columns.ts";
import type { Store } from "../../engine/store/store.ts";
import { countyPlace, marketPlace, type Place } from "./monthly-series.ts";

/** A product that was found, at a place or everywhere. */
export interface FoundProduct {
  readonly product: ProductCode;
  readonly place: Place;
}

export interface SearchResults {
  /** Counties whose name has all words, by name. */
  readonly counties: readonly CountyId[];
  /** Products that have all words in a name or the description, as `rankProducts` orders them. */
  readonly products: readonly ProductCode[];
  /**
   * Products that some words name, at counties and markets that the others name; those with newer prices there first.
   */
  readonly productsAtPlaces: readonly FoundProduct[];
  /** Markets whose name or county has all words, by name. */
  readonly markets: readonly MarketCode[];
  /** True if nothing has all words, and what was found has some of them. */
  readonly isPartial: boolean;
  /** Products with names that resemble the text, where nothing was found. */
  readonly suggestions: readonly ProductSuggestion[];
}

/** Words of a search that are used; further ones are ignored. */
const wordsMax = 8;

/** The search ends after this number of products at places, and after this number of pairs of both. */
const placesMax = 200;
const pairsMax = 50_000;

/** The cost of a comparison of a name with a word, and of a pair of product and place, as a number of prices read. */
const rowsPerName = 10;
const rowsPerPair = 10;

interface Matched<Found> {
  readonly found: Found;
  /** A bit for each word that it has. */
  readonly bits: number;
}

/**
 * Words of fewer characters are left out where nothing has all words: “in” and “of”, but also the beginning of a name.
 */
const tellingCharactersMin = 3;

const nothing: SearchResults = {
  counties: [],
  products: [],
  productsAtPlaces: [],
  markets: [],
  isPartial: false,
  suggestions: [],
};

/**
 * Finds products, markets, and products at places. A word may be a part of a name; case, accents and apostrophes do not
 * count. Products are also found by their alternative names and description. Where nothing has all words, it looks
 * for those that occur in a name, so that “what does maize cost in nakuru” finds maize in Nakuru; and where nothing
 * has all of these, for products that have one. Where no word occurs in a name, it suggests products with names
 * that resemble the text.
 *
 * Cost: reads every product and market once, and at most `pairsMax` pairs of them; twice where nothing has all words.
 */
export function* searchCatalogue(store: Store, text: string): Generator<number, SearchResults> {
  const words = searchWords(text).slice(0, wordsMax);
  if (words.length === 0) return nothing;
  const { results, bitsFound } = yield* lookForWords(store, words);
  if (!isEmpty(results)) return results;
  const telling = words.filter((word, at) => word.length >= tellingCharactersMin && (bitsFound & (1 << at)) !== 0);
  if (telling.length === 0) return { ...nothing, suggestions: yield* suggestProducts(store, text) };
  const again = yield* lookForWords(store, telling);
  return { ...(isEmpty(again.results) ? { ...nothing, products: again.someWords } : again.results), isPartial: true };
}

function isEmpty({ counties, products, productsAtPlaces, markets }: SearchResults): boolean {
  return counties.length + products.length + productsAtPlaces.length + markets.length === 0;
}

interface WordResults {
  /** Everything that has all words. */
  readonly results: SearchResults;
  /** Products whose names have some of the words. */
  readonly someWords: readonly ProductCode[];
  /** The words that occur in the name of a product, county or market. */
  readonly bitsFound: number;
}

function* lookForWords(store: Store, words: readonly string[]): Generator<number, WordResults> {
  const { catalogue } = store;
  const all = (1 << words.length) - 1;
  const bitsOf = (...texts: readonly string[]): number => {
    let bits = 0;
    for (const [at, word] of words.entries()) if (texts.some((text) => text.includes(word))) bits |= 1 << at;
    return bits;
  };
  const products: Matched<ProductCode>[] = [];
  const withAll: ProductEntry[] = [];
  for (const [code, entry] of catalogue.products.entries()) {
    const named = bitsOf(...entry.names.map(({ key }) => key));
    if (named !== 0) products.push({ found: code as ProductCode, bits: named });
    if (named === all || isMentioned(entry, words)) withAll.push(entry);
  }
  const ranked = rankProducts(withAll, words.join(" "));
  products.sort((a, b) => newestDayCode(store, a.found) - newestDayCode(store, b.found));
  const counties = catalogue.countiesByName.map((id): Matched<Place> => {
    const place = countyPlace(countyRecord(catalogue, id));
    return { found: place, bits: bitsOf(searchKey(place.name)) };
  });
  const bitsOfCounties = new Map(counties.map(({ found, bits }) => [found.conditions.countyId, bits]));
  const markets = catalogue.marketsByName.map((code): Matched<MarketCode> => {
    const { record, searchNames } = catalogue.markets[code] as MarketEntry;
    return { found: code, bits: bitsOf(searchNames) | (bitsOfCounties.get(record.countyId) ?? 0) };
  });
  const places: readonly Matched<Place>[] = [
    ...counties,
    ...markets.map(({ found, bits }) => ({ found: marketPlace(recordAt(catalogue.markets, found)), bits })),
  ];
  yield rowsPerName * words.length * (catalogue.products.length + catalogue.markets.length);
  const results = {
    ...nothing,
    counties: catalogue.countiesByName.filter((id) => bitsOfCounties.get(id) === all),
    products: ranked.map(({ record }) => catalogue.productCodes.get(record.uuid) as ProductCode),
    productsAtPlaces: yield* joinWithPlaces(
      store,
      products,
      places.filter(({ bits }) => bits !== 0),
      all,
    ),
    markets: markets.filter(({ bits }) => bits === all).map(({ found }) => found),
  };
  const bitsFound = [...products, ...places].reduce((found, { bits }) => found | bits, 0);
  return { results, someWords: products.map(({ found }) => found), bitsFound };
}

/** Each product with each place that has the rest of the words, those with newer prices there first. */
function* joinWithPlaces(
  store: Store,
  products: readonly Matched<ProductCode>[],
  places: readonly Matched<Place>[],
  all: number,
): Generator<number, FoundProduct[]> {
  const found: FoundProduct[] = [];
  let pairs = 0;
  for (const { found: product, bits } of products) {
    // A product that has all words needs no place: its own page has them.
    if (bits === all) continue;
    const pairsBefore = pairs;
    for (const place of places) {
      if ((bits | place.bits) !== all) continue;
      if (++pairs > pairsMax) return newestThereFirst(store, found);
      if (newestDayAt(store, product, place.found.conditions) === undefined) continue;
      found.push({ product, place: place.found });
      if (found.length === placesMax) return newestThereFirst(store, found);
    }
    yield rowsPerPair * (pairs - pairsBefore) + places.length;
  }
  return newestThereFirst(store, found);
}

function newestThereFirst(store: Store, found: readonly FoundProduct[]): FoundProduct[] {
  const days = new Map(found.map((pair) => [pair, newestDayAt(store, pair.product, pair.place.conditions)]));
  return found.toSorted((a, b) => (days.get(b) as number) - (days.get(a) as number));
}

/** Behind the code of every day. */
const noDayCode = 2 ** 32 - 1;

/** Day code of the newest price of a product, 0 is the newest day; `noDayCode` without prices. */
function newestDayCode({ periods, rowsByProduct }: Store, product: number): number {
  const [row] = rowsOf(rowsByProduct, product);
  return row === undefined ? noDayCode : (periods.dayCodes[row] as number);
}
