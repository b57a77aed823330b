/** The months that a chart shows, as the address asks for them. */

import { type MonthNumber, monthText } from "../../engine/model/calendar.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { Words } from "../pages/words.ts";
import type { QueryParameters } from "./api-request.ts";
import { renderHidden, renderSelect } from "./explorer-page.ts";
import { type MonthSpan, newestOf, type SeriesFigures } from "./monthly-lines.ts";
import { badParameter, type PageRequest } from "./request.ts";

/** Months up to the newest. */
const periods = { "1y": 12, "5y": 60, "10y": 120, all: Infinity } as const;
type Period = keyof typeof periods;
const periodNames = Object.keys(periods) as Period[];
const periodDefault: Period = "5y";

/** What an address says of the months to show. */
export interface PeriodChoice {
  readonly period?: Period | undefined;
  /** First and last month, inclusive; `period` goes before them. */
  readonly from?: MonthNumber | undefined;
  readonly to?: MonthNumber | undefined;
  /** The month in which each line is 100. */
  readonly index?: MonthNumber | undefined;
}

/** @throws {PageProblem} */
export function readPeriod(request: PageRequest): PeriodChoice {
  return {
    from: request.month("from"),
    to: request.month("to"),
    index: request.month("index"),
    period: request.choice("period", periodNames),
  };
}

/**
 * The months of a period up to the newest month of some figures, or from `from` to `to` where no period is given.
 *
 * @param shown At least one element.
 * @throws {PageProblem}
 */
export function spanOf({ period, ...given }: PeriodChoice, shown: readonly SeriesFigures[]): MonthSpan {
  const first = Math.min(...shown.map(({ months }) => months[0]?.month ?? Infinity));
  const last = Math.max(...shown.map((figures) => newestOf(figures).month));
  const to = (period === undefined ? given.to : undefined) ?? last;
  const earliest = Math.max(Math.min(first, to), to - periods[period ?? periodDefault] + 1);
  const from = (period === undefined ? given.from : undefined) ?? earliest;
  if (from > to) throw badParameter("from", monthText(from), `≤ ${monthText(to)}`);
  return { from, to };
}

/** The parameters of an address that shows the same months when there are newer ones. */
export function fixedPeriod({ from, to }: MonthSpan): QueryParameters {
  return { period: undefined, from: monthText(from), to: monthText(to) };
}

/** The fields of a form. */
export function renderPeriodChoice(words: Words, choice: PeriodChoice): Markup {
  const value = choice.index === undefined ? "" : monthText(choice.index);
  const pattern = "\\d{4}-\\d{2}";
  return markup`${renderSpanChoice(words, choice)}
<label>${words.say("indexMonth")}
<input name="index" type="month" pattern="${pattern}" placeholder="2024-01" value="${value}"></label>`;
}

function renderSpanChoice(words: Words, { period, from, to }: PeriodChoice): Markup {
  const options = periodNames.map((name) => [name, words.say(`periodChoice ${name}`)] as const);
  if (period !== undefined || (from === undefined && to === undefined)) {
    return renderSelect("period", words.say("period"), options, period ?? periodDefault);
  }
  // Months drawn in the chart: the form keeps them unless a period is chosen.
  const span = [from, to].map((month) => (month === undefined ? "…" : words.month(month))).join(" – ");
  return markup`${from !== undefined && renderHidden("from", monthText(from))}
${to !== undefined && renderHidden("to", monthText(to))}
${renderSelect("period", words.say("period"), [["", span], ...options], "")}`;
}
