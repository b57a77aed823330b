/**
 * The search of the start page: counties, products and markets by the beginnings of words, and products at the places
 * that the other words name.
 */
import { searchKey, searchRuns } from "../model/folded-text.ts";
import type { CountyId } from "../model/ids.ts";
import {
  countyRecord,
  type MarketCode,
  type MarketEntry,
  type ProductCode,
  type ProductEntry,
  recordAt,
} from "../store/catalogue.ts";
import { StepCounter } from "../store/steps.ts";
import type { Store } from "../store/store.ts";
import { countyPlace, marketPlace, type Place, wholeCountry } from "./place.ts";
import { type NewestMonth, newestMonthAt } from "./places-of-product.ts";
import type { MarketConditions } from "./questions.ts";
import { nounOf } from "./related-products.ts";
import { type ProductSuggestion, suggestionsMax, suggestProducts } from "./suggest-products.ts";

/** A product that was found, at a place or everywhere. */
export interface FoundProduct {
  readonly product: ProductCode;
  readonly place: Place;
  /** The first county by name that has the words that the product has not; undefined where none has. */
  readonly county?: Place | undefined;
}

export interface SearchResults {
  /** Counties whose name has all words, by name. */
  readonly counties: readonly CountyId[];
  /** Products that have all words in a name, or in the description words of no product's name; the best first. */
  readonly products: readonly ProductCode[];
  /**
   * Products that some words name, at counties and markets that the others name, the best first; where the best one
   * has no price at any of them, it alone.
   */
  readonly productsAtPlaces: readonly FoundProduct[];
  /** Markets whose name or county has all words, by name. */
  readonly markets: readonly MarketCode[];
  /** Words that were left out, because nothing has all: most occur in no name. */
  readonly notFound: readonly string[];
  /** Products that have some of the words in a name. */
  readonly named: readonly MatchedProduct[];
  /**
   * Where no product was found: those with names that resemble the words that no name has. Where each of these has a
   * name and nothing has all: the best product of each.
   */
  readonly suggestions: readonly ProductSuggestion[];
}

/** Words of a search that are used; further ones are ignored. */
const wordsMax = 8;

/** The search looks at this number of pairs of product and place; to sort them takes 3 ms. */
const pairsMax = 10_000;

/**
 * The cost of a comparison of a name with a word, of the newest prices of a product at a place, and of each market
 * where it is sold, as a number of prices read.
 */
const rowsPerName = 10;
const rowsPerPair = 150;
const rowsPerMarket = 3;

/** Rows between two yields. */
const stepRows = 16_384;

/** Words of questions, in both languages, that no search is for. */
const wordsOfQuestions = new Set(
  [
    "a of the for in at on per and is are what whats how much does do where price prices cost costs sell buy i me",
    "tell please want need know now today near nearest cheap cheapest kes ksh shillings market markets county kenya",
    "bei gharama ya wa za la cha kwa na katika ni je gani ngapi leo sasa hivi karibu rahisi nafuu pesa shilingi moja",
    "naomba nauliza nataka kujua niambie tafadhali wapi soko masoko kaunti",
  ].flatMap((line) => line.split(" ")),
);

/** Units and containers: neither they nor the number directly before or, in Swahili, behind them is searched for. */
const unitWords = new Set(
  "kg kgs kilo kilos kilogram kilograms gram grams ml litre litres liter liters lita bag bags gunia magunia".split(" "),
);

/** An amount in one word: `90kg`. */
const amountWord = /^\p{N}+(?:kgs?|g|ml|l)$/u;

/**
 * The words that a text searches for: its `searchRuns` without those of questions, and without amounts, so that
 * `bei ya mahindi nakuru` and `90 kg bag maize nakuru` are about maize in Nakuru, while the 2 of `Kakuma 2` stays, and
 * the grams of `green grams`, which are beans.
 * All of its words where none other remains.
 */
export function wordsToSearch(text: string): string[] {
  const all = searchRuns(text);
  const isUnit = (word = ""): boolean => unitWords.has(word) || amountWord.test(word);
  const isNumber = (word = ""): boolean => /^\p{N}+$/u.test(word);
  // A fraction is several numbers.
  const isAmount = (at: number, step: 1 | -1): boolean =>
    isNumber(all[at]) && (isUnit(all[at + step]) || isAmount(at + step, step));
  const telling = all.filter((word, at) => {
    if (isUnit(word)) return /^grams?$/.test(word) && !isNumber(all[at - 1]);
    return !wordsOfQuestions.has(word) && !isAmount(at, 1) && !isAmount(at, -1);
  });
  return (telling.length > 0 ? telling : all).slice(0, wordsMax);
}

interface MatchedPlace {
  readonly place: Place;
  /** A bit for each word that it has. */
  readonly bits: number;
}

interface RankedProduct extends FoundProduct {
  readonly rank: number;
}

