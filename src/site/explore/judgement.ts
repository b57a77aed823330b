/**
 * Judgements as columns of a table: what is judged, with its newest median, and how unusual that is. The measures of
 * `/prices/anomalies` compare like with like. Where the newest month lacks a measure, the newest of the months shortly
 * before it that has the measure takes its place; otherwise a dash, with one note below the table.
 */

import { docsPath } from "../../contract/paths.ts";
import type { Cell } from "../../engine/export/table-columns.ts";
import { type MonthNumber, monthText } from "../../engine/model/calendar.ts";
import {
  describeSubject,
  type JudgedSubject,
  type MeasureOfMonth,
  type SubjectDescription,
} from "../../engine/query/measures/find-judged.ts";
import {
  isComputed,
  type MatchedMarkets,
  type MonthMeasures,
  type NotComputable,
  usualYears,
} from "../../engine/query/measures/judge-month.ts";
import { lastMonthOf, type stateMeasures } from "../../engine/query/state-of-prices.ts";
import { roundSigned } from "../../engine/store/figures.ts";
import type { Store } from "../../engine/store/store.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { Words } from "../pages/words.ts";
import { columnKinds, type DataColumn, type DataTable, fromTablet, roundedOrNull, shownIf } from "./data-table.ts";
import { campText } from "./figures-by-market.ts";
import type { PageRequest, QueryParameters } from "./request.ts";

/** The measures that tables show. */
type ShownMeasure = (typeof stateMeasures)[number];

/** The reason why a measure cannot be computed, in words that end no sentence. */
export function reasonText(words: Words, { reason, needed }: NotComputable): string {
  return words.say(`reason ${reason}`, { needed, count: needed, years: usualYears });
}

/** The text in place of a figure that cannot be computed. */
const dash = "–";

/**
 * The meaning of the dashes in the columns of some measures, with the reason of each; undefined without any.
 *
 * @param names The measures of the columns that the table shows.
 */
export function dashNote(
  words: Words,
  judged: readonly JudgedSubject[],
  names: readonly ShownMeasure[],
): string | undefined {
  const lacking = names.flatMap((name) =>
    judged.flatMap(({ [name]: found, newest: { measures } }) =>
      found !== undefined || isComputed<object>(measures[name]) ? [] : reasonText(words, measures[name]),
    ),
  );
  const reasons = [...new Set(lacking)].join("; ");
  return reasons === "" ? undefined : words.say("notCompared", { reasons });
}

/** Changes of less percent than this are called none. */
const noChangePercentMax = 0.5;

/** The class and the arrow of a change; undefined where it is called none. */
function signOf(percent: number): readonly [className: string, arrow: string] | undefined {
  if (Math.abs(percent) < noChangePercentMax) return undefined;
  return percent > 0 ? ["rise", "▲"] : ["fall", "▼"];
}

/** The texts for a change: less, none, more. */
const changeTexts = {
  change: ["changeLess", "changeSame", "changeMore"],
  yearBefore: ["lessThanYearBefore", "sameAsYearBefore", "moreThanYearBefore"],
  usual: ["usualLess", "usualSame", "usualMore"],
} as const;

/** A change in percent in words. @param values The values of the text beside the percent. */
export function changeText(
  words: Words,
  kind: keyof typeof changeTexts,
  percent: number,
  values: Readonly<Record<string, string>> = {},
): string {
  const key = changeTexts[kind][signOf(percent) === undefined ? 1 : percent > 0 ? 2 : 0];
  return words.say(key, { ...values, percent: words.percent(Math.abs(percent) / 100) });
}

/** A change in percent, in colour and in words: `▲ 12% more`. */
function showChange(words: Words, percent: number): Markup {
  const text = changeText(words, "change", percent);
  const [className, arrow] = signOf(percent) ?? [];
  if (className === undefined) return markup`<strong>${text}</strong>`;
  return markup`<strong class="${className}">${arrow} ${text}</strong>`;
}

