/** Requests to the interface, as its manual describes them. */
import { type Day, dayText } from "../domain/calendar-day.ts";
import type { Uuid } from "../domain/ids.ts";
import type { MarketType } from "../domain/vocabulary.ts";
import type { MarketConditions } from "../query/questions.ts";

export interface ApiRequest {
  readonly method: "GET" | "POST";
  /** With query string. */
  readonly path: string;
  /** Of a POST. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The request that gives the statistics of a product. Days are inclusive. */
export function statisticsRequest(
  productUuid: Uuid,
  { marketType, unit }: { readonly marketType: MarketType; readonly unit: string },
  { countyId, marketUuid }: MarketConditions,
  grouping: "month" | "county",
  [dayFirst, dayLast]: readonly [Day, Day],
): ApiRequest {
  return {
    method: "POST",
    path: "/api/v1/prices/statistics",
    body: {
      product_uuid: productUuid,
      start_date: dayText(dayFirst),
      end_date: dayText(dayLast),
      ...(countyId === undefined ? {} : { county_id: countyId }),
      ...(marketUuid === undefined ? {} : { market_uuid: marketUuid }),
      market_type: marketType,
      group_by: grouping,
      unit,
    },
  };
}