export interface MatchedProduct extends RankedProduct {
  /** A bit for each word that a name of it has. */
  readonly bits: number;
}

/**
 * Where nothing has all words, those of fewer characters are left out: “in” and “of”, but also the beginning of a name.
 * So are those that tell markets of one place apart: they are asked of other places as well, and name none alone.
 */
const tellingCharactersMin = 3;
const wordsOfMarkets = ["town", "wholesale", "retail"];

const nothing: SearchResults = {
  counties: [],
  products: [],
  productsAtPlaces: [],
  markets: [],
  notFound: [],
  named: [],
  suggestions: [],
};

/**
 * Finds products, markets, and products at places. A word of the text is the beginning of a word of a name; case,
 * accents and apostrophes do not count. Products are also found by their alternative names and description. Where
 * nothing has all words, it looks for those that occur in a name, so that "fine maize nakuru" finds maize in Nakuru;
 * and where nothing has all of these, it suggests the best product of each. Where it finds no product, it suggests
 * those with names that resemble the words that occur in none. A name is also found as one word: `homabay`.
 *
 * The best product is one that the words name; then one of whose name they are a part; then one whose description has
 * them. Equal ones: that with the newest price outside refugee camps, then that with more markets in that month.
 *
 * Cost: reads every product and market once, and at most `pairsMax` pairs of them; twice where nothing has all words.
 */
export function* searchCatalogue(store: Store, text: string): Generator<number, SearchResults> {
  const words = wordsToSearch(text);
  if (words.length === 0) return nothing;
  const { results, bitsFound } = yield* lookForWords(store, words);
  if (!isEmpty(results)) return results;
  const telling = words.filter((word, at) => {
    return word.length >= tellingCharactersMin && !wordsOfMarkets.includes(word) && (bitsFound & (1 << at)) !== 0;
  });
  if (telling.length === 0) return { ...nothing, suggestions: yield* suggestProducts(store, words.join(" ")) };
  const { results: some } = yield* lookForWords(store, telling);
  const notFound = words.filter((word) => !telling.includes(word));
  if (isEmpty(some)) return { ...nothing, notFound, suggestions: yield* bestOfEach(store, telling, some.named) };
  const hasProduct = some.products.length + some.productsAtPlaces.length > 0;
  return { ...some, notFound, suggestions: hasProduct ? [] : yield* suggestProducts(store, notFound.join(" ")) };
}

/** The best product of each word. */
function* bestOfEach(
  store: Store,
  words: readonly string[],
  named: readonly MatchedProduct[],
): Generator<number, ProductSuggestion[]> {
  const bitsOf = new Map(named.map(({ product, bits }) => [product, bits]));
  const ranked = yield* inOrder(store, named);
  const best = words.flatMap((_, at) => ranked.find((product) => (bitsOf.get(product) ?? 0) & (1 << at)) ?? []);
  const nameOf = (product: ProductCode): string => recordAt(store.catalogue.products, product).name;
  return [...new Set(best)].slice(0, suggestionsMax).map((product) => ({ product, matched: nameOf(product) }));
}

function isEmpty({ counties, products, productsAtPlaces, markets }: SearchResults): boolean {
  return counties.length + products.length + productsAtPlaces.length + markets.length === 0;
}

/** Finds everything that has all words, and the words that occur in the name of a product, county or market. */
function* lookForWords(store: Store, words: readonly string[]) {
  const { catalogue } = store;
  const all = (1 << words.length) - 1;
  const beginnings = words.map(beginningOf);
  const bitsOf = (...texts: readonly string[]): number => {
    let bits = 0;
    for (const [at, beginning] of beginnings.entries()) if (texts.some((text) => beginning.test(text))) bits |= 1 << at;
    return bits;
  };
  const steps = new StepCounter(stepRows);
  const products: MatchedProduct[] = [];
  for (const [at, entry] of catalogue.products.entries()) {
    const bits = bitsOf(...entry.names.map(({ key }) => withJoined(key)));
    const rank = bits !== 0 && headsOf(entry).some((head) => bitsOf(head) !== 0) ? 0 : 1;
    products.push({ product: at as ProductCode, place: wholeCountry, bits, rank });
    const step = steps.add(rowsPerName * words.length * (entry.names.length + 1));
    if (step > 0) yield step;
  }
  const named = products.filter(({ bits }) => bits !== 0);
  const bitsNamed = named.reduce((found, { bits }) => found | bits, 0);
  // A word of a name is looked for in names: maize, which is boiled with beans, is not both.
  const withAll = products.flatMap((product, at): MatchedProduct | [] => {
    if (product.bits !== bitsNamed) return [];
    if (bitsNamed === all) return product;
    const described = bitsOf(catalogue.products[at]?.searchDescription ?? "");
    return (bitsNamed | described) === all ? { ...product, rank: 2 } : [];
  });
  const counties = catalogue.countiesByName.map((id): MatchedPlace => {
    const place = countyPlace(countyRecord(catalogue, id));
    return { place, bits: bitsOf(withJoined(searchKey(place.name))) };
  });
  const bitsOfCounties = new Map(counties.map(({ place, bits }) => [place.conditions.countyId, bits]));
  const markets = catalogue.marketsByName.map((code): MatchedPlace => {
    const { record, searchNames } = catalogue.markets[code] as MarketEntry;
    const ofCounty = bitsOfCounties.get(record.countyId) ?? 0;
    return { place: marketPlace(record), bits: bitsOf(withJoined(searchNames)) | ofCounty };
  });
  const places = [...counties, ...markets];
  const namesPlace = ({ bits }: MatchedPlace): boolean =>
    words.some((word, at) => bits & (1 << at) && !wordsOfMarkets.includes(word));
  yield rowsPerName * words.length * places.length;
  const results: SearchResults = {
    ...nothing,
    counties: catalogue.countiesByName.filter((id) => bitsOfCounties.get(id) === all),
    products: yield* inOrder(store, withAll),
    named,
    productsAtPlaces: yield* joinWithPlaces(store, named, places.filter(namesPlace), all),
    markets: catalogue.marketsByName.filter((_, at) => markets[at]!.bits === all),
  };
  const bitsFound = places.reduce((found, { bits }) => found | bits, bitsNamed);
  return { results, bitsFound };
}

