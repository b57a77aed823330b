/** Comparable prices by month, as a list and as an export: a price line that no change of markets bends. */
import { jsonText } from "../../../../contract/byte-text.ts";
import { type DeclaredEndpoint, endpoint } from "../../../../contract/endpoint.ts";
import { type FieldProblem, validationError, wrongField } from "../../../../contract/errors.ts";
import { whiteMaize } from "../../../../contract/example-values.ts";
import * as s from "../../../../contract/schema.ts";
import { type IndexSelection, indexColumns, indexRows, indexTable } from "../../../../engine/export/index-table.ts";
import { monthNumber } from "../../../../engine/model/calendar.ts";
import { optional, type ValueOf } from "../../../../engine/model/json-schema.ts";
import type { Population } from "../../../../engine/model/vocabulary.ts";
import { findIndex, type IndexMonth, type IndexOptions } from "../../../../engine/query/measures/find-index.ts";
import { comparableMethod } from "../../../../engine/query/measures/fit-comparable.ts";
import { areaLevels } from "../../../../engine/query/measures/subjects.ts";
import { roundFigure } from "../../../../engine/store/figures.ts";
import type { Store } from "../../../../engine/store/store.ts";
import { suspiciousRule } from "../../../../engine/store/suspicious-prices.ts";
import { answerText } from "../../answer/json-text.ts";
import { type JsonText, writeList } from "../../answer/json-writer.ts";
import { presentRecord } from "../../answer/present-record.ts";
import { rowWriter } from "../../answer/row-writer.ts";
import { exportEndpoints } from "../export-endpoint.ts";
import { conditionProblems, conditionsOf, filters, methodFields, requireCode } from "../filters.ts";
import { answerFields } from "../table-fields.ts";
import { notConvertibleError } from "./statistics-endpoints.ts";

const indexFields = {
  county_id: optional(s.meaning(s.countyNumber, "Only the markets of this county; all of the country when absent.")),
  ...s.optionalFields({
    start_month: s.monthText("First month of the answer, inclusive. All months are fitted."),
    end_month: s.monthText("Last month of the answer, inclusive."),
    base: s.monthText("Month whose index is 100; it may lie outside the months of the answer."),
  }),
  ...filters.conversion,
  ...filters.population,
};

type IndexQuery = ValueOf<typeof indexQuery>;
const indexQuery = s.exactly({ product_uuid: s.uuid("Product."), market_type: s.marketTypeText, ...indexFields });

type IndexExportQuery = ValueOf<typeof indexExportQuery>;
const indexExportQuery = s.exactly({
  ...filters.products,
  market_type: optional(s.meaning(s.marketTypeText, "Type of the markets; each type is fitted alone when absent.")),
  level: optional(
    s.choice(
      "IndexLevel",
      "What a fit is of: all markets of a type in the country, or in a county. County where counties are named, " +
        "else country.",
      areaLevels,
    ),
  ),
  county_ids: filters.marketLists.county_ids,
  ...indexFields,
});

type MonthFields = Pick<IndexQuery, "start_month" | "end_month" | "base" | "unit" | "currency" | "refugee_camps">;

const indexMonth = s.object("IndexMonth", "The comparable price of a month.", answerFields(indexColumns, {}));

const { method, suspicious_rule, ...origin } = methodFields(comparableMethod, "the prices are");

const indexMeta = s.object("IndexMeta", "What the prices are of.", {
  method,
  suspicious_rule,
  unit: s.text("Unit of the prices."),
  currency: s.nullableText("Currency of the prices, ISO 4217; null when the product has no prices."),
  market_count: s.integer("Markets of the whole fit, whatever months are asked for.", "markets"),
  residual_deviation_percent: s.nullable(
    s.number(
      "How far values are from the whole fit, typically: 100 × (exp(s) − 1), s the residual deviation of the " +
        "logarithms; null where there are no more values than the fit needs.",
      "percent",
    ),
  ),
  months_without_rate: s.integer("Months left out of the answer for lack of an exchange rate.", "months"),
  ...origin,
});

const indexAnswer = s.exactly({ data: s.list(indexMonth, "Months with a value, oldest first."), meta: indexMeta });

const writeMonth = rowWriter<IndexMonth>(indexMonth);

const guide = "See [comparable prices](/docs/comparable-prices).";

