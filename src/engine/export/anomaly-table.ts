/** Anomalies as a table: one row an entry, empty cells where a measure cannot be computed. */

import { monthText } from "../model/calendar.ts";
import { noUnit } from "../model/json-schema.ts";
import type { CountyRecord, MarketRecord } from "../model/records.ts";
import { marketTypes, type Population } from "../model/vocabulary.ts";
import { type AnomalyQuestion, findAnomalies } from "../query/measures/find-anomalies.ts";
import {
  alpsClasses,
  anomalyMethod,
  isComputed,
  type MonthMeasures,
  type NotComputable,
  notComputableReasons,
} from "../query/measures/judge-month.ts";
import type { Anomaly } from "../query/measures/read-subject.ts";
import type { AnomalySubject } from "../query/measures/subjects.ts";
import { countyRecord, recordAt } from "../store/catalogue.ts";
import { roundSigned } from "../store/figures.ts";
import type { Store } from "../store/store.ts";
import { populationColumn, productOf } from "./reference-columns.ts";
import { type AnswerField, blocksOf, type Column, type Columns, ofRow, withEmptyBlocks } from "./table-columns.ts";

/** The rows of a question. Work is done before the first one, with an empty block for each step of it. */
export function* anomalyRows(store: Store, question: AnomalyQuestion): Generator<readonly AnomalyRow[]> {
  const { refugeeCamps = "include" } = question;
  const { entries } = yield* withEmptyBlocks(findAnomalies(store, question));
  for (const block of blocksOf(entries)) yield block.map((entry) => ({ ...entry, refugeeCamps }));
}

/** An entry, and the population that it is of. */
export interface AnomalyRow extends Anomaly {
  readonly refugeeCamps: Population;
}

const perUnit = "`currency` per `unit`";

const byArea = "by county and country only.";

/** The product, and the market or the area, that measures are about. */
export type Subject = Pick<AnomalySubject, "product" | "market" | "countyId" | "marketType">;

/** Columns of the subject, in the answer about a season as well. */
export const subjectColumns: Columns<Subject> = [
  ofRow("product_uuid", "uuid", "Identifier of the product.", ({ product }, store) => productOf(product, store).uuid, {
    answer: { path: "product.uuid" },
  }),
  ofRow("product", "text", "Name of the product.", ({ product }, store) => productOf(product, store).name, {
    answer: { path: "product.name" },
  }),
  ofRow(
    "market_uuid",
    "uuid?",
    "Identifier of the market, by market only.",
    (subject, store) => marketOf(subject, store)?.uuid ?? null,
    { answer: { path: "market.uuid", description: "Identifier of the market." } },
  ),
  ofRow(
    "market",
    "text?",
    "Name of the market, by market only.",
    (subject, store) => marketOf(subject, store)?.name ?? null,
    { answer: { path: "market.name", description: "Name of the market." } },
  ),
  ofRow("county_id", "integer?", "Number of the county.", ({ countyId }) => countyId ?? null, {
    unit: noUnit,
    answer: { path: "county.id", description: "Number of the county, 1 to 47." },
  }),
  ofRow("county", "text?", "Name of the county.", (subject, store) => countyOf(subject, store)?.name ?? null, {
    answer: { path: "county.name" },
  }),
  ofRow("market_type", "text", "Type of the market or markets.", ({ marketType }) => marketTypes[marketType]!, {
    values: marketTypes,
  }),
  ofRow("unit", "text", "Unit of the prices.", ({ product }, { statisticsUnits }) => statisticsUnits[product]!.unit, {
    answer: { description: "Unit of the prices, that of `/prices/statistics`." },
  }),
  ofRow("currency", "text", "Currency of the prices, ISO 4217.", ({ product }, { statisticsUnits }) => {
    return statisticsUnits[product]!.currency;
  }),
];