/** The best first. */
export function* inOrder(store: Store, products: readonly RankedProduct[]): Generator<number, ProductCode[]> {
  return bestFirst(yield* withNewest(store, products)).map(({ product }) => product);
}

/** Finds a word of a query at the beginning of a word of a `searchKey`. */
function beginningOf(word: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}\\u2044])${word}`, "u");
}

/** The lines of a `searchKey`, and each of them as one word. */
function withJoined(key: string): string {
  return `${key}\n${key.replace(/[^\p{L}\p{N}\u2044\n]+/gu, "")}`;
}

/** What a product is: the noun of its name, and the first word of that in Swahili, where nouns come first. */
function headsOf({ record, names }: ProductEntry): string[] {
  return [searchKey(nounOf(record.name)), ...(names[1]?.words.slice(0, 1) ?? [])];
}

/** Each product with each place that has the rest of the words. */
function* joinWithPlaces(
  store: Store,
  products: readonly MatchedProduct[],
  places: readonly MatchedPlace[],
  all: number,
): Generator<number, FoundProduct[]> {
  const pairs: RankedProduct[] = [];
  for (const { product, bits, rank } of products) {
    // A product that has all words needs no place: its own page has them.
    if (bits === all) continue;
    const withRest = places.filter(({ bits: ofPlace }) => (bits | ofPlace) === all);
    const county = withRest.find(({ place }) => place.kind === "county")?.place;
    for (const { place } of withRest.slice(0, pairsMax - pairs.length)) pairs.push({ product, place, rank, county });
  }
  const judged = yield* withNewest(store, pairs);
  const sold = judged.filter(({ outside, inCamps }) => (outside ?? inCamps) !== undefined);
  if (sold.length > 0) return bestFirst(sold);
  const paired = new Set(pairs.map(({ product }) => product));
  const candidates = products.filter(({ product }) => paired.has(product));
  const [best] = yield* inOrder(store, candidates);
  return pairs.filter(({ product }) => product === best).slice(0, 1);
}

/** With the newest months of its prices at the place. */
interface JudgedProduct extends RankedProduct {
  readonly outside: NewestMonth | undefined;
  readonly inCamps: NewestMonth | undefined;
}

function* withNewest(store: Store, found: readonly RankedProduct[]): Generator<number, JudgedProduct[]> {
  const { runOffsets } = store.runs;
  const steps = new StepCounter(stepRows);
  const judged: JudgedProduct[] = [];
  for (const one of found) {
    const { product, place } = one;
    const newestIn = (refugeeCamps: MarketConditions["refugeeCamps"]): NewestMonth | undefined =>
      newestMonthAt(store, product, { ...place.conditions, refugeeCamps });
    judged.push({ ...one, outside: newestIn("exclude"), inCamps: newestIn("only") });
    const markets = place.kind === "market" ? 1 : runOffsets[product + 1]! - runOffsets[product]!;
    const step = steps.add(rowsPerPair + rowsPerMarket * markets);
    if (step > 0) yield step;
  }
  return judged;
}

/** The order of results, see `searchCatalogue`; those of which nothing tells them apart in their own. */
function bestFirst(found: readonly JudgedProduct[]): JudgedProduct[] {
  const compare = (a = -Infinity, b = -Infinity): number => (a === b ? 0 : b - a);
  return found.toSorted(
    (a, b) =>
      a.rank - b.rank ||
      compare(a.outside?.month, b.outside?.month) ||
      compare(a.outside?.markets, b.outside?.markets) ||
      compare(a.inCamps?.month, b.inCamps?.month),
  );
}
