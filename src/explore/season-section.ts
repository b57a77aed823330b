/** The course of a year: the last years as lines, and what is usual. */

import { renderForWidths } from "../charts/chart-frame.ts";
import { renderSeasonalChart } from "../charts/seasonal-chart.ts";
import { firstDayOf, lastDayOf, yearOf } from "../domain/calendar-month.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { columnKinds, type DataColumn, type DataTable } from "./data-table.ts";
import {
  figuresOf,
  newestOf,
  statisticsRequest,
  type UsualFigures,
  usualBefore,
  usualYears,
} from "./monthly-figures.ts";
import type { MonthlyLine } from "./months-section.ts";
import type { Section } from "./page.ts";
import type { PageRequest } from "./request.ts";
import type { Words } from "./words.ts";

/** A month of the year over the years. */
interface SeasonMonth {
  /** Counted from 1. */
  readonly month: number;
  readonly usual: UsualFigures;
  /** Medians by year, in the order of `Season.years`; null where there is none. */
  readonly medians: readonly (number | null)[];
}

interface Season {
  /** Ascending; the last one is that of the newest price. */
  readonly years: readonly number[];
  readonly months: readonly SeasonMonth[];
}

/** The months of the newest year and of the `usualYears` before. */
export function seasonOf({ figures }: Pick<MonthlyLine, "figures">): Season {
  const current = yearOf(newestOf(figures).month);
  const years = Array.from({ length: usualYears + 1 }, (_, at) => current - usualYears + at);
  const months = Array.from({ length: 12 }, (_, at): SeasonMonth => {
    return {
      month: at + 1,
      usual: usualBefore(figures, current * 12 + at),
      medians: years.map((year) => figuresOf(figures, year * 12 + at)?.median ?? null),
    };
  });
  return { years, months };
}

/** @param footer What stands below, such as links to other types. */
export function seasonSection(request: PageRequest, line: MonthlyLine, footer: Markup | undefined): Section {
  const { words } = request;
  const { figures, place, productUuid } = line;
  const season = seasonOf(line);
  const current = season.years.at(-1) as number;
  const days = [firstDayOf((current - usualYears) * 12), lastDayOf(current * 12 + 11)] as const;
  const heading = words.say("seasonHeading", { type: words.type(figures.marketType) });
  const table: DataTable<SeasonMonth> = {
    name: "season",
    title: heading,
    columns: seasonColumns(words, season),
    rows: season.months,
    requests: [statisticsRequest(productUuid, figures, place.conditions, "month", days)],
  };
  const lead = words.say("seasonLead", {
    year: String(current),
    first: String(current - usualYears),
    last: String(current - 1),
  });
  return {
    id: "season",
    heading,
    content: markup`${renderParagraph(lead)}${renderChart(words, heading, line, season)}`,
    table,
    foldsTable: true,
    footer,
  };
}

function seasonColumns(words: Words, { years }: Season): DataColumn<SeasonMonth>[] {
  const { count, price } = columnKinds<SeasonMonth>(words);
  return [
    {
      name: "month",
      heading: words.say("month"),
      cell: ({ month }) => month,
      show: ({ month }) => words.shortMonth(month),
    },
    price("average_of_medians", words.say("average"), ({ usual }) => usual.average),
    price("least_median", words.say("least"), ({ usual }) => usual.least),
    price("greatest_median", words.say("greatest"), ({ usual }) => usual.greatest),
    count("years", words.say("years"), ({ usual }) => usual.years),
    ...years.map((year, at) => price(`median_${year}`, String(year), ({ medians }) => medians[at])),
  ];
}

function renderChart(words: Words, heading: string, { label, figures }: MonthlyLine, season: Season): Markup {
  const unit = words.measure(figures.currency, figures.unit);
  const usual = season.months.map((month) => month.usual);
  const hasUsual = usual.some(({ average }) => average !== undefined);
  const average = { label: words.say("average"), values: usual.map((month) => month.average ?? null) };
  const band = {
    label: words.say("bandLabel"),
    lows: usual.map(({ least }) => least ?? null),
    highs: usual.map(({ greatest }) => greatest ?? null),
  };
  return renderForWidths((width) =>
    renderSeasonalChart({
      title: `${heading}, ${unit}`,
      description: label,
      years: season.years.map((year, at) => ({
        year,
        values: season.months.map(({ medians }) => medians[at] ?? null),
      })),
      ...(hasUsual ? { average, band } : {}),
      earlierLabel: `${season.years[0]}–${season.years.at(-2)}`,
      unit,
      width,
      plotHeight: 220,
      language: words.language,
    }),
  );
}
