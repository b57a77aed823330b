/** Price charts of the products that have a warning or move, with their new prices. */

import { type LatestPriceMove, moveReportedPercentMin, warningNames } from "../../contract/publication-report.ts";
import { monthStart, monthTextOf } from "../../engine/model/calendar.ts";
import type { SnapshotIdentity } from "../../engine/model/dataset.ts";
import type { SuspiciousReason } from "../../engine/store/suspicious-prices.ts";
import { type ChartLine, renderLineChart } from "../charts/line-chart.ts";
import { renderDetails, renderParagraph, type TableColumn } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { MarkedPrice, MonthMedian, PriceChart } from "./collect-price-charts.ts";
import type { SnapshotReport } from "./collect-report.ts";
import {
  countOf,
  figureColumn,
  type ProductLink,
  priceText,
  recordedText,
  renderCaptionedTable,
} from "./report-text.ts";

/** The most months of a chart that show their figures on hover; more would make the page too large. */
const hoverMonthsMax = 60;

/** Prices that a chart marks. */
const marksMax = 40;

export function renderPriceCharts({ charts, others, against, snapshot }: SnapshotReport, link: ProductLink): Markup {
  if (charts.length === 0) {
    const moved = against === undefined ? "" : `, and no latest price moves by more than ${moveReportedPercentMin} %`;
    return markup`<p>No price has a warning${moved}.</p>`;
  }
  const compared =
    against === undefined
      ? "The line has the medians of all prices by month."
      : "The first line has the medians of the snapshot compared with, the second those of new and corrected prices.";
  return markup`<p>Each product whose latest price moves by more than ${moveReportedPercentMin} % or that has a warning,
at one type of market, in one unit and currency. ${compared} Medians more than a month apart are not
joined. A ring with a cross marks a price that looks
wrong; suspicious ones are in no figure. A triangle at the upper edge stands for a value beyond it.</p>
<div class="charts">
${charts.map((chart) => renderChart(chart, snapshot, against !== undefined, link))}</div>
${others.length > 0 && renderOthers(others)}`;
}

function renderOthers(names: readonly string[]): Markup {
  const list = markup`<ul>${names.map((name) => markup`<li>${name}</li>\n`)}</ul>`;
  return renderDetails(`${countOf(names.length, "further product")} without a chart`, list);
}

function renderChart(chart: PriceChart, snapshot: SnapshotIdentity, isCompared: boolean, link: ProductLink): Markup {
  const { productUuid, product, marketType, unit, currency } = chart;
  const heading = `${product}, ${marketType}`;
  const perUnit = `${currency} per ${unit}`;
  const figures = renderCaptionedTable(`${heading}, ${perUnit}`, monthColumns(isCompared), monthRows(chart));
  return markup`<article>
<h3>${link(productUuid, product)}, ${marketType}</h3>
${renderParagraph(reasonText(chart, isCompared), "quiet")}
${drawChart(chart, heading, perUnit, snapshot, isCompared)}
${renderDetails("Figures by month", figures)}
</article>
`;
}

/** A month of both lines. */
interface MonthRow {
  readonly month: string;
  readonly before: MonthMedian | undefined;
  readonly added: MonthMedian | undefined;
}

/** The newest month first. */
function monthRows({ monthsBefore, newMonths }: PriceChart): MonthRow[] {
  const [ofBefore, ofNew] = [monthsBefore, newMonths].map(
    (months) => new Map(months.map((found) => [found.month, found])),
  );
  const months = [...new Set([...monthsBefore, ...newMonths].map(({ month }) => month))].sort().reverse();
  return months.map((month) => ({ month, before: ofBefore?.get(month), added: ofNew?.get(month) }));
}

function monthColumns(isCompared: boolean): TableColumn<MonthRow>[] {
  const figures = (heading: string, of: (row: MonthRow) => MonthMedian | undefined): TableColumn<MonthRow>[] => [
    figureColumn(`Median${heading}`, (row) => show(of(row), ({ median }) => priceText(median))),
    figureColumn("Least to greatest", (row) =>
      show(of(row), ({ min, max }) => `${priceText(min)} to ${priceText(max)}`),
    ),
    figureColumn("Prices", (row) => show(of(row), ({ samples }) => String(samples))),
  ];
  return [
    { heading: "Month", show: ({ month }) => month, kind: "day" },
    ...(isCompared ? figures(" before", ({ before }) => before) : []),
    ...figures(isCompared ? ", new" : "", ({ added }) => added),
  ];
}

function show<Found>(found: Found | undefined, text: (found: Found) => string): string {
  return found === undefined ? "–" : text(found);
}

