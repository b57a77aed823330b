/** Requests to the API that give the figures of a table, so that a program can have what a reader sees. */

import { type Day, dayText, firstDayOf, lastDayOf, monthText } from "../../engine/model/calendar.ts";
import type { Uuid } from "../../engine/model/ids.ts";
import { snakeCase } from "../../engine/model/snake-case.ts";
import type { JudgedSubject } from "../../engine/query/measures/find-judged.ts";
import type { MarketConditions } from "../../engine/query/questions.ts";
import type { MonthSpan, SeriesFigures } from "./monthly-lines.ts";
import type { Place } from "./place.ts";

/**
 * A request to the interface, as its manual describes it: a POST where it has a body, of which undefined fields are
 * left out, otherwise a GET.
 */
export interface ApiRequest {
  /** With query string. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Values of the parameters of an address; those that are undefined are left out. */
export type QueryParameters = Readonly<Record<string, string | number | undefined>>;

/** The prices that requests are about. */
export interface PriceScope extends MarketConditions {
  readonly productUuid?: Uuid | undefined;
}

/** @param parameters In this order, `pageSize` as `page_size`; undefined ones are left out, and none is escaped. */
export function apiGet(path: string, parameters: QueryParameters = {}): ApiRequest {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = given.map(([name, value]) => `${snakeCase(name)}=${value}`).join("&");
  return { path: `/api/v1${path}${query === "" ? "" : "?"}${query}` };
}

/** The request that gives the figures of a series. */
export function statisticsRequest(
  { product, marketType, place, unit, currency, isConverted }: SeriesFigures,
  { from, to }: MonthSpan,
): ApiRequest {
  return {
    path: "/api/v1/prices/statistics",
    body: {
      product_uuid: product.uuid,
      start_date: dayText(firstDayOf(from)),
      end_date: dayText(lastDayOf(to)),
      county_id: place.conditions.countyId,
      market_uuid: place.conditions.marketUuid,
      market_type: marketType,
      suspicious: false,
      group_by: "month",
      unit,
      currency: isConverted ? currency : undefined,
    },
  };
}

/** The requested entries of `/prices/anomalies`. */
interface AnomalyScope extends PriceScope {
  readonly level: Place["kind"];
  readonly recordedSince?: Day | undefined;
}

/** The requests that give judgements: one of the newest months, and one of each other month that a measure is of. */
export function anomalyRequests(
  { level, recordedSince, ...scope }: AnomalyScope,
  judged: readonly JudgedSubject[] = [],
): ApiRequest[] {
  const { productUuid, ...ofMarkets } = scope;
  const since = recordedSince && dayText(recordedSince);
  const parameters = { productUuid, level, ...ofMarkets, recordedSince: since, pageSize: 1000 };
  const months = judged.flatMap(({ newest, yearBefore, fiveYears, alps }) =>
    [yearBefore, fiveYears, alps].flatMap((found) =>
      found === undefined || found.month === newest.month ? [] : monthText(found.month),
    ),
  );
  const others = [...new Set(months)].sort().reverse();
  return [undefined, ...others].map((month) => apiGet("/prices/anomalies", { ...parameters, month }));
}