/**
 * The change on a year before in a sentence, and its month where it is not that of the price: `▲ 12% more than a year
 * before by the median of 3 markets in both months (March 2026)`. Undefined where it cannot be computed.
 */
export function showYearChange(words: Words, { newest, yearBefore }: JudgedSubject): Markup | undefined {
  if (yearBefore === undefined) return undefined;
  const { changePercent, matched } = yearBefore.measure;
  const than = words.say(signOf(changePercent) === undefined ? "asYearBefore" : "thanYearBefore");
  const month = yearBefore.month === newest.month ? "" : ` (${words.month(yearBefore.month)})`;
  return markup`${showChange(words, changePercent)} ${than}${comparedText(words, matched?.count)}${month}`;
}

/**
 * `, 14% less than a year before by the median of 11 markets in both months`, for the end of a sentence with a
 * price; empty without a change of the month of the price: that of another month would be read as that of the price.
 */
export function yearComparison(words: Words, { newest, yearBefore }: JudgedSubject): string {
  if (yearBefore === undefined || yearBefore.month !== newest.month) return "";
  const { changePercent, matched } = yearBefore.measure;
  return changeText(words, "yearBefore", changePercent, { markets: comparedText(words, matched?.count) });
}

/** The arrow of a change, beside a text that says the same; undefined where there is none. */
export function showArrow(percent: number): Markup | undefined {
  const sign = signOf(percent);
  return sign && markup`<span class="${sign[0]}" aria-hidden="true">${sign[1]}</span> `;
}

/** A price per unit as a price per other unit of the same base. A unit that is not known converts to itself alone. */
export function convertUnit({ catalogue }: Store, price: number, from: string, to: string): number {
  const factorOf = (unit: string): number => catalogue.units.get(unit)?.conversionFactor ?? 1;
  return (price / factorOf(from)) * factorOf(to);
}

type FoundMeasure<Name extends keyof MonthMeasures> = NonNullable<JudgedSubject[Name]>;

/**
 * Some measures of a row, each with its month.
 *
 * @param judgedOf Undefined for a row without a judgement.
 * @param all The HTML has only measures that some of these have; all measures when undefined.
 */
export function judgementColumns<Row>(
  request: PageRequest,
  judgedOf: (row: Row) => JudgedSubject | undefined,
  names: readonly ShownMeasure[],
  all?: readonly JudgedSubject[],
): DataColumn<Row>[] {
  const { words } = request;
  /** @param cells By the name of the column; the HTML has the first alone, as `textOf` writes it. */
  const columnsOf = <Name extends keyof MonthMeasures>(
    name: Name,
    heading: string,
    textOf: (found: FoundMeasure<Name>) => Markup,
    cells: Readonly<Record<string, (found: FoundMeasure<Name>) => Cell | undefined>>,
  ): DataColumn<Row>[] => {
    const isShown = all === undefined || hasMeasure(all, name);
    const show = (row: Row): Markup | undefined => {
      const judged = judgedOf(row);
      return judged && renderMeasure(words, judged, name, textOf);
    };
    return Object.entries(cells).map(([column, cellOf], at) => {
      const cell = (row: Row): Cell => {
        const found = judgedOf(row)?.[name];
        return (found && cellOf(found)) ?? null;
      };
      return shownIf(isShown && at === 0, { name: column, heading, cell, show, kind: "number" });
    });
  };
  const monthOf = ({ month }: MeasureOfMonth<object>): string => monthText(month);
  const marketsOf = ({ measure }: MeasureOfMonth<{ readonly markets?: number }>) => measure.markets;
  const columns: Readonly<Record<ShownMeasure, () => DataColumn<Row>[]>> = {
    yearBefore: () =>
      columnsOf("yearBefore", words.say("changeOnYear"), ({ measure }) => showChange(words, measure.changePercent), {
        change_percent: ({ measure }) => roundSigned(measure.changePercent),
        change_month: monthOf,
        change_matched_markets: ({ measure }) => measure.matched?.count,
      }),
    fiveYears: () =>
      columnsOf(
        "fiveYears",
        words.say("comparedWithUsual"),
        ({ measure }) => showChange(words, measure.percentOfUsual - 100),
        {
          percent_of_usual: ({ measure }) => roundSigned(measure.percentOfUsual),
          usual_month: monthOf,
          usual_markets: marketsOf,
          usual_years: ({ measure }) => measure.years,
          usual_price: ({ measure: { usualPrice } }) => usualPrice && roundSigned(usualPrice),
        },
      ).map((column) => fromTablet(column)),
    alps: () =>
      columnsOf(
        "alps",
        words.say("alertLevel"),
        ({ measure: { class: name } }) => markup`<strong class="class-${name}">${words.say(`class ${name}`)}</strong>`,
        {
          alps: ({ measure }) => roundSigned(measure.value),
          alps_class: ({ measure }) => measure.class,
          alps_month: monthOf,
          alps_markets: marketsOf,
        },
      ).map((column) => fromTablet({ ...column, headingLink: levelsPath })),
  };
  return names.flatMap((name) => columns[name]());
}

