/** The months that a chart shows, as the address asks for them. */

import { type MonthNumber, monthNumber, monthText } from "../domain/calendar-month.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { newestOf, type TypeFigures } from "./monthly-figures.ts";
import type { MonthSpan } from "./months-section.ts";
import { renderSelect } from "./page.ts";
import { badParameter, type PageRequest, readChoice, readText } from "./request.ts";

/** Months up to the newest. */
const periods = { "1y": 12, "5y": 60, "10y": 120, all: Infinity } as const;
type Period = keyof typeof periods;
const periodNames = Object.keys(periods) as Period[];
const periodDefault: Period = "5y";

/**
 * The months of a period up to the newest month of some figures, or from `from` to `to` where no period is given.
 *
 * @param shown At least one.
 * @throws {PageProblem}
 */
export function readSpan(request: PageRequest, shown: readonly TypeFigures[]): MonthSpan {
  const first = shown.reduce((least, { months }) => Math.min(least, months[0]?.month ?? Infinity), Infinity);
  const last = shown.reduce((greatest, figures) => Math.max(greatest, newestOf(figures).month), -Infinity);
  const period = readChoice(request, "period", periodNames);
  const [fromGiven, toGiven] = [readMonth(request, "from"), readMonth(request, "to")];
  const to = (period === undefined ? toGiven : undefined) ?? last;
  const earliest = Math.max(Math.min(first, to), to - periods[period ?? periodDefault] + 1);
  const from = (period === undefined ? fromGiven : undefined) ?? earliest;
  if (from > to) throw badParameter("from", monthText(from), `≤ ${monthText(to)}`);
  return { from, to };
}

function readMonth(request: PageRequest, name: "from" | "to"): MonthNumber | undefined {
  const text = readText(request, name);
  if (text !== undefined && !/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) throw badParameter(name, text, "YYYY-MM");
  return text === undefined ? undefined : monthNumber(text);
}

/** The field of a form. */
export function renderPeriodChoice(request: PageRequest): Markup {
  const { words } = request;
  const from = readMonth(request, "from");
  const to = readMonth(request, "to");
  const options = periodNames.map((name) => [name, words.say(`periodChoice ${name}`)] as const);
  const period = readChoice(request, "period", periodNames);
  if (period !== undefined || (from === undefined && to === undefined)) {
    return renderSelect("period", words.say("period"), options, period ?? periodDefault);
  }
  // Months drawn in the chart: the form keeps them unless a period is chosen.
  const span = [from, to].map((month) => (month === undefined ? "…" : words.month(monthText(month)))).join(" – ");
  const kept = [
    ["from", from],
    ["to", to],
  ] as const;
  const hidden = kept.map(
    ([name, month]) => month !== undefined && markup`<input type="hidden" name="${name}" value="${monthText(month)}">`,
  );
  return markup`${hidden}${renderSelect("period", words.say("period"), [["", span], ...options], "")}`;
}
