/** The seasons: the usual course of a year, and the last years as lines. */

import { renderForWidths } from "../charts/chart-frame.ts";
import { renderSeasonalChart } from "../charts/seasonal-chart.ts";
import { firstDayOf, lastDayOf, yearOf } from "../domain/calendar-month.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { findSeasonality } from "../query/measures/find-seasonality.ts";
import { isComputed, type NotComputable } from "../query/measures/judge-month.ts";
import type { SeasonMonth } from "../query/measures/seasonality.ts";
import type { ProductCode } from "../store/catalogue.ts";
import type { ApiRequest } from "./api-request.ts";
import { columnKinds, type DataColumn, type DataTable } from "./data-table.ts";
import { reasonText } from "./judgement.ts";
import { figuresOf, type MonthlyLine, newestOf, statisticsRequest } from "./monthly-figures.ts";
import type { Section } from "./page.ts";
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
  const table: DataTable<SeasonRow> = {
    name: "season",
    title: heading,
    columns: seasonColumns(words, years),
    rows,
    requests: [seasonalityRequest(line), statisticsRequest(productUuid, figures, place.conditions, "month", days)],
  };
  const yearsLead = renderParagraph(words.say("seasonYearsLead", { year: String(current) }));
  const usualYear = renderUsual(words, heading, line, indexes);
  const lastYears = renderYears(words, line, years, rows);
  const content = markup`${usualYear}${yearsLead}${lastYears}`;
  return { id: "season", heading, content, table, foldsTable: true, footer };
}

function seasonalityRequest({ productUuid, place, figures }: MonthlyLine): ApiRequest {
  const subject = `product_uuid=${productUuid}&market_type=${figures.marketType}${placeQuery(place)}`;
  return { method: "GET", path: `/api/v1/prices/seasonality?${subject}` };
}

function seasonColumns(words: Words, years: readonly number[]): DataColumn<SeasonRow>[] {
  const { count, price } = columnKinds<SeasonRow>(words);
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

/** The usual course of a year, or why there is none. */
function renderUsual(
  words: Words,
  heading: string,
  { label }: MonthlyLine,
  indexes: readonly SeasonMonth[] | NotComputable,
): Markup {
  if (!isComputed<readonly SeasonMonth[]>(indexes)) {
    return renderParagraph(words.say("seasonUnknown", { reason: reasonText(words, indexes) }), "note");
  }
  const unit = words.say("seasonUnit");
  const chart = renderForWidths((width) =>
    renderSeasonalChart({
      title: `${heading}, ${unit}`,
      description: label,
      years: [],
      average: { label: words.say("seasonIndex"), values: indexes.map(({ index }) => index) },
      band: {
        label: words.say("bandLabel"),
        lows: indexes.map(({ min }) => min),
        highs: indexes.map(({ max }) => max),
      },
      unit,
      width,
      plotHeight: 160,
      language: words.language,
    }),
  );
  return markup`${renderParagraph(words.say("seasonLead"))}${chart}`;
}

function renderYears(
  words: Words,
  { label, figures }: MonthlyLine,
  years: readonly number[],
  rows: readonly SeasonRow[],
): Markup {
  const unit = words.measure(figures.currency, figures.unit);
  return renderForWidths((width) =>
    renderSeasonalChart({
      title: `${label}, ${unit}`,
      description: `${years[0]}–${years.at(-1)}`,
      years: years.map((year, at) => ({ year, values: rows.map(({ medians }) => medians[at] ?? null) })),
      earlierLabel: `${years[0]}–${years.at(-2)}`,
      unit,
      width,
      plotHeight: 220,
      language: words.language,
    }),
  );
}
