/**
 * Finds what a question about prices is of: product, markets, days, rows and segments, once. What answers the question
 * receives the selection and looks nothing up again.
 */
import type { Uuid } from "../model/ids.ts";
import { type Catalogue, type MarketCode, maskOf, type ProductCode } from "../store/catalogue.ts";
import { lowerBound, type PriceColumns, type Range } from "../store/columns.ts";
import { dayCodesOf } from "../store/periods.ts";
import {
  allTypes,
  isSelected,
  type MarketRange,
  marketsOfCounty,
  type RowTest,
  runsAt,
  type Segments,
  selectSegments,
  typeCodeOf,
  withTest,
} from "../store/runs.ts";
import type { Store } from "../store/store.ts";
import { isSuspicious } from "../store/suspicious-prices.ts";
import type { MarketConditions, MarketLists, PriceConditions } from "./questions.ts";

/** The checks of a row that its list does not answer. */
export interface RowCheck {
  /** 1 for each market code that will do, or null when any market will do. */
  readonly marketMask: Uint8Array | null;
  /** Both inclusive; infinite where not requested. */
  readonly priceMin: number;
  readonly priceMax: number;
  readonly rowTest: RowTest | null;
}

/** Returns whether a row passes a check. */
export function isWanted(prices: PriceColumns, check: RowCheck, row: number): boolean {
  const price = prices.prices[row]!;
  return (
    price >= check.priceMin &&
    price <= check.priceMax &&
    (check.marketMask === null || check.marketMask[prices.markets[row]!] === 1) &&
    (check.rowTest === null || check.rowTest(row))
  );
}

export interface Selection {
  /** undefined where no product is requested, or the store has no such product. */
  readonly product: ProductCode | undefined;
  /** Empty where the market or county is unknown. */
  readonly markets: MarketRange;
  /** Day codes. */
  readonly days: Range;
  readonly rowTest: RowTest | null;
  /**
   * True if no price is left out by market (except its type) or price flag, and with a row test all suspicious ones:
   * a rollup can answer, but for the periods of these.
   */
  readonly isUnrestricted: boolean;
  /**
   * The prices of the product at the markets within the days that pass the row test: those of each market newest first.
   * Made at the first call. Cost: that of `selectSegments`; with a row test also a read of each row.
   *
   * @throws {RangeError} without a product.
   */
  readonly segments: () => Generator<number, Segments>;
}

/** Selects what a question is of. Cost: a few binary searches and look-ups; the segments only when they are needed. */
export function select(store: Store, question: PriceConditions & MarketLists): Selection {
  const { catalogue, periods } = store;
  const { productUuid } = question;
  const product = productUuid === undefined ? undefined : catalogue.productCodes.get(productUuid);
  const markets = selectMarkets(catalogue, question);
  const rowTest = rowTestOf(store, question);
  const days = dayCodesOf(periods, question.dayFirst, question.dayLast);
  const isEveryMarket = markets.from === 0 && markets.to === catalogue.markets.length && markets.only === undefined;
  const isOfAll = question.priceFlag === undefined && question.isSuspicious !== true;
  return withSegments(store, { product, markets, days, rowTest, isUnrestricted: isEveryMarket && isOfAll });
}

/** A selection at some of its markets. @param only 1 for each market code that is meant. */
export function selectAt(store: Store, selection: Selection, only: Uint8Array): Selection {
  const { segments: _, ...own } = selection;
  return withSegments(store, { ...own, markets: markedRange(only), isUnrestricted: false });
}

function withSegments(store: Store, selection: Omit<Selection, "segments">): Selection {
  const making: SegmentsMaking = { ...selection, store, made: undefined };
  return { ...selection, segments: () => madeOnce(making) };
}

/** Holds what the segments of a selection are made of, and they themselves as soon as they are made. */
interface SegmentsMaking extends Pick<Selection, "product" | "markets" | "days" | "rowTest"> {
  readonly store: Store;
  made: Segments | undefined;
}

// Not a generator function within `select`: V8 makes a map for each such function that is called, among the long-lived
// objects, and with it all that the function can reach outlives its question.
function* madeOnce(making: SegmentsMaking): Generator<number, Segments> {
  const { store, product, markets, days, rowTest } = making;
  if (product === undefined) throw new RangeError("segments are those of a product, found none");
  making.made ??= yield* withTest(selectSegments(store, product, markets, days), rowTest);
  return making.made;
}

/**
 * The suspicious prices of a selection.
 *
 * @returns Ascending rows: by market, newest first.
 * Cost: a read of each suspicious price of the product.
 */
