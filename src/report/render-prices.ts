/** Price charts of the products that moved most, with suspicious prices marked. */

import { monthDaysMax } from "../charts/gaps.ts";
import { renderLineChart } from "../charts/line-chart.ts";
import { monthStart } from "../domain/calendar-periods.ts";
import type { SnapshotIdentity } from "../domain/dataset.ts";
import { renderDetails, renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { moveReportedPercentMin } from "../publish/snapshot-changes.ts";
import type { SnapshotReport } from "./collect-report.ts";
import { type MonthFigures, moveDays, moveSamplesMin, type PriceChart, type SuspiciousPrice } from "./price-charts.ts";
import { changeText, countColumn, countOf, priceText, recordedText, renderCaptionedTable } from "./report-text.ts";
import { reasonOf, warningText } from "./warning-text.ts";

/** Up to so many months each shows its figures on hover; more would make the page too large. */
const hoverMonthsMax = 60;

/** Suspicious prices that the table of a chart lists. */
const suspiciousMax = 40;

export function renderPriceCharts({ charts, against, snapshot }: SnapshotReport): Markup {
  const [moved, unmoved] =
    against === undefined
      ? [
          `whose median of the newest ${moveDays} days moved most against the ${moveDays} days before`,
          `No product at a type of market has ${moveSamplesMin} prices both in the newest ${moveDays} days and ` +
            `in the ${moveDays} days before`,
        ]
      : [
          "whose latest price moved most between the two snapshots",
          `No latest price moved by more than ${moveReportedPercentMin} % between the two snapshots`,
        ];
  const hasMoved = charts.some(({ move }) => move !== undefined);
  if (charts.length === 0) return markup`<p>${unmoved}, and no price is suspicious.</p>`;
  const order = hasMoved ? `Products ${moved}, then those` : `${unmoved}; these are the products`;
  return markup`<p>${order} with most suspicious prices. Each chart is of one type of market, in one unit and currency.
Lines are monthly medians, bands go from the least to the greatest price. Months without a price are gaps; a month
between gaps is a dot. A triangle at the upper edge stands for a value beyond it.</p>
<div class="charts">
${charts.map((chart) => renderChart(chart, snapshot))}</div>`;
}

function renderChart(chart: PriceChart, snapshot: SnapshotIdentity): Markup {
  const { product, marketType, unit, currency, months, suspiciousElsewhere } = chart;
  const heading = `${product}, ${marketType}`;
  const measure = `${currency} per ${unit}`;
  const elsewhere = `${countOf(suspiciousElsewhere, "suspicious price")} in another unit or currency`;
  const figures = renderCaptionedTable<MonthFigures>(
    `${heading}, ${measure}`,
    [
      { heading: "Month", show: ({ month }) => month, kind: "day" },
      { heading: "Median", show: ({ median }) => priceText(median), kind: "number" },
      { heading: "Least", show: ({ min }) => priceText(min), kind: "number" },
      { heading: "Greatest", show: ({ max }) => priceText(max), kind: "number" },
      countColumn("Prices", ({ samples }) => samples),
    ],
    months.toReversed(),
  );
  return markup`<article>
<h3>${heading}</h3>
${renderParagraph(reasonText(chart), "quiet")}
${drawChart(chart, heading, measure, snapshot)}
${renderSuspicious(chart, heading, measure, snapshot)}
${suspiciousElsewhere > 0 && renderParagraph(`${elsewhere} cannot be drawn here; see Warnings.`)}
${renderDetails("Figures by month", figures)}
</article>
`;
}

function drawChart(
  { months, suspicious, dayFirst, dayLast }: PriceChart,
  heading: string,
  measure: string,
  snapshot: SnapshotIdentity,
): Markup {
  const points = months.map(({ month, day, median, min, max, samples }) => ({
    day,
    period: month,
    value: median,
    low: min,
    high: max,
    samples,
  }));
  return renderLineChart({
    title: `${heading}: monthly median in ${measure}`,
    description: descriptionOf(months, measure),
    lines: [{ label: "median", points }],
    marks: suspicious.map(({ day, price, warning }) => ({
      // The mark stands where the figures of its month are.
      day: monthStart(day),
      value: price,
      reason: warningText(warning, snapshot),
    })),
    markLabel: "suspicious price",
    bandLabel: "least to greatest",
    unit: measure,
    joinDaysMax: monthDaysMax,
    dayFirst,
    dayLast,
    hasHover: months.length <= hoverMonthsMax,
  });
}

function renderSuspicious(
  { suspicious }: PriceChart,
  heading: string,
  measure: string,
  snapshot: SnapshotIdentity,
): Markup | undefined {
  if (suspicious.length === 0) return undefined;
  const cut = suspicious.length > suspiciousMax ? `, the first ${suspiciousMax}` : "";
  const table = renderCaptionedTable<SuspiciousPrice>(
    `${heading}: suspicious prices${cut}`,
    [
      {
        heading: "Day",
        show: ({ warning: { price: found } }) => found && recordedText(found.recordedAt, found.source, snapshot),
        kind: "day",
      },
      { heading: measure, show: ({ price }) => priceText(price), kind: "number" },
      { heading: "Market", show: ({ warning }) => warning.price?.market },
      { heading: "Why", show: ({ warning }) => reasonOf(warning) },
    ],
    suspicious.slice(0, suspiciousMax),
  );
  return renderDetails(countOf(suspicious.length, "suspicious price"), table);
}

function reasonText({ move, suspicious, suspiciousElsewhere }: PriceChart): string {
  const warned = suspicious.length + suspiciousElsewhere;
  const texts = warned === 0 ? [] : [`${countOf(warned, "suspicious price")}.`];
  if (move !== undefined) {
    const { from, to, currency, unit } = move;
    const what = move.of === "medians" ? "Median" : "Latest price";
    const change = `${priceText(from)} → ${priceText(to)}, ${changeText(from, to)}`;
    texts.unshift(`${what} ${change} (${currency} per ${unit}).`);
  }
  return texts.join(" ");
}

function descriptionOf(months: readonly MonthFigures[], measure: string): string {
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return "There are no prices in this unit and currency.";
  const least = Math.min(...months.map(({ min }) => min));
  const greatest = Math.max(...months.map(({ max }) => max));
  return [
    `${countOf(months.length, "month")} with prices from ${first.month} to ${last.month};`,
    `the last median is ${priceText(last.median)} ${measure}, of ${countOf(last.samples, "price")}.`,
    `All prices lie between ${priceText(least)} and ${priceText(greatest)}.`,
  ].join(" ");
}
