/** Measures → the JSON text of the answers about anomalies and seasons. */

import { monthText } from "../../../domain/calendar-month.ts";
import type { CountyId } from "../../../domain/ids.ts";
import { roundFigure, roundSigned } from "../../../domain/round-figure.ts";
import { type MarketType, marketTypes } from "../../../domain/vocabulary.ts";
import type { Anomaly, AnomalyAnswer } from "../../../query/measures/find-anomalies.ts";
import type { SeasonalityAnswer, SeasonalityQuestion } from "../../../query/measures/find-seasonality.ts";
import {
  type Alps,
  anomalyMethod,
  type FiveYears,
  isComputed,
  type NotComputable,
  type YearBefore,
} from "../../../query/measures/judge-month.ts";
import { pageBounds } from "../../../query/page.ts";
import { recordAt } from "../../../store/catalogue.ts";
import type { Store } from "../../../store/store.ts";
import type { ProductMeasure } from "../../../store/unit-conversion.ts";
import { jsonText } from "../../answer/byte-text.ts";
import { answerText, type JsonText, listText, pageText } from "../../answer/json-text.ts";
import { countyReference, marketReference, productReference } from "../prices/references.ts";
import { noClass } from "./schemas.ts";

/** A page of entries, with what is said of all of them. */
export function presentAnomalies(
  store: Store,
  { entries, classCounts }: AnomalyAnswer,
  page: number,
  pageSize: number,
): JsonText {
  const { from, to } = pageBounds(entries.length, page, pageSize);
  const classes = Object.fromEntries([...classCounts].map(([name, count]) => [name ?? noClass, count]));
  return answerText(
    listText(entries.slice(from, to), (entry) => jsonText(presentAnomaly(store, entry))),
    pageText(page, pageSize, entries.length, { ...methodOf(store), classes }),
  );
}

function methodOf({ snapshot }: Store): object {
  return { method: anomalyMethod, snapshot: snapshot.id };
}

function presentAnomaly(store: Store, entry: Anomaly): object {
  const { month, median, sampleCount, suspiciousLeftOut, measures } = entry;
  const { yearBefore, fiveYears, alps } = measures;
  return {
    ...presentSubject(store, { ...entry, marketType: marketTypes[entry.marketType] as MarketType }),
    month: monthText(month),
    median_price: roundFigure(median),
    sample_count: sampleCount,
    year_before: isComputed(yearBefore) ? presentYearBefore(yearBefore) : null,
    five_years: isComputed(fiveYears) ? presentFiveYears(fiveYears) : null,
    alps: isComputed(alps) ? presentAlps(alps) : null,
    suspicious_left_out: suspiciousLeftOut,
    not_computable: presentReasons([yearBefore, fiveYears, alps]),
  };
}

/** The product, and the market or the area that an answer is about. */
interface Subject {
  readonly product: number;
  /** Market code. */
  readonly market: number | undefined;
  readonly countyId: CountyId | undefined;
  readonly marketType: MarketType;
}

function presentSubject(store: Store, { product, market, countyId, marketType }: Subject): object {
  const { unit, currency } = store.measures[product] as ProductMeasure;
  return {
    product: productReference(store, product),
    market: market === undefined ? null : marketReference(store, market),
    county: countyId === undefined ? null : countyReference(store, countyId),
    market_type: marketType,
    unit,
    currency,
  };
}

// JSON has no fields that are undefined.

function presentYearBefore({ month, median, changePercent, markets }: YearBefore): object {
  return {
    month: monthText(month),
    median_price: rounded(median),
    change_percent: roundSigned(changePercent),
    markets,
  };
}

function presentFiveYears({ usualPrice, years, percentOfUsual, markets }: FiveYears): object {
  return { usual_price: rounded(usualPrice), years, percent_of_usual: roundFigure(percentOfUsual), markets };
}

function presentAlps({ value, class: name, expectedPrice, residualDeviation, months, markets }: Alps): object {
  return {
    value: roundSigned(value),
    class: name,
    expected_price: rounded(expectedPrice),
    residual_deviation: rounded(residualDeviation),
    months,
    markets,
  };
}

function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : roundSigned(value);
}

function presentReasons(measures: readonly (object | NotComputable)[]): object[] {
  return measures
    .filter((measure): measure is NotComputable => !isComputed(measure))
    .map(({ measure, reason, found, needed }) => ({
      measure,
      reason,
      found: roundFigure(found),
      needed: roundFigure(needed),
    }));
}

/** The usual year of a product at a market, or at the markets of a type. */
export function presentSeasonality(
  store: Store,
  question: SeasonalityQuestion & { readonly marketType: MarketType },
  { months, suspiciousLeftOut, indexes }: SeasonalityAnswer,
): JsonText {
  const { product, countyId, marketType, marketUuid } = question;
  const { catalogue } = store;
  const market = marketUuid === undefined ? undefined : catalogue.marketCodes.get(marketUuid);
  const ofMarket = market === undefined ? countyId : recordAt(catalogue.markets, market).countyId;
  const data = {
    ...presentSubject(store, { product, market, countyId: ofMarket, marketType }),
    first_month: months === undefined ? null : monthText(months.first),
    last_month: months === undefined ? null : monthText(months.last),
    suspicious_left_out: suspiciousLeftOut,
    months: isComputed<readonly object[]>(indexes)
      ? indexes.map(({ month, index, years, min, max }) => ({
          month,
          index: roundFigure(index),
          years,
          min: roundFigure(min),
          max: roundFigure(max),
        }))
      : null,
    not_computable: presentReasons([indexes]),
  };
  return answerText(jsonText(data), jsonText(methodOf(store)));
}
