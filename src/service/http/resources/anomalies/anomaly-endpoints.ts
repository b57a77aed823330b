/** Anomalies: measures of how unusual prices of a month are; and the usual course of a year. */
import { jsonText } from "../../../../contract/byte-text.ts";
import { type DeclaredEndpoint, endpoint } from "../../../../contract/endpoint.ts";
import { type FieldProblem, validationError, wrongField } from "../../../../contract/errors.ts";
import { whiteMaize } from "../../../../contract/example-values.ts";
import { anomaliesPageSizeMax } from "../../../../contract/limits.ts";
import * as s from "../../../../contract/schema.ts";
import {
  anomalyColumns,
  anomalyRows,
  anomalyTable,
  type Subject,
  subjectColumns,
} from "../../../../engine/export/anomaly-table.ts";
import { monthNumber, monthText } from "../../../../engine/model/calendar.ts";
import { noUnit, optional, type ValueOf } from "../../../../engine/model/json-schema.ts";
import { capitalized } from "../../../../engine/model/snake-case.ts";
import type { MarketType, Population } from "../../../../engine/model/vocabulary.ts";
import {
  type AnomalyQuestion,
  anomalyOrders,
  directions,
  findAnomalies,
} from "../../../../engine/query/measures/find-anomalies.ts";
import { findSeasonality, type SeasonMonth } from "../../../../engine/query/measures/find-seasonality.ts";
import {
  alpsClasses,
  anomalyMethod,
  isComputed,
  marketsMinDefaults,
  marketsMinMax,
  matchedNamedMax,
  measureNames,
  type NotComputable,
  notComputableReasons,
  type PriceChange,
  previousMonthsMax,
} from "../../../../engine/query/measures/judge-month.ts";
import type { Anomaly } from "../../../../engine/query/measures/read-subject.ts";
import { anomalyLevels } from "../../../../engine/query/measures/subjects.ts";
import { pageOf } from "../../../../engine/query/page.ts";
import type { PriceSelection } from "../../../../engine/query/walk-prices.ts";
import { type Catalogue, countyRecord, type MarketCode, recordAt } from "../../../../engine/store/catalogue.ts";
import { roundFigure, roundSigned } from "../../../../engine/store/figures.ts";
import type { Store } from "../../../../engine/store/store.ts";
import { suspiciousRule } from "../../../../engine/store/suspicious-prices.ts";
import { answerText, pageText } from "../../answer/json-text.ts";
import { type JsonText, writeList } from "../../answer/json-writer.ts";
import { presentRecord } from "../../answer/present-record.ts";
import { rowWriter, withValue } from "../../answer/row-writer.ts";
import { exportEndpoints } from "../export-endpoint.ts";
import { conditionProblems, conditionsOf, dayOf, filters, methodFields, requireCode } from "../filters.ts";
import { answerFields, type ColumnObject } from "../table-fields.ts";

const anomalyFields = {
  ...filters.products,
  ...filters.markets,
  ...s.optionalFields({
    market_uuid: s.uuid("Market; with level market only."),
    level: s.choice(
      "AnomalyLevel",
      "What an entry is about: a product at a market, or at all markets of a type in a county or in the country.",
      anomalyLevels,
      { default: "market" },
    ),
    month: s.monthText("Month to judge; the newest month of each entry when absent."),
    class: s.listOf(s.oneOf(alpsClasses, "A class."), "Only entries of these classes."),
    recorded_since: s.day(
      "The newest price of the entry is of this day or a later one. Without it and without month, entries whose " +
        "newest month is more than six months before that of the data are left out.",
    ),
    markets_min: s.integerFrom(
      1,
      "Fewest markets that a county or the country is judged by, in the judged month and of a change in both months. " +
        `${marketsMinDefaults.county} for a county and ${marketsMinDefaults.country} for the country when absent.`,
      "markets",
      marketsMinMax,
    ),
    sort: s.choice("AnomalyOrder", "By names of product and market or county, or by a measure.", anomalyOrders, {
      default: "name",
    }),
    direction: s.choice(
      "Direction",
      "Ascending or descending; when absent, names ascend and measures descend. Entries without it stand last.",
      directions,
    ),
  }),
};

const anomalyQuery = s.exactly({
  ...anomalyFields,
  detail: s.flag(`Names the markets of changes of a county or the country that are of at most ${matchedNamedMax}.`),
  ...s.pageFieldsUpTo(anomaliesPageSizeMax),
});

type AnomalyExportQuery = ValueOf<typeof anomalyExportQuery>;
const anomalyExportQuery = s.exactly(anomalyFields);

