/** The markets behind the figures of a series: how many they are, and the share of refugee camps in a country's. */

import type { MonthNumber } from "../../engine/model/calendar.ts";
import { groupsByMarket } from "../../engine/query/monthly-figures.ts";
import { isCamp } from "../../engine/store/catalogue.ts";
import type { Group } from "../../engine/store/figures.ts";
import type { Store } from "../../engine/store/store.ts";
import type { Words } from "../pages/words.ts";
import { figuresOf, type MonthSpan, type SeriesFigures, type SeriesMonth } from "./monthly-series.ts";

/** A figure of at most this number of markets names them. */
export const namedMarketsMax = 3;

/** A month of a series, with the markets that its figures are from. */
export interface MonthAtMarkets {
  readonly figures: SeriesFigures;
  readonly month: SeriesMonth;
  /** Codes of the markets with prices of the series in the month that are in its figures. */
  readonly markets: readonly number[];
  /** The share of these prices that markets in refugee camps have, 0 to 1. */
  readonly campShare: number;
}

/** @param month One that the series has. */
export function* figuresAtMarkets(
  store: Store,
  figures: SeriesFigures,
  month: MonthNumber,
): Generator<number, MonthAtMarkets> {
  const { product } = figures;
  const found = figuresOf(figures, month);
  if (found === undefined) throw new RangeError(`${product.name}: no prices of month ${month}`);
  const groups = yield* figuresByMarket(store, figures, { from: month, to: month });
  return { figures, month: found, markets: groups.map(({ key }) => key), campShare: campShareOf(store, groups) };
}

/** The figures of a series over some months by market, suspicious prices left out. */
function* figuresByMarket(
  store: Store,
  { product, marketType, place, unit, currency, isConverted }: SeriesFigures,
  span: MonthSpan,
): Generator<number, readonly Group[]> {
  const target = { unit, currency: isConverted ? (currency ?? undefined) : undefined };
  const question = { productUuid: product.uuid, marketType, ...place.conditions, ...target };
  return yield* groupsByMarket(store, question, span);
}

function campShareOf({ catalogue }: Store, groups: readonly Group[]): number {
  let [ofCamps, all] = [0, 0];
  for (const { key, count } of groups) {
    all += count;
    if (isCamp(catalogue, key)) ofCamps += count;
  }
  return all === 0 ? 0 : ofCamps / all;
}

/**
 * The share of the prices of a country's series over some months that markets in refugee camps have, 0 to 1; 0 of other
 * places.
 *
 * Cost: nothing where no camp has the product, otherwise reads each price of the months once.
 */
export function* campShareWithin(store: Store, figures: SeriesFigures, span: MonthSpan): Generator<number, number> {
  const { catalogue, runs } = store;
  if (figures.place.kind !== "country") return 0;
  const [from, to] = [runs.runOffsets[figures.code] as number, runs.runOffsets[figures.code + 1] as number];
  if (!runs.markets.subarray(from, to).some((market) => isCamp(catalogue, market))) return 0;
  return campShareOf(store, yield* figuresByMarket(store, figures, span));
}

/** `72% of these prices are from refugee camps`; undefined where that is not more than half. */
export function campText(words: Words, share: number, key: "mostlyCampsShort" | "mostlyCamps"): string | undefined {
  return share > 0.5 ? words.say(key, { percent: words.percent(share) }) : undefined;
}