function drawChart(
  chart: PriceChart,
  heading: string,
  perUnit: string,
  snapshot: SnapshotIdentity,
  isCompared: boolean,
): Markup {
  const { monthsBefore, newMonths, marks, dayFirst, dayLast } = chart;
  const lines = isCompared
    ? [lineOf("before", monthsBefore), lineOf("new and corrected prices", newMonths)]
    : [lineOf("median", newMonths)];
  const byDay = Map.groupBy(
    [...monthsBefore.map((month) => ({ month, name: "before: " })), ...newMonths.map((month) => ({ month, name: "" }))],
    ({ month }) => month.day,
  );
  const readouts = [...byDay]
    .sort(([a], [b]) => a - b)
    .map(([day, found]) => {
      return { day, texts: [found[0]?.month.month ?? "", ...found.map(({ month, name }) => name + readoutOf(month))] };
    });
  return renderLineChart({
    title: `${heading}: median by month in ${perUnit}`,
    description: descriptionOf(chart, perUnit, isCompared),
    lines,
    marks: marks.slice(0, marksMax).flatMap((marked) => {
      const { day, price } = marked;
      // The mark has the position of the figures of its month.
      return price === undefined ? [] : [{ day: monthStart(day), value: price, reason: markText(marked, snapshot) }];
    }),
    markLabel: "looks wrong",
    unit: perUnit,
    dayFirst,
    dayLast,
    readouts: readouts.length <= hoverMonthsMax ? readouts : [],
  });
}

/** The greatest number of days from one month to the next. */
const monthDaysMax = 31;

function lineOf(label: string, months: readonly MonthMedian[]): ChartLine {
  const points = months.map(({ day, median }, at) => {
    return { day, value: median, isJoined: day - (months[at - 1]?.day ?? -Infinity) <= monthDaysMax };
  });
  return { label, points };
}

function readoutOf({ median, min, max, samples }: MonthMedian): string {
  return `${priceText(median)} (${priceText(min)} to ${priceText(max)}), ${countOf(samples, "price")}`;
}

/** `Wakulima, 2026-01-15 (WFP): 4,500 KES per 90 kg bag, suspicious price, far from its neighbours` */
function markText({ recorded, kinds, suspicious }: MarkedPrice, snapshot: SnapshotIdentity): string {
  const { market, recordedAt, source, price, currency, unit } = recorded;
  const why = [
    ...kinds.map((kind) => warningNames[kind][0]),
    ...(kinds.length === 0 && suspicious !== null ? [warningNames.suspicious[0], suspiciousTexts[suspicious]] : []),
  ];
  const origin = `${market}, ${recordedText(recordedAt, source, snapshot)} (${source})`;
  return `${origin}: ${priceText(price)} ${currency} per ${unit}, ${why.join(", ")}`;
}

const suspiciousTexts: Readonly<Record<SuspiciousReason, string>> = {
  far: "far from its neighbours",
  decimal_slip: "10 or 100 times too high or too low",
};

function reasonText(chart: PriceChart, isCompared: boolean): string {
  const { move, warnings, newCount, unconvertedCount, earlierCount, dayFirst, marks } = chart;
  const drawn = marks.filter(({ price }) => price !== undefined).length;
  const earlier = `${countOf(earlierCount, "price")}${isCompared ? " of the snapshot compared with" : ""}`;
  const texts = [
    move !== undefined && moveText(move),
    warnings > 0 && `${countOf(warnings, "warning")}.`,
    `${countOf(newCount, isCompared ? "new or corrected price" : "price")}.`,
    unconvertedCount > 0 && `${countOf(unconvertedCount, "price")} in another unit or currency: not drawn.`,
    earlierCount > 0 && `${earlier} before ${monthTextOf(dayFirst)}: not drawn.`,
    drawn > marksMax && `The newest ${marksMax} of ${countOf(drawn, "price")} that look wrong are marked.`,
  ];
  return texts.filter(Boolean).join(" ");
}

/** `Latest price 40 → 60 (KES per kg).` */
function moveText({ before, after, currency, unit }: LatestPriceMove): string {
  return `Latest price ${priceText(before.price)} → ${priceText(after.price)} (${currency} per ${unit}).`;
}

function descriptionOf(chart: PriceChart, perUnit: string, isCompared: boolean): string {
  const { monthsBefore, newMonths, earlierCount, dayFirst } = chart;
  const since = earlierCount > 0 ? ` from ${monthTextOf(dayFirst)} on` : "";
  if (!isCompared) return spanText(since === "" ? "All prices" : `Prices${since}`, newMonths, perUnit);
  const before = spanText(`Before${since && `,${since}`}`, monthsBefore, perUnit);
  return `${before} ${spanText("New and corrected prices", newMonths, perUnit)}`;
}

function spanText(name: string, months: readonly MonthMedian[], perUnit: string): string {
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return `${name}: none in this unit and currency.`;
  const span = `${countOf(months.length, "month")} from ${first.month} to ${last.month}`;
  return `${name}: ${span}, the last median is ${priceText(last.median)} ${perUnit}.`;
}
