/** The seasons: the usual course of a year, and the last years as lines. */

import { monthIn, yearOf } from "../../engine/model/calendar.ts";
import { findSeasonality, type SeasonMonth } from "../../engine/query/measures/find-seasonality.ts";
import { fewMarkets } from "../../engine/query/measures/fit-comparable.ts";
import { isComputed, type NotComputable } from "../../engine/query/measures/judge-month.ts";
import { type Chart, renderForWidths } from "../charts/chart-frame.ts";
import { type ComparableMonth, styleOf } from "../charts/comparable-month.ts";
import { renderSeasonalChart, type SeasonalChart } from "../charts/seasonal-chart.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, type MarkupValue, markup } from "../pages/markup.ts";
import type { Words } from "../pages/words.ts";
import type { SectionChart } from "./chart-forms.ts";
import {
  apiGet,
  columnKinds,
  type DataColumn,
  type DataTable,
  indexRequest,
  scopeParameters,
  statisticsRequest,
} from "./data-table.ts";
import type { Section } from "./explorer-page.ts";
import { reasonText } from "./judgement.ts";
import {
  figuresOf,
  type MonthlyLine,
  newestOf,
  priceOf,
  type SeriesFigures,
  type SeriesMonth,
} from "./monthly-series.ts";
import type { PageRequest } from "./request.ts";

/** Years that are drawn before the newest. */
const yearsBefore = 5;

/** A calendar month. */
interface SeasonRow {
  /** Counted from 1. */
  readonly month: number;
  /** Undefined where the usual course of a year cannot be computed. */
  readonly usual: SeasonMonth | undefined;
  /** By year, in the order of `years`; undefined where there is none. */
  readonly ofYears: readonly (SeriesMonth | undefined)[];
}

/** @param footer Stands below, such as links to other types. */
export function* seasonSection(
  request: PageRequest,
  figures: SeriesFigures,
  footer: Markup | undefined,
): Generator<number, Section> {
  const { store, words } = request;
  const { code, product, place, marketType } = figures;
  const line = { ...figures, label: words.type(marketType) };
  const { indexes } = yield* findSeasonality(store, { product: code, ...place.conditions, marketType });
  const usual = isComputed<readonly SeasonMonth[]>(indexes) ? indexes : undefined;
  const current = yearOf(newestOf(line).month);
  const years = Array.from({ length: yearsBefore + 1 }, (_, at) => current - yearsBefore + at);
  const rows = Array.from({ length: 12 }, (_, at): SeasonRow => {
    const ofYears = years.map((year) => figuresOf(line, monthIn(year, at + 1)));
    return { month: at + 1, usual: usual?.[at], ofYears };
  });
  const heading = words.say("seasonHeading", { type: line.label });
  const scope = { productUuid: product.uuid, marketType, ...place.conditions };
  const span = { from: monthIn(current - yearsBefore, 1), to: monthIn(current, 12) };
  const table: DataTable<SeasonRow> = {
    columns: seasonColumns(request, line, years),
    rows,
    requests: [
      apiGet("/prices/seasonality", scopeParameters(scope)),
      place.kind === "market" ? statisticsRequest(line, span) : indexRequest(line, span),
    ],
  };
  const drawn = years
    .map((year, at) => ({ year, months: rows.map(({ ofYears }) => ofYears[at]) }))
    .filter(({ months }) => months.some((month) => month && priceOf(line, month) !== undefined));
  const lastYears = yearsChart(words, line, drawn);
  const usualChart = usual && usualYear(words, heading, line, usual);
  const ofUsual =
    usualChart === undefined
      ? renderParagraph(unknownText(words, indexes as NotComputable), "note")
      : markup`${renderParagraph(words.say("seasonLead"))}${renderForWidths(usualChart.draw)}`;
  const yearsKey = place.kind === "market" ? "seasonYearsLead" : "seasonYearsComparable";
  const yearsLead = drawn.length > 1 && renderParagraph(words.say(yearsKey, { year: String(current) }));
  const content = markup`${ofUsual}${yearsLead}${renderForWidths(lastYears.draw)}`;
  const charts = usualChart === undefined ? [lastYears] : [usualChart, lastYears];
  return { id: "season", heading, content, charts, table, foldsTable: true, footer };
}

/** Says why a usual year cannot be computed. */
function unknownText(words: Words, reason: NotComputable): string {
  return reason.reason === "TOO_FEW_YEARS"
    ? words.say("seasonTooFewYears", { needed: reason.needed })
    : words.say("seasonUnknown", { reason: reasonText(words, reason) });
}

