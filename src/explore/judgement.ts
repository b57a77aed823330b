/**
 * How unusual prices are, as sentences and as columns of a table: the measures of `/prices/anomalies`, which compare
 * like with like. What cannot be computed in the newest month is said of the newest month that has it.
 */
import { type Day, dayText } from "../domain/calendar-day.ts";
import { monthText } from "../domain/calendar-month.ts";
import type { Uuid } from "../domain/ids.ts";
import { roundSigned } from "../domain/round-figure.ts";
import { type MarketType, marketTypes } from "../domain/vocabulary.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { JudgedSubject, MeasureOfMonth } from "../query/measures/find-judged.ts";
import {
  type Alps,
  isComputed,
  type MonthMeasures,
  type NotComputable,
  usualYears,
} from "../query/measures/judge-month.ts";
import type { MarketConditions } from "../query/questions.ts";
import type { Store } from "../store/store.ts";
import { columnKinds, type DataColumn, roundedOrNull, shownIf } from "./data-table.ts";
import type { TypeFigures } from "./monthly-figures.ts";
import type { Place } from "./place.ts";
import type { ApiRequest, PageRequest } from "./request.ts";
import type { WordKey, Words } from "./words.ts";

/** What entries of `/prices/anomalies` are asked for. */
interface AnomalyScope extends MarketConditions {
  readonly level: Place["kind"];
  readonly productUuid?: Uuid | undefined;
  readonly recordedSince?: Day | undefined;
}

/**
 * The requests that give judgements: one of the newest months, and one of each other month that something is said of.
 *
 * @param shown The measures that are shown.
 */
