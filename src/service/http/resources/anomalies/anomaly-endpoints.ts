/** Anomalies: measures of how unusual prices of a month are; and the usual course of a year. */
import { jsonText } from "../../../../contract/byte-text.ts";
import { type Endpoint, endpoint } from "../../../../contract/endpoint.ts";
import { type FieldProblem, validationError, wrongField } from "../../../../contract/errors.ts";
import { whiteMaize } from "../../../../contract/example-values.ts";
import { anomaliesPageSizeMax } from "../../../../contract/limits.ts";
import * as s from "../../../../contract/schema.ts";
import { anomalyRows, anomalyTable, type Subject, subjectColumns } from "../../../../engine/export/anomaly-table.ts";
import { monthNumber, monthText } from "../../../../engine/model/calendar.ts";
import { noUnit, optional, type Schema, type ValueOf } from "../../../../engine/model/json-schema.ts";
import { type MarketType, marketTypes } from "../../../../engine/model/vocabulary.ts";
import {
  type AnomalyQuestion,
  anomalyOrders,
  directions,
  findAnomalies,
} from "../../../../engine/query/measures/find-anomalies.ts";
import {
  findSeasonality,
  type SeasonalityAnswer,
  type SeasonMonth,
  seasonalityMethod,
} from "../../../../engine/query/measures/find-seasonality.ts";
import {
  alpsClasses,
  anomalyMethod,
  isComputed,
  marketsMinDefaults,
  marketsMinMax,
  type NotComputable,
  notComputableReasons,
} from "../../../../engine/query/measures/judge-month.ts";
import type { Anomaly } from "../../../../engine/query/measures/read-subject.ts";
import { anomalyLevels } from "../../../../engine/query/measures/subjects.ts";
import { pageOf } from "../../../../engine/query/page.ts";
import { recordAt } from "../../../../engine/store/catalogue.ts";
import { roundFigure } from "../../../../engine/store/figures.ts";
import type { Store } from "../../../../engine/store/store.ts";
import { suspiciousRule } from "../../../../engine/store/suspicious-prices.ts";
import { answerText, pageText } from "../../answer/json-text.ts";
import { writeList, writeText } from "../../answer/json-writer.ts";
import { rowWriter, withValue } from "../../answer/row-writer.ts";
import { exportEndpoints } from "../export-endpoint.ts";
import {
  conditionProblems,
  conditionsOf,
  dayOf,
  marketFilter,
  productFilter,
  requireCode,
  suspiciousRuleField,
} from "../filters.ts";
import { answerFields, fieldsOf } from "../table-fields.ts";

