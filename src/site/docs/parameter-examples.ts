/**
 * Examples of parameters that the example request of an endpoint does not have, by name. They go together: a generator
 * that fills in all parameters makes a request that is answered, except for fields that exclude each other.
 */

import { whiteMaize } from "../../contract/example-values.ts";

const market = "e5832903-cb0a-540c-a9ce-fed7db5c3099";

export const parameterExamples: Readonly<Record<string, unknown>> = {
  base: "2020-01",
  category: "Cereals and Tubers",
  class: ["normal"],
  county_id: 47,
  county_ids: [47],
  currency: "USD",
  direction: "desc",
  end_date: "2021-12-31",
  end_month: "2020-03",
  level: "market",
  longest_gap_months_max: 12,
  market_type: "Wholesale",
  market_uuid: market,
  market_uuids: [market],
  markets_min: 2,
  max_price: 10_000,
  min_price: 1,
  month: "2021-06",
  months_with_prices_min: 12,
  price_flag: "actual",
  product_uuid: whiteMaize,
  product_uuids: [whiteMaize],
  recorded_since: "2020-01-01",
  search: "maize",
  refugee_camps: "include",
  season: "March",
  start_date: "2020-01-01",
  start_month: "2019-01",
  suspicious: false,
  unit: "kg",
};