/** The content of a table of judged products. */
interface JudgedRows extends Pick<DataTable<JudgedSubject>, "rows" | "requests"> {
  readonly shown: readonly JudgedSubject[];
  /** The HTML has only those that some of the shown rows have. */
  readonly measures: readonly ShownMeasure[];
  /** The parameters of links beside the type of market. */
  readonly parameters?: QueryParameters;
}

/** A table of judged products with their newest medians and some measures. */
export function judgedTable(
  request: PageRequest,
  { rows, shown, requests, measures, parameters }: JudgedRows,
): DataTable<JudgedSubject> {
  return {
    rows,
    shown,
    note: dashNote(request.words, shown, knownMeasures(shown, measures)),
    requests,
    columns: [
      ...subjectColumns<JudgedSubject>(request, (row) => row, parameters),
      ...judgementColumns<JudgedSubject>(request, (row) => row, measures, shown),
    ],
  };
}

/** The measures that some judgement has. */
export function knownMeasures(judged: readonly JudgedSubject[], names: readonly ShownMeasure[]): ShownMeasure[] {
  return names.filter((name) => hasMeasure(judged, name));
}

function hasMeasure(judged: readonly JudgedSubject[], name: keyof MonthMeasures): boolean {
  return judged.some((subject) => subject[name] !== undefined);
}

/** The page that says what alert levels mean. */
const levelsPath = `${docsPath}/anomalies#measures`;

/** The figure with its month and its markets, or a dash. */
function renderMeasure<Name extends keyof MonthMeasures>(
  words: Words,
  judged: JudgedSubject,
  name: Name,
  textOf: (found: FoundMeasure<Name>) => Markup,
): Markup {
  const found = judged[name];
  if (found === undefined) return markup`${dash}`;
  const where = [words.month(found.month), marketsText(words, found.measure)].filter((part) => part !== "").join(", ");
  // A phone shows the month only if it differs from that of the price.
  const isOther = found.month !== judged.newest.month;
  const onPhone = isOther && markup`<span class="quiet to-tablet">${words.month(found.month)}</span>`;
  return markup`${textOf(found)} <br>${onPhone}<span class="quiet from-tablet">${where}</span>`;
}

/** ` by the median of 3 markets in both months`; empty for a market, whose change is that of its own prices. */
function comparedText(words: Words, matchedMarkets: number | undefined): string {
  if (matchedMarkets === undefined) return "";
  return ` ${words.say("byMedianOf", { markets: words.say("inBothMonths", { count: matchedMarkets }) })}`;
}