type SeasonalityQuery = ValueOf<typeof seasonalityQuery>;
const seasonalityQuery = s.exactly({
  product_uuid: s.uuid("Product."),
  market_type: optional(s.marketTypeText),
  market_uuid: optional(s.uuid("Market; the whole country when neither it nor a county is given.")),
  county_id: optional(s.countyNumber),
  ...filters.population,
});

const monthOf = (description: string) => s.text(`${description}, YYYY-MM.`);

const notComputable = s.object("NotComputable", "A measure that cannot be computed, and why.", {
  measure: s.oneOf(measureNames, "The measure."),
  reason: s.oneOf(notComputableReasons, "Why it cannot be computed."),
  found: s.number("What there is: prices, months, percent of the months, years, markets or deviation.", "by reason"),
  needed: s.number("What would be enough, in the same unit.", "by reason"),
});

/** The objects that an answer has the product, the market and the county in. */
const subjectObjects = {
  product: { name: "ProductOfAnomaly", description: "A product." },
  market: { name: "MarketOfAnomaly", description: "A market.", isNullable: true },
  county: { name: "CountyReference", description: "A county.", isNullable: true },
} as const;

const marketChange = s.object("MarketChange", "The change at a market.", {
  market: s.marketReference,
  change_percent: s.number("Change at the market.", "percent"),
});

/** An entry of an answer, with `detail` or without. */
interface ListedAnomaly extends Anomaly {
  readonly isDetailed: boolean;
}

/** A change on an earlier month, with `detail` the markets that it is of. */
function changeObject(name: "yearBefore" | "previous", description: string, month: string): ColumnObject {
  const changeOf = ({ measures: { [name]: change } }: Anomaly): PriceChange | undefined =>
    isComputed(change) ? change : undefined;
  const monthField = withValue(monthOf(month), {
    cellOf: (entry: Anomaly) => {
      const change = changeOf(entry);
      return change === undefined ? null : monthText(change.month);
    },
    isNullable: true,
  });
  const matched = withValue(
    s.list(
      marketChange,
      `The markets of a change of 1 to ${matchedNamedMax}, by name; of a county or the country. Only with detail.`,
    ),
    {
      cellOf: (entry: ListedAnomaly, { catalogue }: Store) =>
        entry.isDetailed ? presentChanges(catalogue, changeOf(entry)) : null,
      isNullable: true,
    },
  );
  return {
    name: capitalized(name),
    description,
    isNullable: true,
    further: { month: monthField },
    last: { matched: optional(matched) },
  };
}

/** Null where no market is named. */
function presentChanges(catalogue: Catalogue, change: PriceChange | undefined): object[] | null {
  const changes = change?.matched?.changes ?? [];
  if (changes.length === 0) return null;
  const rankOf = (market: number): number => catalogue.marketsByName.indexOf(market as MarketCode);
  return changes
    .toSorted((a, b) => rankOf(a.market) - rankOf(b.market))
    .map(({ market, changePercent }) =>
      presentRecord(marketChange, {
        market: recordAt(catalogue.markets, market),
        changePercent: roundSigned(changePercent),
      }),
    );
}

const anomalyAnswer = s.object("Anomaly", "How unusual a product's price is in a month.", {
  ...answerFields(anomalyColumns, {
    ...subjectObjects,
    year_before: changeObject(
      "yearBefore",
      "The change on the same month a year before; of a county or the country the median over the markets with a " +
        "value in both months.",
      "The same month a year before",
    ),
    previous: changeObject(
      "previous",
      `The change on the newest of the ${previousMonthsMax} months before that at least \`markets_min\` of the ` +
        "markets of the judged month have a value in.",
      "That month",
    ),
    five_years: {
      name: "FiveYears",
      description: "The month beside the same months of the five years before.",
      isNullable: true,
    },
    alps: {
      name: "Alps",
      description: "The Alert for Price Spikes: how far the month is from trend and season.",
      isNullable: true,
      first: ["value", "class"],
    },
  }),
  not_computable: withValue(s.list(notComputable, "The measures that are null, and why."), {
    cellOf: ({ measures: { yearBefore, previous, fiveYears, alps } }: Anomaly) =>
      presentReasons([yearBefore, previous, fiveYears, alps]),
  }),
});

/** The class of those that have none, in `meta`. */
const noClass = "not_computable";

const anomalyMeta = s.object("AnomalyMeta", "Which page of how many, the method, and entries by class.", {
  ...s.paginationFields,
  ...methodFields(anomalyMethod, "the measures are"),
  oldest_month: s.nullable(monthOf("Oldest judged month of the entries in `classes`")),
  newest_month: s.nullable(monthOf("Newest of these months")),
  stale_left_out: s.integer(
    "Entries left out because their newest month is more than six months before that of the data; `month` and " +
      "`recorded_since` ask for them.",
    "entries",
  ),
  classes: s.object("EntriesByClass", "Entries by class, whatever `class` asks for.", {
    ...Object.fromEntries(alpsClasses.map((name) => [name, s.integer(`Entries of class ${name}.`, "entries")])),
    [noClass]: s.integer("Entries whose `alps` cannot be computed.", "entries"),
  }),
});