export function suspiciousRows(
  { catalogue, periods, prices, suspicious: { rows } }: Store,
  { product, markets, days, rowTest }: Pick<Selection, "product" | "markets" | "days" | "rowTest">,
): number[] {
  const found: number[] = [];
  if (product === undefined) return found;
  const first = lowerBound(rows, null, prices.productOffsets[product]!, 0, rows.length);
  const end = lowerBound(rows, null, prices.productOffsets[product + 1]!, first, rows.length);
  for (let at = first; at < end; at++) {
    const row = rows[at]!;
    const day = periods.dayCodes[row]!;
    if (day < days.from || day >= days.to) continue;
    const market = prices.markets[row]!;
    if (market < markets.from || market >= markets.to || !isSelected(catalogue, market, markets)) continue;
    if (rowTest === null || rowTest(row)) found.push(row);
  }
  return found;
}

/** The codes of some products, or of all, ascending: by folded name, then uuid. */
export function selectProducts({ catalogue }: Store, uuids: readonly Uuid[] | undefined): ProductCode[] {
  if (uuids === undefined) return [...catalogue.products.keys()] as ProductCode[];
  const codes = new Set(uuids.map((uuid) => catalogue.productCodes.get(uuid)).filter((code) => code !== undefined));
  return [...codes].sort((a, b) => a - b);
}

/** The markets that meet the conditions. Cost: a few binary searches; with lists also a read of each market. */
export function selectMarkets(catalogue: Catalogue, conditions: MarketConditions & MarketLists): MarketRange {
  const { countyIds, marketUuids } = conditions;
  const range = selectRange(catalogue, conditions);
  if (countyIds === undefined && marketUuids === undefined) return range;
  const counties = new Set<number>(countyIds);
  const listed = new Set(marketUuids?.map((uuid) => catalogue.marketCodes.get(uuid)));
  const only = markMarkets(catalogue, range);
  for (let market = range.from; market < range.to; market++) {
    const isInCounties = countyIds === undefined || counties.has(catalogue.marketCounties[market]!);
    if (!isInCounties || (marketUuids !== undefined && !listed.has(market as MarketCode))) only[market] = 0;
  }
  return markedRange(only);
}

/** The runs of a product at the markets that meet the conditions, ascending. Cost: as `selectMarkets`. */
export function selectRuns(
  { catalogue, runs }: Pick<Store, "catalogue" | "runs">,
  product: number,
  conditions: MarketConditions & MarketLists,
): number[] {
  const markets = selectMarkets(catalogue, conditions);
  const { from, to } = runsAt(runs, product, markets);
  return Array.from({ length: to - from }, (_, at) => from + at).filter((run) =>
    isSelected(catalogue, runs.markets[run]!, markets),
  );
}

/** The markets that are marked. @param only 1 for each market code that is meant. */
export function markedRange(only: Uint8Array): MarketRange {
  return { from: Math.max(0, only.indexOf(1)), to: only.lastIndexOf(1) + 1, type: allTypes, only };
}

/** The markets of a county, and those of a type there, are neighbours: one range. */
function selectRange(catalogue: Catalogue, conditions: MarketConditions): MarketRange {
  const { marketUuid, countyId, marketType, refugeeCamps } = conditions;
  const type = typeCodeOf(marketType);
  const only = maskOf(catalogue, refugeeCamps);
  const all = countyId === undefined ? { from: 0, to: catalogue.markets.length } : marketsOfCounty(catalogue, countyId);
  if (marketUuid !== undefined) {
    const market = catalogue.marketCodes.get(marketUuid) ?? -1;
    const isMet = market >= all.from && market < all.to && isSelected(catalogue, market, { ...all, type, only });
    return { from: isMet ? market : 0, to: isMet ? market + 1 : 0, type: allTypes };
  }
  if (countyId === undefined || type === allTypes) return { ...all, type, only };
  const { marketTypeCodes } = catalogue;
  const from = lowerBound(marketTypeCodes, null, type, all.from, all.to);
  return { from, to: lowerBound(marketTypeCodes, null, type + 1, from, all.to), type: allTypes, only };
}

/** 1 for each market code of a range. Cost: a read of each of them. */
export function markMarkets(catalogue: Catalogue, range: MarketRange): Uint8Array {
  const mask = new Uint8Array(catalogue.markets.length);
  for (let market = range.from; market < range.to; market++)
    mask[market] = Number(isSelected(catalogue, market, range));
  return mask;
}

function rowTestOf(
  { prices, suspicious }: Store,
  { priceFlag, isSuspicious: wanted }: PriceConditions,
): RowTest | null {
  if (priceFlag === undefined && wanted === undefined) return null;
  const flag = priceFlag && prices.flagNames.indexOf(priceFlag);
  return (row) =>
    (flag === undefined || prices.flags[row] === flag) &&
    (wanted === undefined || isSuspicious(suspicious, row) === wanted);
}
