/** The subjects of measures: a product at a market, or at the markets of a type in a county or in the country. */
import type { Day } from "../../model/calendar.ts";
import type { CountyId } from "../../model/ids.ts";
import { marketTypes } from "../../model/vocabulary.ts";
import { maskOf, ranksOf } from "../../store/catalogue.ts";
import { dayCodesOf } from "../../store/periods.ts";
import { allTypes, typeCodeOf } from "../../store/runs.ts";
import type { Store } from "../../store/store.ts";
import type { MarketConditions } from "../questions.ts";
import { selectRuns } from "../select.ts";

export const anomalyLevels = ["market", "county", "country"] as const;
export type AnomalyLevel = (typeof anomalyLevels)[number];

/** Levels of several markets. */
export const areaLevels = ["country", "county"] as const satisfies readonly AnomalyLevel[];
export type AreaLevel = (typeof areaLevels)[number];

/** The product and place that measures are of. */
export interface AnomalySubject {
  readonly product: number;
  /** Market code; undefined for a county and the country. */
  readonly market: number | undefined;
  /** Undefined for the country. */
  readonly countyId: CountyId | undefined;
  /** Position in `marketTypes`. */
  readonly marketType: number;
  /** Day code of its newest price. */
  readonly newestDay: number;
}

/** A subject, and the runs of its product at its markets. */
export interface SubjectRuns {
  readonly subject: AnomalySubject;
  readonly runs: readonly number[];
}

/**
 * The subjects of a product at a level, in the order of entries: each market that has prices of it, by name; or each
 * type of market of each county, by name, or of the country, that has some.
 *
 * @param conditions The markets that runs are of; all markets when absent.
 */
export function subjectsAt(
  store: Store,
  level: AnomalyLevel,
  conditions: MarketConditions = {},
): (product: number) => SubjectRuns[] {
  const { catalogue, runs, periods } = store;
  const { marketCounties, marketTypeCodes, marketsByName, countiesByName } = catalogue;
  const [areasByName, areaOf] = {
    market: [marketsByName, (market: number) => market] as const,
    county: [countiesByName, (market: number) => marketCounties[market]!] as const,
    country: [[0], () => 0] as const,
  }[level];
  const ranks = ranksOf(areasByName);
  const orderOf = (run: number): number => {
    const market = runs.markets[run]!;
    return ranks[areaOf(market)]! * marketTypes.length + marketTypeCodes[market]!;
  };
  return (product) => {
    return [...Map.groupBy(selectRuns(store, product, conditions), orderOf)]
      .sort(([a], [b]) => a - b)
      .map(([, ofArea]) => {
        const first = runs.markets[ofArea[0]!]!;
        const subject = {
          product,
          market: level === "market" ? first : undefined,
          countyId: level === "country" ? undefined : (marketCounties[first]! as CountyId),
          marketType: marketTypeCodes[first]!,
          newestDay: ofArea.reduce((day, run) => Math.min(day, periods.dayCodes[runs.rowOffsets[run]!]!), Infinity),
        };
        return { subject, runs: ofArea };
      });
  };
}

/** Returns whether a subject meets the conditions on markets and days. */
export function conditionOf(
  { catalogue, periods }: Store,
  question: MarketConditions & { readonly recordedSince?: Day | undefined },
): (subject: AnomalySubject) => boolean {
  const { marketUuid, countyId, refugeeCamps, recordedSince } = question;
  const mask = maskOf(catalogue, refugeeCamps);
  const market = marketUuid === undefined ? undefined : (catalogue.marketCodes.get(marketUuid) ?? -1);
  const type = typeCodeOf(question.marketType);
  const dayEnd = dayCodesOf(periods, recordedSince, undefined).to;
  return (subject) =>
    (market === undefined || subject.market === market) &&
    (countyId === undefined || subject.countyId === countyId) &&
    (type === allTypes || subject.marketType === type) &&
    (mask === undefined || subject.market === undefined || mask[subject.market] === 1) &&
    subject.newestDay < dayEnd;
}
