/** Anomalies as a table: one row an entry, empty cells where a measure cannot be computed. */
import { monthText } from "../model/calendar.ts";
import type { CountyRecord, MarketRecord, ProductRecord } from "../model/records.ts";
import { marketTypes } from "../model/vocabulary.ts";
import { type Anomaly, type AnomalyQuestion, findAnomalies } from "../query/measures/find-anomalies.ts";
import {
  alpsClasses,
  anomalyMethod,
  isComputed,
  type MonthMeasures,
  type NotComputable,
  notComputableReasons,
} from "../query/measures/judge-month.ts";
import { countyRecord, recordAt } from "../store/catalogue.ts";
import { roundFigure, roundSigned } from "../store/figures.ts";
import type { Store } from "../store/store.ts";
import { blocksOf, type Column, type Columns, noUnit, ofRow, withEmptyBlocks } from "./export-table.ts";

/** The rows of a question. Work is done before the first one, with an empty block for each step of it. */
export function* anomalyRows(store: Store, question: AnomalyQuestion): Generator<readonly Anomaly[]> {
  const { entries } = yield* withEmptyBlocks(findAnomalies(store, question));
  yield* blocksOf(entries);
}

const perUnit = "`currency` per `unit`";

export const anomalyTable: Columns<Anomaly> = [
  ofRow("product_uuid", "uuid", "Identifier of the product.", (entry, store) => productOf(entry, store).uuid),
  ofRow("product", "text", "Name of the product.", (entry, store) => productOf(entry, store).name),
  ofRow(
    "market_uuid",
    "uuid?",
    "Identifier of the market, by market only.",
    (entry, store) => marketOf(entry, store)?.uuid ?? null,
  ),
  ofRow(
    "market",
    "text?",
    "Name of the market, by market only.",
    (entry, store) => marketOf(entry, store)?.name ?? null,
  ),
  ofRow("county_id", "integer?", "Number of the county.", ({ countyId }) => countyId ?? null, noUnit),
  ofRow("county", "text?", "Name of the county.", (entry, store) => countyOf(entry, store)?.name ?? null),
  ofRow("market_type", "text", "Type of the market or markets.", (row) => marketTypes[row.marketType]!, marketTypes),
  ofRow("unit", "text", "Unit of the prices.", ({ product }, { statisticsUnits }) => statisticsUnits[product]!.unit),
  ofRow("currency", "text", "Currency of the prices, ISO 4217.", ({ product }, { statisticsUnits }) => {
    return statisticsUnits[product]!.currency;
  }),
  ofRow("month", "text", "The judged month, YYYY-MM.", ({ month }) => monthText(month)),
  ofRow(
    "median_price",
    "number",
    "Median of all prices of the month, rounded to 6 decimals.",
    ({ median }) => roundFigure(median),
    perUnit,
  ),
  ofRow("sample_count", "integer", "How many prices these are.", ({ sampleCount }) => sampleCount, "prices"),
  ...ofMeasure("yearBefore", "year_before", [
    ["price", "Median of the same month a year before, by market only", perUnit, ({ median }) => median],
    ["change_percent", "Change on the same month a year before", "percent", ({ changePercent }) => changePercent],
  ]),
  ...ofMeasure("fiveYears", "five_years", [
    ["usual_price", "Median of the same months of the five years before, by market only", perUnit, (m) => m.usualPrice],
    ["years", "Years that have a value, by market only", "years", ({ years }) => years],
    ["percent_of_usual", "Share of the usual price", "percent", ({ percentOfUsual }) => percentOfUsual],
  ]),
  ...ofMeasure("alps", "alps", [
    ["value", "Residual in standard deviations of all residuals", "standard deviations", ({ value }) => value],
    ["expected_price", "What trend and season make expect, by market only", perUnit, (alps) => alps.expectedPrice],
    ["residual_deviation", "Standard deviation of the residuals, by market only", perUnit, (m) => m.residualDeviation],
    ["months", "Months that the regression is of, by market only", "months", ({ months }) => months],
  ]),
  ofRow(
    "alps_class",
    "text?",
    "Below 0.25 normal, below 1 stress, below 2 alert, else crisis.",
    ({ measures: { alps } }) => (isComputed(alps) ? alps.class : null),
    alpsClasses,
  ),
  ofRow(
    "suspicious_left_out",
    "integer",
    "Suspicious prices up to the month, which no measure uses.",
    ({ suspiciousLeftOut }) => suspiciousLeftOut,
    "prices",
  ),
  ofRow("method", "text", "Version of the method.", () => anomalyMethod),
  ofRow("county_pcode", "text?", "P-code of the county, as humanitarian data has it.", (entry, store) => {
    return countyOf(entry, store)?.pcode ?? null;
  }),
];

function productOf({ product }: Anomaly, { catalogue }: Store): ProductRecord {
  return recordAt(catalogue.products, product);
}

function marketOf({ market }: Anomaly, { catalogue }: Store): MarketRecord | undefined {
  return market === undefined ? undefined : recordAt(catalogue.markets, market);
}

function countyOf({ countyId }: Anomaly, { catalogue }: Store): CountyRecord | undefined {
  return countyId === undefined ? undefined : countyRecord(catalogue, countyId);
}

type MeasureOf<Name extends keyof MonthMeasures> = Exclude<MonthMeasures[Name], NotComputable>;

/** Name, description, unit and figure of a column. */
type FigureColumn<Measure> = readonly [string, string, string, (measure: Measure) => number | undefined];

/**
 * The columns of a measure, empty where it cannot be computed; the last two say how many markets it is of, and why not.
 */
function ofMeasure<Name extends keyof MonthMeasures>(
  name: Name,
  prefix: string,
  figures: readonly FigureColumn<MeasureOf<Name>>[],
): Column<Anomaly>[] {
  const markets: FigureColumn<MeasureOf<Name>> = [
    "markets",
    "Markets that it is the median of, by county and country only",
    "markets",
    (measure) => measure.markets,
  ];
  return [
    ...[...figures, markets].map(([own, description, unit, figureOf]) =>
      ofRow<Anomaly>(
        `${prefix}_${own}`,
        "number?",
        `${description}.`,
        ({ measures }) => {
          const measure = measures[name];
          const figure = isComputed(measure) ? figureOf(measure as MeasureOf<Name>) : undefined;
          return figure === undefined ? null : roundSigned(figure);
        },
        unit,
      ),
    ),
    ofRow(
      `${prefix}_not_computable`,
      "text?",
      "Why the measure cannot be computed.",
      ({ measures: { [name]: measure } }) => (isComputed(measure) ? null : (measure as NotComputable).reason),
      notComputableReasons,
    ),
  ];
}