const seasonMonth = s.object("SeasonMonth", "A calendar month of the usual year.", {
  month: s.integer("Calendar month, 1 to 12.", noUnit),
  index: s.number("Usual price of the month; 100 is the mean of the twelve.", "percent"),
  years: s.integer("Years that it is the median of.", "years"),
  min: s.number("Least of these years.", "percent"),
  max: s.number("Greatest of these years.", "percent"),
});

const seasonAnswer = s.object("Seasonality", "The usual course of a product's price over the year.", {
  ...answerFields<Subject>(subjectColumns, subjectObjects),
  currency: s.nullableText("Currency of the prices, ISO 4217; null for a product without prices."),
  first_month: s.nullable(monthOf("First month with a value")),
  last_month: s.nullable(monthOf("Last month with a value")),
  suspicious_left_out: s.integer("Suspicious prices, which are left out.", "prices"),
  months: s.nullable(s.list(seasonMonth, "The twelve calendar months.")),
  not_computable: s.list(notComputable, "Why `months` is null."),
});

const seasonalityAnswer = s.exactly({
  data: seasonAnswer,
  meta: s.object("SeasonalityMeta", "The method.", methodFields(anomalyMethod, "it is")),
});

const writeAnomaly = rowWriter<ListedAnomaly>(anomalyAnswer);

const description =
  "How unusual the price of a product is in a month: the changes on a year before and on the survey before, the " +
  "share of the usual price of the month, and ALPS, the distance from trend and season. What cannot be computed is " +
  "null, with the reason. Changes of counties and the country are medians over the markets with a value in both " +
  "months; the other measures are of comparable prices, which no change of markets bends; both without camps unless " +
  "`refugee_camps` asks for them. Suspicious prices are left out, and without `month` or `recorded_since` also what " +
  "ends long before the data.";

const exampleQuery = {
  product_uuid: whiteMaize,
  market_type: "Wholesale",
  month: "2017-05",
  sort: "alps",
} as const;

export const anomalyEndpoints: readonly DeclaredEndpoint[] = [
  endpoint({
    path: "/prices/anomalies",
    access: "exports",
    summary: "How unusual prices are for their season, by market, county or country",
    id: "listAnomalies",
    task: "Is a price unusual?",
    description: `${description} See [is it unusual?](/docs/anomalies).`,
    example: { query: { ...exampleQuery, page_size: 2 } },
    query: anomalyQuery,
    check: ({ query }) => anomalyProblems(query),
    answer: s.pageAnswer(anomalyAnswer, "Entries, in the order asked for.", anomalyMeta),
    handle: ({ store, query }, run) => run(listedAnomalies(store, query)),
  }),
  endpoint({
    path: "/prices/seasonality",
    access: "exports",
    summary: "The usual course of a product's price over the year",
    id: "getSeasonality",
    task: "The usual year of a price",
    description:
      "For each calendar month the usual price as a share of the year's: the median ratio to the mean of the " +
      "twelve months around it; of a county or the country that of comparable prices, without refugee camps unless " +
      "`refugee_camps` asks for them. Needs a market or a type of market, because wholesale and retail are different " +
      "prices.",
    example: { query: { product_uuid: whiteMaize, market_type: "Wholesale" } },
    errors: ["NOT_FOUND"],
    query: seasonalityQuery,
    check: ({ query }) => seasonalityProblems(query),
    answer: seasonalityAnswer,
    handle: ({ store, query }, run) => run(seasonality(store, query)),
  }),
  ...exportEndpoints({
    table: "anomalies",
    task: "Unusual prices",
    rowName: "ExportedAnomaly",
    access: "exports",
    summary: "How unusual prices are for their season, all entries that match",
    example: exampleQuery,
    description: "All entries that match, as the list gives them in pages; those that are not of now are left out too.",
    query: anomalyExportQuery,
    check: anomalyProblems,
    columns: anomalyTable,
    rows: (store, query) => anomalyRows(store, anomalyQuestion(query)),
    pricesOf: anomalyQuestion,
  }),
];

function* listedAnomalies(store: Store, query: ValueOf<typeof anomalyQuery>): Generator<number, JsonText> {
  const { page, pageSize } = s.requestedPage(query);
  const question = anomalyQuestion(query);
  const { entries: found, classCounts, months, ...leftOut } = yield* findAnomalies(store, question);
  const { entries, total } = pageOf(found, page, pageSize);
  const classes = Object.fromEntries([...classCounts].map(([name, count]) => [name ?? noClass, count]));
  const meta = pageText(page, pageSize, total, {
    ...methodOf(store, question.refugeeCamps, leftOut.campsLeftOut),
    oldest_month: months === undefined ? null : monthText(months.oldest),
    newest_month: months === undefined ? null : monthText(months.newest),
    stale_left_out: leftOut.staleLeftOut,
    classes,
  });
  const listed = entries.map((entry) => ({ ...entry, isDetailed: query.detail === true }));
  return answerText(writeList(listed, writeAnomaly(store)), meta);
}