function seasonColumns(request: PageRequest, line: MonthlyLine, years: readonly number[]): DataColumn<SeasonRow>[] {
  const { words } = request;
  const { count, price, csv } = columnKinds<SeasonRow>(request);
  const month = ({ month }: SeasonRow): number => month;
  return [
    { name: "month", heading: words.say("month"), cell: month, show: (row) => words.shortMonth(row.month) },
    price("index", words.say("index"), ({ usual }) => usual?.index),
    price("index_min", words.say("least"), ({ usual }) => usual?.min),
    price("index_max", words.say("greatest"), ({ usual }) => usual?.max),
    count("index_years", words.say("years"), ({ usual }) => usual?.years),
    ...years.flatMap((year, at) => {
      const monthOf = ({ ofYears }: SeasonRow): SeriesMonth | undefined => ofYears[at];
      if (line.place.kind === "market") {
        return [price(`median_${year}`, String(year), (row) => monthOf(row)?.median)];
      }
      const show = (row: SeasonRow): MarkupValue => showComparable(words, monthOf(row)?.comparable);
      return [
        price(`comparable_price_${year}`, String(year), (row) => monthOf(row)?.comparable?.price, show),
        csv(`markets_${year}`, (row) => monthOf(row)?.comparable?.markets ?? null),
      ];
    }),
  ];
}

/** A price and its markets. */
function showComparable(words: Words, comparable: ComparableMonth | undefined): MarkupValue {
  if (comparable === undefined) return "–";
  const markets = words.say("marketsShort", { count: comparable.markets });
  return markup`${words.price(comparable.price)}<br><span class="quiet">${markets}</span>`;
}

/** The usual course of a year. */
function usualYear(
  words: Words,
  heading: string,
  { label }: MonthlyLine,
  indexes: readonly SeasonMonth[],
): SectionChart {
  const readouts = indexes.map(({ index, min, max, years }, at) => {
    const range = words.say("readoutRange", { least: words.decimal(min), greatest: words.decimal(max) });
    const count = words.say("readoutYears", { count: years });
    return [`${words.longMonth(at + 1)}: ${[words.decimal(index), count, range].join(", ")}`];
  });
  const months = indexes.map(({ index, min, max }) => ({ value: index, low: min, high: max }));
  const usual = { label: words.say("seasonIndex"), bandLabel: words.say("bandLabel"), months };
  const shown = { unit: words.say("seasonUnit"), description: label, years: [], usual, readouts, plotHeight: 160 };
  return seasonChart(words, "usual-year", heading, shown);
}

/** A year with its months, January first. */
interface YearOfMonths {
  readonly year: number;
  readonly months: readonly (SeriesMonth | undefined)[];
}

function yearsChart(words: Words, line: MonthlyLine, years: readonly YearOfMonths[]): SectionChart {
  const { label, currency, unit } = line;
  const readouts = Array.from({ length: 12 }, (_, at) => {
    const ofYears = years.flatMap(({ year, months }) => {
      const month = months[at];
      const price = month && priceOf(line, month);
      if (price === undefined) return [];
      const markets = month?.comparable && words.say("marketsShort", { count: month.comparable.markets });
      return [`${year}: ${[words.priceOf(price, currency, unit), markets].filter(Boolean).join(", ")}`];
    });
    return ofYears.length === 0 ? undefined : [words.longMonth(at + 1), ...ofYears.reverse()];
  });
  const drawn = years.map(({ year, months }) => {
    const values = months.map((month) => {
      const value = month && priceOf(line, month);
      return value === undefined ? null : { value, ...styleOf(month?.comparable) };
    });
    return { year, values };
  });
  return seasonChart(words, "years", label, {
    unit: words.currencyPerUnit(currency, unit),
    description: years.map(({ year }) => year).join(", "),
    years: drawn,
    hollowLabel: words.say("hollowLabel", { count: fewMarkets }),
    readouts,
    plotHeight: 220,
  });
}

function seasonChart(
  { language }: Words,
  name: string,
  heading: string,
  shown: Omit<SeasonalChart, "title">,
): SectionChart {
  const title = `${heading}, ${shown.unit}`;
  const draw = (width: number): Chart => renderSeasonalChart({ ...shown, title, width, language });
  return { name, subtitle: title, draw };
}