/** The columns of an entry, in the list as well. */
export const anomalyColumns: Columns<Anomaly> = [
  ...subjectColumns,
  ofRow("month", "text", "The judged month, YYYY-MM.", ({ month }) => monthText(month)),
  ofRow("median_price", "number", "Median of all prices of the month, rounded to 6 decimals.", ({ median }) => median, {
    unit: perUnit,
    isRounded: true,
    answer: { description: "Median of all prices of the month that are not suspicious." },
  }),
  ofRow("sample_count", "integer", "How many prices these are.", ({ sampleCount }) => sampleCount, { unit: "prices" }),
  ...changeFigures("yearBefore", "year_before", "the same month a year before"),
  notComputable("yearBefore", "year_before"),
  ofRow(
    "previous_month",
    "text?",
    "Newest of the six months before in which enough of the markets of the judged month have a value, YYYY-MM.",
    ({ measures: { previous } }) => (isComputed(previous) ? monthText(previous.month) : null),
    { answer: null },
  ),
  ...changeFigures("previous", "previous", "that month"),
  notComputable("previous", "previous"),
  ...ofMeasure("fiveYears", "five_years", [
    {
      name: "usual_price",
      description: "Median of the values of the same month in the five years before.",
      unit: perUnit,
      figureOf: ({ usualPrice }) => usualPrice,
    },
    {
      name: "years",
      description: "Years of the five before that have a value.",
      unit: "years",
      figureOf: ({ years }) => years,
      answer: { type: "integer" },
    },
    {
      name: "percent_of_usual",
      description: "Share of the usual price.",
      unit: "percent",
      figureOf: ({ percentOfUsual }) => percentOfUsual,
      answer: { description: "The month's value as a share of the usual price." },
    },
  ]),
  ...ofMeasure("alps", "alps", [
    {
      name: "value",
      description: "Residual in standard deviations of all residuals.",
      unit: "standard deviations",
      figureOf: ({ value }) => value,
      answer: { description: "Residual of the month in standard deviations of all residuals." },
    },
    {
      name: "expected_price",
      description: "What trend and season make expect.",
      unit: perUnit,
      figureOf: ({ expectedPrice }) => expectedPrice,
    },
    {
      name: "residual_deviation",
      description: "Standard deviation of the residuals.",
      unit: perUnit,
      figureOf: ({ residualDeviation }) => residualDeviation,
    },
    {
      name: "months",
      description: "Months that the regression is of.",
      unit: "months",
      figureOf: ({ months }) => months,
      answer: { type: "integer" },
    },
  ]),
  ofRow(
    "alps_class",
    "text?",
    "Below 0.25 normal, below 1 stress, below 2 alert, else crisis.",
    ({ measures: { alps } }) => (isComputed(alps) ? alps.class : null),
    { values: alpsClasses, answer: { path: "alps.class" } },
  ),
  ofRow(
    "suspicious_left_out",
    "integer",
    "Suspicious prices up to the month, which no measure uses.",
    ({ suspiciousLeftOut }) => suspiciousLeftOut,
    { unit: "prices" },
  ),
  ofRow("method", "text", "Version of the method.", () => anomalyMethod, { answer: null }),
  ofRow(
    "county_pcode",
    "text?",
    "P-code of the county, as humanitarian data has it.",
    (entry, store) => countyOf(entry, store)?.pcode ?? null,
    { answer: null },
  ),
  ofRow(
    "comparable_price",
    "number?",
    `Price of the month at comparable markets (\`comparable-1\`), which measures are of, ${byArea}`,
    ({ area }) => area?.comparablePrice ?? null,
    { unit: perUnit, isRounded: true, answer: { isOptional: true } },
  ),
  ofRow(
    "markets",
    "integer?",
    `Markets with a value in the judged month, ${byArea}`,
    ({ area }) => area?.markets ?? null,
    {
      unit: "markets",
      answer: { isOptional: true },
    },
  ),
  ofRow(
    "component",
    "integer?",
    `Number of the component of comparable prices that the month is in, from 1, ${byArea}`,
    ({ area }) => area?.component ?? null,
    { unit: noUnit, answer: { isOptional: true } },
  ),
  ofRow(
    "refugee_camp_markets",
    "integer?",
    `Those of \`markets\` that are in refugee camps, ${byArea}`,
    ({ area }) => area?.campMarkets ?? null,
    { unit: "markets", answer: { isOptional: true } },
  ),
];

export const anomalyTable: Columns<AnomalyRow> = [
  ...anomalyColumns,
  populationColumn(({ refugeeCamps }) => refugeeCamps),
];