const anomalyFields = {
  ...productFilter,
  ...marketFilter,
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
      "Fewest markets that a county or the country is judged by, in the judged month and in the month a year before. " +
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

const anomalyQuery = s.exactly({ ...anomalyFields, ...s.pageFieldsUpTo(anomaliesPageSizeMax) });

type AnomalyExportQuery = ValueOf<typeof anomalyExportQuery>;
const anomalyExportQuery = s.exactly(anomalyFields);

type SeasonalityQuery = ValueOf<typeof seasonalityQuery>;
const seasonalityQuery = s.exactly({
  product_uuid: s.uuid("Product."),
  market_type: optional(s.marketTypeText),
  market_uuid: optional(s.uuid("Market; the whole country when neither it nor a county is given.")),
  county_id: optional(s.countyNumber),
});

const monthOf = (description: string) => s.text(`${description}, YYYY-MM.`);

const notComputable = s.object("NotComputable", "A measure that cannot be computed, and why.", {
  measure: s.oneOf(["year_before", "five_years", "alps", "seasonality"], "The measure."),
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

const anomalyAnswer = s.object("Anomaly", "How unusual a product's price is in a month.", {
  ...answerFields(anomalyTable, {
    ...subjectObjects,
    year_before: {
      name: "YearBefore",
      description: "The change on the same month a year before; of a county or the country that of comparable prices.",
      isNullable: true,
      further: {
        month: withValue(monthOf("The same month a year before"), {
          cellOf: ({ measures: { yearBefore } }: Anomaly) =>
            isComputed(yearBefore) ? monthText(yearBefore.month) : null,
          isNullable: true,
        }),
      },
    },
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
    cellOf: ({ measures: { yearBefore, fiveYears, alps } }: Anomaly) => presentReasons([yearBefore, fiveYears, alps]),
  }),
});

/** The class of those that have none, in `meta`. */
const noClass = "not_computable";

const classCounts = alpsClasses.map((name) => [name, s.integer(`Entries of class ${name}.`, "entries")] as const);

const anomalyMeta = s.object("AnomalyMeta", "Which page of how many, the method, and entries by class.", {
  ...s.paginationFields,
  method: s.oneOf([anomalyMethod], "Version of the method; another method has another name."),
  suspicious_rule: suspiciousRuleField,
  snapshot: s.text("Snapshot that the measures are computed from."),
  oldest_month: s.nullable(monthOf("Oldest judged month of the entries in `classes`")),
  newest_month: s.nullable(monthOf("Newest of these months")),
  stale_left_out: s.integer(
    "Entries left out because their newest month is more than six months before that of the data; `month` and " +
      "`recorded_since` ask for them.",
    "entries",
  ),
  classes: s.object("EntriesByClass", "Entries by class, whatever `class` asks for.", {
    ...Object.fromEntries(classCounts),
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

/** A season, and the product and place that it is of. */
type Season = Subject & SeasonalityAnswer;

const subjectField = fieldsOf(subjectColumns);

const seasonAnswer = s.object("Seasonality", "The usual course of a product's price over the year.", {
  ...answerFields<Subject>(subjectColumns, subjectObjects),
  currency: subjectField(
    "currency",
    s.nullableText("Currency of the prices, ISO 4217; null for a product without prices."),
  ),
  first_month: ofSeason(
    s.nullable(monthOf("First month with a value")),
    ({ months }) => months && monthText(months.first),
  ),
  last_month: ofSeason(
    s.nullable(monthOf("Last month with a value")),
    ({ months }) => months && monthText(months.last),
  ),
  suspicious_left_out: ofSeason(
    s.integer("Suspicious prices, which are left out.", "prices"),
    ({ suspiciousLeftOut }) => suspiciousLeftOut,
  ),
  months: ofSeason(s.nullable(s.list(seasonMonth, "The twelve calendar months.")), ({ indexes }) =>
    isComputed(indexes) ? indexes.map(presentSeasonMonth) : null,
  ),
  not_computable: ofSeason(s.list(notComputable, "Why `months` is null."), ({ indexes }) => presentReasons([indexes])),
});

/** A field of a season; null where there is none. */
function ofSeason(schema: Schema, fieldOf: (season: Season) => unknown): Schema {
  return withValue<Schema, Season>(schema, { cellOf: (season) => fieldOf(season) ?? null });
}

const seasonalityAnswer = s.exactly({
  data: seasonAnswer,
  meta: s.object("SeasonalityMeta", "The method.", {
    method: s.oneOf([seasonalityMethod], "Version of the method."),
    suspicious_rule: suspiciousRuleField,
    snapshot: s.text("Snapshot that it is computed from."),
  }),
});

const writeAnomaly = rowWriter<Anomaly>(anomalyAnswer);
const writeSeason = rowWriter<Season>(seasonAnswer);

const description =
  "How unusual the price of a product is in a month: the change on a year before, the share of the usual price of " +
  "the month, and ALPS, the distance from trend and season. What cannot be computed is null, with the reason. " +
  "Counties and the country are judged by comparable prices, which no change of markets bends. Suspicious prices are " +
  "left out, and without `month` or `recorded_since` also what ends long before the data.";

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
    *handleInSlices({ store, query }) {
      const { page, pageSize } = s.requestedPage(query);
      const { entries: found, classCounts, months, staleLeftOut } = yield* findAnomalies(store, anomalyQuestion(query));
      const { entries, total } = pageOf(found, page, pageSize);
      const classes = Object.fromEntries([...classCounts].map(([name, count]) => [name ?? noClass, count]));
      const meta = pageText(page, pageSize, total, {
        ...methodOf(store, anomalyMethod),
        oldest_month: months === undefined ? null : monthText(months.oldest),
        newest_month: months === undefined ? null : monthText(months.newest),
        stale_left_out: staleLeftOut,
        classes,
      });
      return answerText(writeList(entries, writeAnomaly(store)), meta);
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
    *handleInSlices({ store, query }) {
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
      const found = yield* findSeasonality(store, { product, marketUuid, countyId, marketType });
      const season = {
        ...found,
        product,
        market,
        countyId: ofMarket?.countyId ?? countyId,
        marketType: marketTypes.indexOf(marketType),
      };
      const write = writeSeason(store);
      return answerText(
        writeText((writer) => write(writer, season)),
        jsonText(methodOf(store, seasonalityMethod)),
      );
    },
  }),
  ...exportEndpoints({
    table: "anomalies",
    task: "Unusual prices",
    rowName: "ExportedAnomaly",
    access: "secret",
    summary: "How unusual prices are for their season, all entries that match",
    example: exampleQuery,
    description: "All entries that match, as the list gives them in pages; those that are not of now are left out too.",
    query: anomalyExportQuery,
    check: anomalyProblems,
    columns: anomalyTable,
    rows: (store, query) => anomalyRows(store, anomalyQuestion(query)),
    pricesOf: conditionsOf,
  }),
];

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

function anomalyQuestion(query: AnomalyExportQuery): AnomalyQuestion {
  return {
    ...conditionsOf(query),
    level: query.level ?? "market",
    month: query.month === undefined ? undefined : monthNumber(query.month),
    classes: query.class,
    recordedSince: dayOf(query.recorded_since),
    marketsMin: query.markets_min,
    order: query.sort ?? "name",
    direction: query.direction,
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

function methodOf({ snapshot }: Store, method: string): object {
  return { method, suspicious_rule: suspiciousRule, snapshot: snapshot.id };
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

function presentSeasonMonth({ month, index, years, min, max }: SeasonMonth): object {
  return { month, index: roundFigure(index), years, min: roundFigure(min), max: roundFigure(max) };
}