/** Returns the problems of a request whose fields are right one by one. */
function anomalyProblems(query: AnomalyExportQuery): FieldProblem[] {
  const { level = "market", market_uuid: market, county_id: county, markets_min: marketsMin } = query;
  const problems = conditionProblems(query);
  if (market !== undefined && level !== "market") {
    problems.push(wrongField("market_uuid", market, "level market", `given with level ${level}`));
  }
  if (county !== undefined && level === "country") {
    problems.push(wrongField("county_id", county, "level market or county", "given with level country"));
  }
  if (marketsMin !== undefined && level === "market") {
    problems.push(wrongField("markets_min", marketsMin, "level county or country", "given with level market"));
  }
  return problems;
}

function anomalyQuestion(query: AnomalyExportQuery): AnomalyQuestion & PriceSelection & { refugeeCamps: Population } {
  const { level = "market" } = query;
  return {
    ...conditionsOf(query),
    level,
    refugeeCamps: query.refugee_camps ?? (level === "market" ? "include" : "exclude"),
    month: query.month === undefined ? undefined : monthNumber(query.month),
    classes: query.class,
    recordedSince: dayOf(query.recorded_since),
    marketsMin: query.markets_min,
    order: query.sort ?? "name",
    direction: query.direction,
  };
}

/** @throws {ApiError} NOT_FOUND, or VALIDATION_ERROR where a market is of another type. */
function* seasonality(store: Store, query: SeasonalityQuery): Generator<number, JsonText> {
  const { catalogue } = store;
  const { market_uuid: uuid, market_type: requestedType } = query;
  const product = requireCode(catalogue.productCodes, "product", query.product_uuid);
  const code = uuid === undefined ? undefined : requireCode(catalogue.marketCodes, "market", uuid);
  const market = code === undefined ? null : recordAt(catalogue.markets, code);
  const marketType = market?.type ?? (requestedType as MarketType);
  if (requestedType !== undefined && requestedType !== marketType) {
    throw validationError([wrongField("market_type", requestedType, `${marketType}, the type of the market`)]);
  }
  const { marketUuid, countyId } = conditionsOf(query);
  const refugeeCamps = query.refugee_camps ?? (market === null ? "exclude" : "include");
  const found = yield* findSeasonality(store, { product, marketUuid, countyId, marketType, refugeeCamps });
  const { months, indexes, campsLeftOut, suspiciousLeftOut } = found;
  const county = market?.countyId ?? countyId;
  const season = presentRecord(seasonAnswer, {
    ...store.statisticsUnits[product],
    product: recordAt(catalogue.products, product),
    market,
    county: county === undefined ? null : countyRecord(catalogue, county),
    marketType,
    firstMonth: months === undefined ? null : monthText(months.first),
    lastMonth: months === undefined ? null : monthText(months.last),
    suspiciousLeftOut,
    months: isComputed(indexes) ? indexes.map(roundSeasonMonth) : null,
    notComputable: presentReasons([indexes]),
  });
  return answerText(jsonText(season), jsonText(methodOf(store, refugeeCamps, campsLeftOut)));
}

function seasonalityProblems(query: SeasonalityQuery): FieldProblem[] {
  const { market_uuid: market, market_type: type, county_id: county } = query;
  if (market !== undefined && county !== undefined) {
    return [wrongField("county_id", county, "at most one of them", "given beside market_uuid")];
  }
  if (market !== undefined || type !== undefined) return [];
  return [wrongField("market_type", null, "it or market_uuid", "missing")];
}

function methodOf({ snapshot }: Store, population: Population, campsLeftOut: number): object {
  return {
    method: anomalyMethod,
    suspicious_rule: suspiciousRule,
    snapshot: snapshot.id,
    refugee_camps: population,
    refugee_camp_series_left_out: campsLeftOut,
  };
}

function presentReasons(measures: readonly (object | NotComputable)[]): object[] {
  return measures
    .filter((measure): measure is NotComputable => !isComputed(measure))
    .map((one) =>
      presentRecord(notComputable, { ...one, found: roundFigure(one.found), needed: roundFigure(one.needed) }),
    );
}

function roundSeasonMonth({ index, min, max, ...others }: SeasonMonth): object {
  return { ...others, index: roundFigure(index), min: roundFigure(min), max: roundFigure(max) };
}