function marketOf({ market }: Subject, { catalogue }: Store): MarketRecord | undefined {
  return market === undefined ? undefined : recordAt(catalogue.markets, market);
}

/** The county of a subject; undefined for the country. */
export function countyOf({ countyId }: Pick<Subject, "countyId">, { catalogue }: Store): CountyRecord | undefined {
  return countyId === undefined ? undefined : countyRecord(catalogue, countyId);
}

type MeasureOf<Name extends keyof MonthMeasures> = Exclude<MonthMeasures[Name], NotComputable>;

/** A figure of a measure as a column; its name and path are those behind the prefix. */
interface FigureColumn<Measure> {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly figureOf: (measure: Measure) => number | undefined;
  readonly answer?: AnswerField;
}

/** The columns of a measure of a series, empty without it; the last two say of how many markets it is, and why not. */
function ofMeasure<Name extends "fiveYears" | "alps">(
  name: Name,
  prefix: string,
  figures: readonly FigureColumn<MeasureOf<Name>>[],
): Column<Anomaly>[] {
  const markets: FigureColumn<MeasureOf<Name>> = {
    name: "markets",
    description: `Markets with a value in the judged month, ${byArea}`,
    unit: "markets",
    figureOf: ({ markets: count }: { readonly markets?: number }) => count,
    answer: { type: "integer", isOptional: true },
  };
  return [...[...figures, markets].map((figure) => ofFigure(name, prefix, figure)), notComputable(name, prefix)];
}

/** Why a measure is empty. Answers have one list of all reasons. */
function notComputable(name: keyof MonthMeasures, prefix: string): Column<Anomaly> {
  return ofRow(
    `${prefix}_not_computable`,
    "text?",
    "Why the measure cannot be computed.",
    ({ measures: { [name]: measure } }) => (isComputed(measure as object) ? null : (measure as NotComputable).reason),
    { values: notComputableReasons, answer: null },
  );
}

/** The change on an earlier month, and the markets that it is of. @param month That month, in words. */
function changeFigures(name: "yearBefore" | "previous", prefix: string, month: string): Column<Anomaly>[] {
  return [
    ofFigure(name, prefix, {
      name: "price",
      description: `Median of ${month}, by market only.`,
      unit: perUnit,
      figureOf: ({ price }) => price,
      answer: { path: "median_price", description: "Its monthly value, for a market only.", isOptional: true },
    }),
    ofFigure(name, prefix, {
      name: "change_percent",
      description: `Change on ${month}; by county and country the median of \`${prefix}_matched_markets\`.`,
      unit: "percent",
      figureOf: ({ changePercent }) => changePercent,
      answer: { description: "Change since then; of a county or the country the median over `matched_markets`." },
    }),
    ofFigure(name, prefix, {
      name: "change_percent_min",
      description: `Least change of the markets with a value in both months, ${byArea}`,
      unit: "percent",
      figureOf: ({ matched }) => matched?.changePercentMin,
      answer: { isOptional: true },
    }),
    ofFigure(name, prefix, {
      name: "change_percent_max",
      description: `Greatest change of these markets, ${byArea}`,
      unit: "percent",
      figureOf: ({ matched }) => matched?.changePercentMax,
      answer: { isOptional: true },
    }),
    ofFigure(name, prefix, {
      name: "matched_markets",
      description: `Markets with a value in both months, ${byArea}`,
      unit: "markets",
      figureOf: ({ matched }) => matched?.count,
      answer: { type: "integer", isOptional: true },
    }),
  ];
}

function ofFigure<Name extends keyof MonthMeasures>(
  name: Name,
  prefix: string,
  { name: own, description, unit, figureOf, answer }: FigureColumn<MeasureOf<Name>>,
): Column<Anomaly> {
  return ofRow<Anomaly>(
    `${prefix}_${own}`,
    "number?",
    description,
    ({ measures }) => {
      const measure = measures[name];
      const figure = isComputed(measure) ? figureOf(measure as MeasureOf<Name>) : undefined;
      return figure === undefined ? null : roundSigned(figure);
    },
    { unit, answer: { ...answer, path: `${prefix}.${answer?.path ?? own}` } },
  );
}