export function anomalyRequests(
  { level, productUuid, marketType, marketUuid, countyId, recordedSince }: AnomalyScope,
  judged: readonly JudgedSubject[],
  shown: readonly (keyof MonthMeasures)[],
): ApiRequest[] {
  const parameters = Object.entries({
    product_uuid: productUuid,
    level,
    market_type: marketType,
    market_uuid: marketUuid,
    county_id: countyId,
    recorded_since: recordedSince && dayText(recordedSince),
    page_size: 1000,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const path = `/api/v1/prices/anomalies?${parameters.join("&")}`;
  const months = judged.flatMap((subject) =>
    shown.flatMap((name) => {
      const month = subject[name]?.month ?? subject.newest.month;
      return month === subject.newest.month ? [] : monthText(month);
    }),
  );
  const others = [...new Set(months)].sort().reverse();
  return [path, ...others.map((month) => `${path}&month=${month}`)].map((each) => ({ path: each }));
}

export function marketTypeOf({ newest }: JudgedSubject): MarketType {
  return marketTypes[newest.marketType] as MarketType;
}

/** Why a measure cannot be computed, in words that end no sentence. */
export function reasonText(words: Words, { measure, reason, found, needed }: NotComputable): string {
  const key: WordKey =
    measure === "seasonality" && reason === "TOO_FEW_YEARS" ? "seasonReason TOO_FEW_YEARS" : `reason ${reason}`;
  // What is missing to 70 % must not be rounded away.
  return words.say(key, { count: Math.floor(found), needed });
}

/** Changes of less percent than this are called none. */
const noChangePercentMax = 0.5;

/** @param percent Without its sign in the text. */
function percentText(words: Words, percent: number): string {
  return words.percent(Math.abs(percent) / 100);
}

/** ` at 7 same markets`; empty where a market is compared with itself. */
function sameMarketsText(words: Words, markets: number | undefined): string {
  return markets === undefined ? "" : ` ${words.say("atSameMarkets", { count: markets })}`;
}

/** What is said of each kind of change. */
const changeKeys = {
  more: { yearBefore: "moreThanYearBefore", earlier: "earlierMore", usual: "usualMore" },
  less: { yearBefore: "lessThanYearBefore", earlier: "earlierLess", usual: "usualLess" },
  same: { yearBefore: "sameAsYearBefore", earlier: "earlierSame", usual: "usualSame" },
} as const;

function keysOf(percent: number): (typeof changeKeys)[keyof typeof changeKeys] {
  if (Math.abs(percent) < noChangePercentMax) return changeKeys.same;
  return percent > 0 ? changeKeys.more : changeKeys.less;
}

/**
 * The change of the newest month on a year before, to go on a sentence with: `, 12% more than a year before at 7 same
 * markets`, or why it cannot be said.
 */
export function yearBeforeClause(words: Words, { newest: { month, measures } }: JudgedSubject): string {
  const { yearBefore } = measures;
  if (isComputed(yearBefore)) {
    const { changePercent, markets } = yearBefore;
    const values = { percent: percentText(words, changePercent), markets: sameMarketsText(words, markets) };
    return words.say(keysOf(changePercent).yearBefore, values);
  }
  if (yearBefore.reason !== "NO_PRICE") return words.say("changeUnknown", { reason: reasonText(words, yearBefore) });
  return words.say("noYearBefore", { month: words.month(monthText(month - 12)) });
}

/** The change of the newest month that has one, where the newest of all has none; undefined without such a month. */
export function earlierChange(words: Words, { newest, yearBefore }: JudgedSubject): string | undefined {
  if (yearBefore === undefined || yearBefore.month === newest.month) return undefined;
  const { changePercent, markets } = yearBefore.measure;
  return words.say(keysOf(changePercent).earlier, {
    month: words.month(monthText(yearBefore.month)),
    percent: percentText(words, changePercent),
    markets: sameMarketsText(words, markets),
  });
}

/** How the newest month compares with what is usual, or why that cannot be said and which earlier month can be. */
export function usualText(store: Store, words: Words, judged: JudgedSubject, figures: TypeFigures): string {
  const { newest, fiveYears } = judged;
  const ofNewest = newest.measures.fiveYears;
  const reason = isComputed(ofNewest) ? "" : words.say("usualUnknown", { reason: reasonText(words, ofNewest) });
  if (fiveYears === undefined) return reason;
  const { percentOfUsual, markets, usualPrice, years } = fiveYears.measure;
  const basis =
    usualPrice === undefined || years === undefined
      ? sameMarketsText(words, markets)
      : words.say("usualOfMarket", {
          years,
          wanted: usualYears,
          price: words.priceOf(inUnit(store, newest.product, usualPrice, figures.unit), figures.currency, figures.unit),
        });
  const values = { percent: percentText(words, percentOfUsual - 100), basis };
  const judgement = words.say(keysOf(percentOfUsual - 100).usual, values);
  if (reason === "") return judgement;
  const month = words.month(monthText(fiveYears.month));
  return `${reason} ${words.say("usualEarlier", { month, judgement })}`;
}

/** A price in the unit of a product's statistics, in another unit of the same base. */
export function inUnit({ catalogue, measures }: Store, product: number, price: number, unit: string): number {
  const factorOf = (name: string | undefined): number => catalogue.units.get(name ?? "")?.conversionFactor ?? 1;
  return (price / factorOf(measures[product]?.unit)) * factorOf(unit);
}

type MeasureOf<Name extends keyof MonthMeasures> = NonNullable<JudgedSubject[Name]>["measure"];

/**
 * The measures of a row, each with its month.
 *
 * @param judgedOf Undefined for a row without a judgement.
 * @param all Where given, the HTML has only measures that some of these have.
 */
export function judgementColumns<Row>(
  request: PageRequest,
  judgedOf: (row: Row) => JudgedSubject | undefined,
  all?: readonly JudgedSubject[],
): Readonly<Record<"change" | "usual" | "alps", DataColumn<Row>[]>> {
  const { words } = request;
  const { csv } = columnKinds<Row>(request);
  const columnsOf = <Name extends keyof MonthMeasures>(
    measureName: Name,
    prefix: string,
    [name, heading]: readonly [name: string, heading: string],
    figureOf: (measure: MeasureOf<Name>) => number,
    write: (measure: MeasureOf<Name>) => string,
  ): DataColumn<Row>[] => {
    const find = (row: Row) => judgedOf(row)?.[measureName] as MeasureOfMonth<MeasureOf<Name>> | undefined;
    const figureOrNull = (row: Row): number | null => {
      const found = find(row);
      return found === undefined ? null : roundSigned(figureOf(found.measure));
    };
    const show = (row: Row): Markup | undefined => {
      const [judged, found] = [judgedOf(row), find(row)];
      return judged && renderMeasure(words, judged, measureName, found && write(found.measure));
    };
    return [
      shownIf(all === undefined || hasMeasure(all, measureName), {
        ...csv(name, figureOrNull),
        ...{ heading, show, kind: "number" },
      }),
      csv(`${prefix}_month`, (row) => {
        const month = find(row)?.month;
        return month === undefined ? null : monthText(month);
      }),
      csv(`${prefix}_markets`, (row) => find(row)?.measure.markets ?? null),
    ];
  };
  const usual = (row: Row) => judgedOf(row)?.fiveYears?.measure;
  const alps = columnsOf(
    "alps",
    "alps",
    ["alps", words.say("alps")],
    ({ value }) => value,
    (measure) => alpsText(words, measure),
  );
  return {
    change: columnsOf(
      "yearBefore",
      "change",
      ["change_percent", words.say("changeOnYear")],
      ({ changePercent }) => changePercent,
      ({ changePercent }) => words.change(changePercent / 100),
    ),
    usual: [
      ...columnsOf(
        "fiveYears",
        "usual",
        ["percent_of_usual", words.say("ofUsual")],
        ({ percentOfUsual }) => percentOfUsual,
        ({ percentOfUsual }) => words.percent(percentOfUsual / 100),
      ),
      csv("usual_years", (row) => usual(row)?.years ?? null),
      csv("usual_price", (row) => roundedOrNull(usual(row)?.usualPrice)),
    ],
    alps: alps.toSpliced(
      1,
      0,
      csv("alps_class", (row) => judgedOf(row)?.alps?.measure.class ?? null),
    ),
  };
}

/** Whether some judgement has a measure. */
export function hasMeasure(judged: readonly JudgedSubject[], name: keyof MonthMeasures): boolean {
  return judged.some((subject) => subject[name] !== undefined);
}

/** `1.2 (alert)` */
function alpsText(words: Words, { value, class: name }: Alps): string {
  return `${value < 0 ? "−" : ""}${words.decimal(Math.abs(value))} (${words.say(`class ${name}`)})`;
}

/** The figure with its month and its markets, or why there is none. */
function renderMeasure(words: Words, judged: JudgedSubject, name: keyof MonthMeasures, text = ""): Markup {
  const found = judged[name];
  const ofNewest = judged.newest.measures[name];
  if (found === undefined) {
    const reason = isComputed<object>(ofNewest) ? "" : reasonText(words, ofNewest);
    return markup`<span class="why">${reason}</span>`;
  }
  const { markets } = found.measure;
  const month = words.month(monthText(found.month));
  const where = markets === undefined ? month : `${month}, ${words.say("marketsShort", { count: markets })}`;
  return markup`<strong>${text}</strong><br><span class="quiet">${where}</span>`;
}