/** The markets behind a measure, those of a change in both of its months; empty where it is of one market. */
function marketsText(
  words: Words,
  { markets, matched }: { readonly markets?: number; readonly matched?: MatchedMarkets },
): string {
  if (matched !== undefined) return words.say("inBothMonths", { count: matched.count });
  return markets === undefined ? "" : words.say("marketsShort", { count: markets });
}

/**
 * The judged product with its newest median.
 *
 * @param parameters Parameters of links beside the type of market.
 * @param namesOf The names of the markets of a row, if they replace their number.
 */
export function subjectColumns<Row>(
  request: PageRequest,
  judgedOf: (row: Row) => JudgedSubject,
  parameters?: QueryParameters,
  namesOf: (row: Row) => readonly string[] | undefined = () => undefined,
): DataColumn<Row>[] {
  const { store, words } = request;
  const { product, price, csv } = columnKinds<Row>(request);
  const newest = (row: Row): JudgedSubject["newest"] => judgedOf(row).newest;
  const subject = (row: Row): SubjectDescription => describeSubject(store, judgedOf(row));
  const showProduct = (row: Row): Markup => {
    const { product, marketType: type } = subject(row);
    return markup`${request.productLink(product, { ...parameters, type })}<br>
<span class="quiet">${words.type(type)}</span>`;
  };
  const showMedian = (row: Row): Markup => showNewest(request, judgedOf(row), namesOf(row));
  return [
    ...product((row) => subject(row).product, showProduct),
    csv("market_type", (row) => subject(row).marketType),
    price("median_price", words.say("median"), (row) => newest(row).median, showMedian),
    csv("month", (row) => monthText(newest(row).month)),
    csv("sample_count", (row) => newest(row).sampleCount),
    csv("comparable_price", (row) => roundedOrNull(newest(row).area?.comparablePrice)),
    csv("markets", (row) => newest(row).area?.markets ?? null),
    csv("suspicious_left_out", (row) => newest(row).suspiciousLeftOut),
    csv("currency", (row) => subject(row).currency),
    csv("unit", (row) => subject(row).unit),
  ];
}

/**
 * The median of the newest month, with its prices, of a county or the country its markets, the share of camps in the
 * country, the month and its age.
 *
 * @param names Of the markets, in place of their number.
 */
export function showNewest(request: PageRequest, judged: JudgedSubject, names?: readonly string[]): Markup {
  const { store, words } = request;
  const { newest } = judged;
  const { currency, unit } = describeSubject(store, judged);
  const prices = words.say("priceCount", { count: newest.sampleCount });
  const markets =
    names === undefined
      ? newest.area && words.say("marketsShort", { count: newest.area.markets })
      : `${words.say("atPlaces")} ${names.join(", ")}`;
  const camps = campNote(words, judged);
  const behind = markets === undefined ? prices : `${prices}, ${markets}`;
  const month = markup`${showMonth(request, newest.month)}${camps && markup`<br>${camps}`}`;
  return markup`${words.priceOf(newest.median, currency, unit)} <br>
<span class="quiet"><span class="from-tablet">${behind}, </span>${month}</span>`;
}

/** `72% from camps`, of a figure of the country; undefined where that is not more than half. */
export function campNote(words: Words, { newest, campShare }: JudgedSubject): string | undefined {
  const isCountry = newest.area !== undefined && newest.countyId === undefined;
  return isCountry ? campText(words, campShare, "mostlyCampsShort") : undefined;
}

/** Months before the newest price of the data beyond which a page says the distance, and a map has more stripes. */
export const oldMonths = [3, 12] as const;

/** A month, and how long before the newest price of the data it is, where that is more than three months. */
export function showMonth({ store, words }: PageRequest, month: MonthNumber): Markup {
  const age = lastMonthOf(store) - month;
  const old =
    age > oldMonths[0] &&
    markup` <br><span class="quiet from-tablet">${words.say("monthsBefore", { count: age })}</span>`;
  return markup`${words.month(month)}${old}`;
}
