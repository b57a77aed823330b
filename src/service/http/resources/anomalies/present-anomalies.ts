/** Measures → the JSON text of the answers about anomalies and seasons. */

import { jsonText } from "../../../../contract/byte-text.ts";
import { monthText } from "../../../../engine/model/calendar.ts";
import { type MarketType, marketTypes } from "../../../../engine/model/vocabulary.ts";
import type { Anomaly, AnomalyAnswer, AnomalySubject } from "../../../../engine/query/measures/find-anomalies.ts";
import type { SeasonalityAnswer } from "../../../../engine/query/measures/find-seasonality.ts";
import { anomalyMethod, isComputed, type NotComputable } from "../../../../engine/query/measures/judge-month.ts";
import { pageOf } from "../../../../engine/query/page.ts";
import { roundFigure, roundSigned } from "../../../../engine/store/figures.ts";
import type { UnitAndCurrency } from "../../../../engine/store/price-conversion.ts";
import type { Store } from "../../../../engine/store/store.ts";
import { answerText, type JsonText, listText, pageText } from "../../answer/json-text.ts";
import { countyReference, marketReference, productReference } from "../references.ts";

/** The class of those that have none, in `meta`. */
export const noClass = "not_computable";

/** A page of entries, with what is said of all of them. */
export function presentAnomalies(
  store: Store,
  { entries: all, classCounts }: AnomalyAnswer,
  page: number,
  pageSize: number,
): JsonText {
  const { entries, total } = pageOf(all, page, pageSize);
  const classes = Object.fromEntries([...classCounts].map(([name, count]) => [name ?? noClass, count]));
  return answerText(
    listText(entries, (entry) => jsonText(presentAnomaly(store, entry))),
    pageText(page, pageSize, total, { ...methodOf(store), classes }),
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
    year_before: ifComputed(yearBefore, (measure) => ({
      month: monthText(measure.month),
      median_price: rounded(measure.median),
      change_percent: rounded(measure.changePercent),
      markets: measure.markets,
    })),
    five_years: ifComputed(fiveYears, (measure) => ({
      usual_price: rounded(measure.usualPrice),
      years: measure.years,
      percent_of_usual: rounded(measure.percentOfUsual),
      markets: measure.markets,
    })),
    alps: ifComputed(alps, (measure) => ({
      value: rounded(measure.value),
      class: measure.class,
      expected_price: rounded(measure.expectedPrice),
      residual_deviation: rounded(measure.residualDeviation),
      months: measure.months,
      markets: measure.markets,
    })),
    suspicious_left_out: suspiciousLeftOut,
    not_computable: presentReasons([yearBefore, fiveYears, alps]),
  };
}

/** The product, and the market or the area that an answer is about. */
type Subject = Pick<AnomalySubject, "product" | "market" | "countyId"> & { readonly marketType: MarketType };

function presentSubject(store: Store, { product, market, countyId, marketType }: Subject): object {
  const { unit, currency } = store.statisticsUnits[product] as UnitAndCurrency;
  return {
    product: productReference(store.catalogue, product),
    market: market === undefined ? null : marketReference(store.catalogue, market),
    county: countyId === undefined ? null : countyReference(store.catalogue, countyId),
    market_type: marketType,
    unit,
    currency,
  };
}

/** Fields that are undefined, as those of one market alone are, are not in the JSON. */
function ifComputed<Measure extends object>(
  measure: Measure | NotComputable,
  present: (measure: Measure) => object,
): object | null {
  return isComputed<Measure>(measure) ? present(measure) : null;
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
  subject: Subject,
  { months, suspiciousLeftOut, indexes }: SeasonalityAnswer,
): JsonText {
  const data = {
    ...presentSubject(store, subject),
    first_month: months === undefined ? null : monthText(months.first),
    last_month: months === undefined ? null : monthText(months.last),
    suspicious_left_out: suspiciousLeftOut,
    months: ifComputed(indexes, (ofMonths) =>
      ofMonths.map(({ month, index, years, min, max }) => ({
        month,
        index: roundFigure(index),
        years,
        min: roundFigure(min),
        max: roundFigure(max),
      })),
    ),
    not_computable: presentReasons([indexes]),
  };
  return answerText(jsonText(data), jsonText(methodOf(store)));
}