export const indexEndpoint: DeclaredEndpoint = endpoint({
  path: "/prices/index",
  access: "exports",
  summary: "Comparable prices of a product by month, and their index",
  id: "getPriceIndex",
  task: "A price line of comparable markets",
  description:
    "The price of each month as if the same markets had reported it: least squares on an effect of each market and " +
    "of each month (time-product dummy). Markets that come and go do not bend the line, as they bend that of " +
    `medians. Suspicious prices are left out, and refugee camps unless \`refugee_camps\` asks for them. ${guide}`,
  example: {
    query: {
      product_uuid: whiteMaize,
      market_type: "Wholesale",
      start_month: "2020-01",
      base: "2019-01",
    },
  },
  errors: ["NOT_FOUND"],
  query: indexQuery,
  check: ({ query }) => monthProblems(query),
  answer: indexAnswer,
  handle: ({ store, query }, run) => run(answerIndex(store, query)),
});

export const indexExportEndpoints: readonly DeclaredEndpoint[] = exportEndpoints({
  table: "index",
  task: "Comparable prices",
  rowName: "ExportedIndex",
  access: "exports",
  summary: "Comparable prices of one product, of several or of all by month, in the country or in counties",
  example: { product_uuid: whiteMaize, level: "county", start_month: "2020-01", base: "2019-01" },
  description:
    "A fit for each product and type of market, in the country, or in each county (`level=county`, or `county_id` " +
    `or \`county_ids\`, which name some). Where a fit has no value in \`base\`, its \`index\` is empty. ${guide}`,
  query: indexExportQuery,
  check: (query) => [...exportProblems(query), ...monthProblems(query)],
  columns: indexTable,
  rows(store, query) {
    const rows = indexRows(store, selectionOf(query));
    if ("problem" in rows) throw notConvertibleError(query, rows, rows.product);
    return rows;
  },
  pricesOf: selectionOf,
});

/** The months that others can be a percentage of. */
const baseWanted = {
  "no value": "a month in which one of these markets has a value",
  "no rate": "a month that has an exchange rate",
};

/** @throws {ApiError} NOT_FOUND, or VALIDATION_ERROR where the prices cannot be converted or have no base. */
function* answerIndex(store: Store, query: IndexQuery): Generator<number, JsonText> {
  const product = requireCode(store.catalogue.productCodes, "product", query.product_uuid);
  const { countyId } = conditionsOf(query);
  const question = { ...optionsOf(query), product, marketType: query.market_type, countyId };
  const work = findIndex(store, question);
  if ("problem" in work) throw notConvertibleError(query, work, "this product");
  const answer = yield* work;
  const { baseProblem, residualDeviationPercent: deviation, campsLeftOut } = answer;
  if (baseProblem !== undefined) throw validationError([wrongField("base", query.base, baseWanted[baseProblem])]);
  const meta = presentRecord(indexMeta, {
    ...answer,
    method: comparableMethod,
    suspiciousRule,
    residualDeviationPercent: deviation === null ? null : roundFigure(deviation),
    snapshot: store.snapshot.id,
    refugeeCamps: question.refugeeCamps,
    refugeeCampSeriesLeftOut: campsLeftOut,
  });
  return answerText(writeList(answer.months, writeMonth(store)), jsonText(meta));
}

function monthProblems({ start_month: first, end_month: last }: MonthFields): FieldProblem[] {
  if (first === undefined || last === undefined || first <= last) return [];
  return [wrongField("start_month", first, `a month up to end_month, ${last}`)];
}

function exportProblems(query: IndexExportQuery): FieldProblem[] {
  const problems = conditionProblems(query);
  for (const name of ["county_id", "county_ids"] as const) {
    if (query[name] === undefined || query.level !== "country") continue;
    problems.push(wrongField(name, query[name], "level county", "given with level country"));
  }
  return problems;
}

function optionsOf(query: MonthFields): IndexOptions & { readonly refugeeCamps: Population } {
  const { start_month: first, end_month: last, base, unit, currency, refugee_camps: refugeeCamps = "exclude" } = query;
  const monthOf = (text: string | undefined) => (text === undefined ? undefined : monthNumber(text));
  return { monthFirst: monthOf(first), monthLast: monthOf(last), base: monthOf(base), unit, currency, refugeeCamps };
}

function selectionOf(query: IndexExportQuery): IndexSelection {
  const { productUuids, marketType, countyId, countyIds } = conditionsOf(query);
  const hasCounties = countyId !== undefined || countyIds !== undefined;
  const level = query.level ?? (hasCounties ? "county" : "country");
  return { ...optionsOf(query), productUuids, marketType, countyId, countyIds, level };
}
