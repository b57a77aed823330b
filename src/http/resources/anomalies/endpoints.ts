/** Whether prices are unusual: measures of a month, and the usual course of a year. */
import { monthNumber } from "../../../domain/calendar-month.ts";
import type { MarketType } from "../../../domain/vocabulary.ts";
import { anomalyRows, anomalyTable } from "../../../export/anomaly-table.ts";
import { type AnomalyQuestion, findAnomalies } from "../../../query/measures/find-anomalies.ts";
import { findSeasonality } from "../../../query/measures/find-seasonality.ts";
import { andThen, runInSlices } from "../../../query/run-in-slices.ts";
import { recordAt } from "../../../store/catalogue.ts";
import { type Endpoint, endpoint } from "../../endpoint.ts";
import { type FieldProblem, validationError, wrongField } from "../../errors.ts";
import * as s from "../../input/schema.ts";
import { whiteMaize } from "../example-values.ts";
import { exportEndpoints } from "../export-endpoint.ts";
import { conditionProblems, conditionsOf, dayOf, requireCode } from "../filters.ts";
import { presentAnomalies, presentSeasonality } from "./present.ts";
import {
  type AnomalyExportQuery,
  anomalyAnswer,
  anomalyExportQuery,
  anomalyMeta,
  anomalyQuery,
  type SeasonalityQuery,
  seasonalityAnswer,
  seasonalityQuery,
} from "./schemas.ts";

const description =
  "How unusual the price of a product is in a month: the change on a year before, the share of the usual price of " +
  "the month, and ALPS, the distance from trend and season. What cannot be computed is null, with the reason. " +
  "Counties and the country are medians over the same markets. Suspicious prices are left out.";

const exampleQuery = {
  product_uuid: whiteMaize,
  market_type: "Wholesale",
  month: "2017-05",
  sort: "alps",
} as const;

export const anomalyEndpoints: readonly Endpoint[] = [
  endpoint({
    path: "/prices/anomalies",
    access: "secret",
    followsExportAccess: true,
    summary: "How unusual prices are for their season, by market, county or country",
    id: "listAnomalies",
    task: "Is a price unusual?",
    description: `${description} See [is it unusual?](/docs/anomalies).`,
    example: { query: { ...exampleQuery, page_size: 2 } },
    query: anomalyQuery,
    check: ({ query }) => anomalyProblems(query),
    answer: s.pageAnswer(anomalyAnswer, "Entries, in the order asked for.", anomalyMeta),
    handle({ store, query }) {
      const { page, pageSize } = s.pageOf(query);
      const answer = runInSlices(findAnomalies(store, anomalyQuestion(query)));
      return andThen(answer, (found) => presentAnomalies(store, found, page, pageSize));
    },
  }),
  endpoint({
    path: "/prices/seasonality",
    access: "secret",
    followsExportAccess: true,
    summary: "The usual course of a product's price over the year",
    id: "getSeasonality",
    task: "The usual year of a price",
    description:
      "For each calendar month the usual price as a share of the year's: the median ratio to the mean of the " +
      "twelve months around it. Needs a market or a type of market, because wholesale and retail are different prices.",
    example: { query: { product_uuid: whiteMaize, market_type: "Wholesale" } },
    errors: ["NOT_FOUND"],
    query: seasonalityQuery,
    check: ({ query }) => seasonalityProblems(query),
    answer: seasonalityAnswer,
    handle({ store, query }) {
      const { catalogue } = store;
      const { market_uuid: uuid, market_type: given } = query;
      const product = requireCode(catalogue.productCodes, "product", query.product_uuid);
      const market = uuid === undefined ? undefined : requireCode(catalogue.marketCodes, "market", uuid);
      const ofMarket = market === undefined ? undefined : recordAt(catalogue.markets, market);
      const marketType = ofMarket?.type ?? (given as MarketType);
      if (given !== undefined && given !== marketType) {
        throw validationError([wrongField("market_type", given, `${marketType}, the type of the market`)]);
      }
      const { marketUuid, countyId } = conditionsOf(query);
      const subject = { product, market, countyId: ofMarket?.countyId ?? countyId, marketType };
      const answer = runInSlices(findSeasonality(store, { product, marketUuid, countyId, marketType }));
      return andThen(answer, (found) => presentSeasonality(store, subject, found));
    },
  }),
  ...exportEndpoints({
    table: "anomalies",
    task: "Unusual prices",
    rowName: "ExportedAnomaly",
    access: "secret",
    summary: "How unusual prices are for their season, all entries that match",
    example: exampleQuery,
    description: "All entries that match, as the list gives them in pages.",
    query: anomalyExportQuery,
    check: anomalyProblems,
    columns: anomalyTable,
    rows: (store, query) => anomalyRows(store, anomalyQuestion(query)),
    pricesOf: conditionsOf,
  }),
];

/** What is wrong with a request although each field is right. */
function anomalyProblems(query: AnomalyExportQuery): FieldProblem[] {
  const { level = "market", market_uuid: market, county_id: county } = query;
  const problems = conditionProblems(query);
  if (market !== undefined && level !== "market") {
    problems.push(wrongField("market_uuid", market, "level market", `given with level ${level}`));
  }
  if (county !== undefined && level === "country") {
    problems.push(wrongField("county_id", county, "level market or county", "given with level country"));
  }
  return problems;
}

function anomalyQuestion(query: AnomalyExportQuery): AnomalyQuestion {
  return {
    ...conditionsOf(query),
    level: query.level ?? "market",
    month: query.month === undefined ? undefined : monthNumber(query.month),
    classes: query.class,
    recordedSince: dayOf(query.recorded_since),
    order: query.sort ?? "name",
  };
}

function seasonalityProblems(query: SeasonalityQuery): FieldProblem[] {
  const { market_uuid: market, market_type: type, county_id: county } = query;
  if (market !== undefined && county !== undefined) {
    return [wrongField("county_id", county, "at most one of them", "given beside market_uuid")];
  }
  if (market !== undefined || type !== undefined) return [];
  return [wrongField("market_type", null, "it or market_uuid", "missing")];
}
