/** The seasons: the usual course of a year, and the last years as lines. */

import { type Chart, renderForWidths } from "../charts/chart-frame.ts";
import { renderSeasonalChart, type SeasonalChart } from "../charts/seasonal-chart.ts";
import { firstDayOf, lastDayOf, yearOf } from "../domain/calendar-month.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { findSeasonality } from "../query/measures/find-seasonality.ts";
import { isComputed, type NotComputable } from "../query/measures/judge-month.ts";
import type { SeasonMonth } from "../query/measures/seasonality.ts";
import type { ProductCode } from "../store/catalogue.ts";
import { columnKinds, type DataColumn, type DataTable } from "./data-table.ts";
import { reasonText } from "./judgement.ts";
import { figuresOf, type MonthlyLine, newestOf, statisticsRequest } from "./monthly-figures.ts";
import type { Section, SectionChart } from "./page.ts";
import { placeQuery } from "./place.ts";
import type { PageRequest } from "./request.ts";
import type { Words } from "./words.ts";

/** Years that are drawn before the newest. */
const yearsBefore = 5;

/** A calendar month. */
interface SeasonRow {
  /** Counted from 1. */
  readonly month: number;
  /** Undefined where the usual course of a year cannot be computed. */
  readonly usual: SeasonMonth | undefined;
  /** Medians by year, in the order of `years`; null where there is none. */
  readonly medians: readonly (number | null)[];
}

/** @param footer What stands below, such as links to other types. */
export function* seasonSection(
  request: PageRequest,
  line: MonthlyLine,
  product: ProductCode,
  footer: Markup | undefined,
): Generator<number, Section> {
  const { store, words } = request;
  const { figures, place, productUuid } = line;
  const { marketType } = figures;
  const { indexes } = yield* findSeasonality(store, { product, ...place.conditions, marketType });
  const usual = isComputed<readonly SeasonMonth[]>(indexes) ? indexes : undefined;
  const current = yearOf(newestOf(figures).month);
  const years = Array.from({ length: yearsBefore + 1 }, (_, at) => current - yearsBefore + at);
  const rows = Array.from({ length: 12 }, (_, at): SeasonRow => {
    const medians = years.map((year) => figuresOf(figures, year * 12 + at)?.median ?? null);
    return { month: at + 1, usual: usual?.[at], medians };
  });
  const days = [firstDayOf((current - yearsBefore) * 12), lastDayOf(current * 12 + 11)] as const;
  const heading = words.say("seasonHeading", { type: words.type(marketType) });
  const subject = `product_uuid=${productUuid}&market_type=${marketType}${placeQuery(place)}`;
  const table: DataTable<SeasonRow> = {
    columns: seasonColumns(request, years),
    rows,
    requests: [{ path: `/api/v1/prices/seasonality?${subject}` }, statisticsRequest(productUuid, figures, place, days)],
  };
  const drawnYears = years.filter((_, at) => rows.some(({ medians }) => (medians[at] ?? null) !== null));
  const yearsLead = drawnYears.length > 1 && renderParagraph(words.say("seasonYearsLead", { year: String(current) }));
  const usualChart = usual && usualYear(words, heading, line, usual);
  const lastYears = yearsChart(words, line, years, rows);
  const reason = usual === undefined && reasonText(words, indexes as NotComputable);
  const unknown = reason !== false && renderParagraph(words.say("seasonUnknown", { reason }), "note");
  const usualLead = usual && renderParagraph(words.say("seasonLead"));
  const usualDrawn = usualChart && renderForWidths(usualChart.draw);
  const content = markup`${unknown}${usualLead}${usualDrawn}${yearsLead}${renderForWidths(lastYears.draw)}`;
  const charts = usualChart === undefined ? [lastYears] : [usualChart, lastYears];
  return { id: "season", heading, content, charts, table, foldsTable: true, footer };
}

function seasonColumns(request: PageRequest, years: readonly number[]): DataColumn<SeasonRow>[] {
  const { words } = request;
  const { count, price } = columnKinds<SeasonRow>(request);
  return [
    {
      name: "month",
      heading: words.say("month"),
      cell: ({ month }) => month,
      show: ({ month }) => words.shortMonth(month),
    },
    price("index", words.say("index"), ({ usual }) => usual?.index),
    price("index_min", words.say("least"), ({ usual }) => usual?.min),
    price("index_max", words.say("greatest"), ({ usual }) => usual?.max),
    count("index_years", words.say("years"), ({ usual }) => usual?.years),
    ...years.map((year, at) => price(`median_${year}`, String(year), ({ medians }) => medians[at])),
  ];
}

/** The usual course of a year. */
function usualYear(
  words: Words,
  heading: string,
  { label }: MonthlyLine,
  indexes: readonly SeasonMonth[],
): SectionChart {
  const unit = words.say("seasonUnit");
  const readouts = indexes.map(({ index, min, max, years }, at) => {
    const range = words.say("readoutRange", { least: words.decimal(min), greatest: words.decimal(max) });
    const count = words.say("readoutYears", { count: years });
    return [`${words.longMonth(at + 1)}: ${[words.decimal(index), count, range].join(", ")}`];
  });
  const average = { label: words.say("seasonIndex"), values: indexes.map(({ index }) => index) };
  const [lows, highs] = [indexes.map(({ min }) => min), indexes.map(({ max }) => max)];
  const band = { label: words.say("bandLabel"), lows, highs };
  const shown = { description: label, years: [], average, band, readouts, plotHeight: 160 };
  return seasonChart(words, "usual-year", heading, unit, shown);
}

function seasonChart(
  { language }: Words,
  name: string,
  heading: string,
  unit: string,
  shown: Omit<SeasonalChart, "title" | "unit">,
): SectionChart {
  const title = `${heading}, ${unit}`;
  const draw = (width: number): Chart => renderSeasonalChart({ ...shown, title, unit, width, language });
  return { name, subtitle: title, draw };
}

function yearsChart(
  words: Words,
  { label, figures }: MonthlyLine,
  years: readonly number[],
  rows: readonly SeasonRow[],
): SectionChart {
  const unit = words.measure(figures.currency, figures.unit);
  const drawn = years
    .map((year, at) => ({ year, values: rows.map(({ medians }) => medians[at] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null));
  const readouts = rows.map(({ month }) => {
    const ofYears = drawn.flatMap(({ year, values }) => {
      const value = values[month - 1] ?? null;
      return value === null ? [] : [`${year}: ${words.priceOf(value, figures.currency, figures.unit)}`];
    });
    return ofYears.length === 0 ? undefined : [words.longMonth(month), ...ofYears.reverse()];
  });
  const description = drawn.map(({ year }) => year).join(", ");
  return seasonChart(words, "years", label, unit, { description, years: drawn, readouts, plotHeight: 220 });
}
