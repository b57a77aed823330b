/**
 * What a question about prices selects: product, markets, days and price flag, found once and passed down. The rows follow
 * when they are needed, because some answers come from rollups or lists alone.
 */
import type { Day } from "../domain/calendar-day.ts";
import type { PriceFlag } from "../domain/vocabulary.ts";
import type { Catalogue, ProductCode } from "../store/catalogue.ts";
import type { PriceSource } from "../store/group-prices.ts";
import { lowerBound, type Range } from "../store/lower-bound.ts";
import { dayCodesOf, narrowToDays } from "../store/periods.ts";
import {
  allTypes,
  isOfType,
  type MarketRange,
  type MarketSegments,
  marketsOfCounty,
  type Segments,
  selectSegments,
  typeCodeOf,
} from "../store/runs.ts";
import { StepCounter } from "../store/step-counter.ts";
import type { Store } from "../store/store.ts";
import { conversionTo, type ProductMeasure } from "../store/unit-conversion.ts";
import type { MarketConditions } from "./questions.ts";

/** Conditions on prices of any product. */
export interface PriceConditions extends MarketConditions {
  readonly dayFirst?: Day | undefined;
  readonly dayLast?: Day | undefined;
  readonly priceFlag?: PriceFlag | undefined;
}

export interface Selection {
  /** Not empty. */
  readonly markets: MarketRange;
  /** Day codes. */
  readonly days: Range;
  /** Code of the price flag, or `anyFlag`. */
  readonly flag: number;
}

/** No code of a flag. */
export const anyFlag = -1;

/**
 * Finds what some conditions select.
 *
 * @returns undefined where no market meets them or no price has the flag. Cost: a few binary searches.
 */
export function select(store: Store, conditions: PriceConditions): Selection | undefined {
  const { catalogue, periods, prices } = store;
  const { dayFirst, dayLast, priceFlag } = conditions;
  const markets = selectMarkets(catalogue, conditions);
  const flag = priceFlag === undefined ? anyFlag : prices.flagNames.indexOf(priceFlag);
  if (markets.from === markets.to || (priceFlag !== undefined && flag === -1)) return undefined;
  return { markets, days: dayCodesOf(periods, dayFirst, dayLast), flag };
}

/** The markets that meet the conditions. Those of a county, and those of a type there, are neighbours: one range. */
export function selectMarkets(
  catalogue: Catalogue,
  { marketUuid, countyId, marketType }: MarketConditions,
): MarketRange {
  const type = typeCodeOf(marketType);
  const all = countyId === undefined ? { from: 0, to: catalogue.markets.length } : marketsOfCounty(catalogue, countyId);
  if (marketUuid !== undefined) {
    const market = catalogue.marketCodes.get(marketUuid) ?? -1;
    const isMet = market >= all.from && market < all.to && isOfType(catalogue, market, type);
    return { from: isMet ? market : 0, to: isMet ? market + 1 : 0, type: allTypes };
  }
  if (countyId === undefined || type === allTypes) return { ...all, type };
  const { marketTypeCodes } = catalogue;
  const from = lowerBound(marketTypeCodes, null, type, all.from, all.to);
  return { from, to: lowerBound(marketTypeCodes, null, type + 1, from, all.to), type: allTypes };
}

/** 1 for each market code of a range. Cost: one look at each of them. */
export function markMarkets(catalogue: Catalogue, { from, to, type }: MarketRange): Uint8Array {
  const mask = new Uint8Array(catalogue.markets.length);
  for (let market = from; market < to; market++) mask[market] = Number(isOfType(catalogue, market, type));
  return mask;
}

/** Rows looked at between two yields. */
const stepRows = 1 << 15;

/** The prices of a product that a question selects, and the unit and currency that they are converted to. */
export class SelectedPrices {
  readonly product: ProductCode;
  readonly selection: Selection;
  readonly #store: Store;
  readonly #measure: ProductMeasure;
  #source: PriceSource | undefined;
  #segments: MarketSegments | undefined;

  constructor(store: Store, product: ProductCode, selection: Selection, measure: ProductMeasure) {
    this.#store = store;
    this.#measure = measure;
    this.product = product;
    this.selection = selection;
  }

  /** Made when it is first needed: what comes from rollups is converted already. */
  get source(): PriceSource {
    const { catalogue, prices } = this.#store;
    this.#source ??= { prices, conversion: conversionTo(catalogue, prices, this.#measure) };
    return this.#source;
  }

  /** The rows by market, of each newest first. Cost: as `within`, once. */
  *segments(): Generator<number, MarketSegments> {
    this.#segments ??= yield* this.within(this.selection.days);
    return this.#segments;
  }

  /**
   * The rows of some of the days, as `segments`.
   *
   * Cost: that of `selectSegments`, and with a flag a look at each row.
   */
  *within(days: Range): Generator<number, MarketSegments> {
    const { markets, flag } = this.selection;
    const segments = selectSegments(this.#store, this.product, markets, days);
    if (flag === anyFlag) return segments;
    const { flags } = this.#store.prices;
    const rows = new Uint32Array(segments.rowCount);
    const found = { rows, markets: [] as number[], from: [] as number[], to: [] as number[], rowCount: 0 };
    const steps = new StepCounter(stepRows);
    for (const [at, market] of segments.markets.entries()) {
      const [from, to] = [segments.from[at]!, segments.to[at]!];
      const start = found.rowCount;
      for (let row = from; row < to; row++) if (flags[row] === flag) rows[found.rowCount++] = row;
      if (found.rowCount > start) {
        found.markets.push(market);
        found.from.push(start);
        found.to.push(found.rowCount);
      }
      const step = steps.add(to - from);
      if (step > 0) yield step;
    }
    return found;
  }

  /** The rows of some of the days at all markets, newest first, as one segment. Cost: two binary searches. */
  byTime(days: Range): Segments {
    const { periods, rowsByProduct } = this.#store;
    const { offsets, rows } = rowsByProduct;
    const ofProduct = { from: offsets[this.product]!, to: offsets[this.product + 1]! };
    const { from, to } = narrowToDays(periods, rows, ofProduct, days);
    return { rows, from: [from], to: [to], rowCount: to - from };
  }
}
