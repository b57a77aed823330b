/** Price charts of the products that moved most or are furthest from usual, with suspicious prices marked. */

import { moveReportedPercentMin } from "../../contract/publication-report.ts";
import { monthStart } from "../../engine/model/calendar.ts";
import type { SnapshotIdentity } from "../../engine/model/dataset.ts";
import type { SuspiciousReason } from "../../engine/store/suspicious-prices.ts";
import { renderLineChart } from "../charts/line-chart.ts";
import { renderDetails, renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { MarkedPrice, MonthFigures, PriceChart } from "./collect-price-charts.ts";
import type { SnapshotReport } from "./collect-report.ts";
import { changeOnYear, shareOfUsual } from "./judgement-text.ts";
import { countColumn, countOf, priceText, recordedText, renderCaptionedTable } from "./report-text.ts";

/** Up to so many months each shows its figures on hover; more would make the page too large. */
const hoverMonthsMax = 60;

/** Suspicious prices that the table of a chart lists. */
const suspiciousMax = 40;

export function renderPriceCharts({ charts, against, snapshot }: SnapshotReport): Markup {
  const [chosen, none] =
    against === undefined
      ? ["furthest from usual", "No product at a type of market can be judged"]
      : [
          "whose latest price moved most between the two snapshots",
          `No latest price moved by more than ${moveReportedPercentMin} % between the two snapshots`,
        ];
  if (charts.length === 0) return markup`<p>${none}, and no price is suspicious.</p>`;
  const hasChosen = charts.some(({ isSuspiciousOnly }) => !isSuspiciousOnly);
  const order = hasChosen ? `Products ${chosen}, then those` : `${none}; these are the products`;
  return markup`<p>${order} with most suspicious prices. Each chart is of one type of market, in one unit and currency.
Lines are monthly medians, bands go from the least to the greatest price. Months without a price are gaps; a month
between gaps is a dot. A triangle at the upper edge stands for a value beyond it. A ring with a cross marks a suspicious
price: it looks wrong beside its neighbours and is in no figure. What is said of a year before and of what is usual
(the median of the same month in at least 3 of the 5 years before) is the median over the markets that have both sides,
at least 3: like is compared with like.</p>
<div class="charts">
${charts.map((chart) => renderChart(chart, snapshot))}</div>`;
}

function renderChart(chart: PriceChart, snapshot: SnapshotIdentity): Markup {
  const { product, marketType, unit, currency, months } = chart;
  const heading = `${product}, ${marketType}`;
  const perUnit = `${currency} per ${unit}`;
  const figures = renderCaptionedTable<MonthFigures>(
    `${heading}, ${perUnit}`,
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
${drawChart(chart, heading, perUnit, snapshot)}
${renderSuspicious(chart, heading, snapshot)}
${renderDetails("Figures by month", figures)}
</article>
`;
}

function drawChart(
  { months, suspicious, dayFirst, dayLast }: PriceChart,
  heading: string,
  perUnit: string,
  snapshot: SnapshotIdentity,
): Markup {
  const points = months.map(({ month, day, median, min, max, samples }) => ({
    day,
    period: month,
    value: median,
    low: min,
    high: max,
    readout: `${priceText(median)} (${priceText(min)} to ${priceText(max)}), ${countOf(samples, "price")}`,
  }));
  return renderLineChart({
    title: `${heading}: monthly median in ${perUnit}`,
    description: descriptionOf(months, perUnit),
    lines: [{ label: "median", points }],
    marks: suspicious.slice(0, suspiciousMax).flatMap((marked) => {
      const { day, price, recorded } = marked;
      if (price === undefined) return [];
      const { market, recordedAt, source } = recorded;
      const origin = `${market}, ${recordedText(recordedAt, source, snapshot)} (${source})`;
      // The mark stands where the figures of its month are.
      return [
        { day: monthStart(day), value: price, reason: `${origin}: ${recordedPriceText(marked)}, ${whyOf(marked)}` },
      ];
    }),
    markLabel: "suspicious price",
    bandLabel: "least to greatest",
    unit: perUnit,
    dayFirst,
    dayLast,
    strips: months.length <= hoverMonthsMax ? "texts" : undefined,
  });
}

/** All suspicious prices, also those in a unit or currency that the chart is not in. */
function renderSuspicious({ suspicious }: PriceChart, heading: string, snapshot: SnapshotIdentity): Markup | undefined {
  if (suspicious.length === 0) return undefined;
  const cut = suspicious.length > suspiciousMax ? `, the newest ${suspiciousMax}` : "";
  const table = renderCaptionedTable<MarkedPrice>(
    `${heading}: suspicious prices${cut}`,
    [
      {
        heading: "Day",
        show: ({ recorded }) => recordedText(recorded.recordedAt, recorded.source, snapshot),
        kind: "day",
      },
      { heading: "Price", show: recordedPriceText, kind: "number" },
      { heading: "Market", show: ({ recorded }) => recorded.market },
      { heading: "Why", show: whyOf },
    ],
    suspicious.slice(0, suspiciousMax),
  );
  return renderDetails(countOf(suspicious.length, "suspicious price"), table);
}

/** `4,500 KES per 90 kg bag` */
function recordedPriceText({ recorded: { price, currency, unit } }: MarkedPrice): string {
  return `${priceText(price)} ${currency} per ${unit}`;
}

const reasons: Readonly<Record<SuspiciousReason, string>> = {
  far: "far from its neighbours",
  decimal_slip: "10 or 100 times too high or too low",
};

function whyOf({ reason }: MarkedPrice): string {
  return reasons[reason];
}

function reasonText({ move, judged, suspicious }: PriceChart): string {
  const latest =
    move === undefined
      ? []
      : [`Latest price ${priceText(move.from)} → ${priceText(move.to)} (${move.currency} per ${move.unit}).`];
  const leftOut = suspicious.length === 0 ? [] : [`${countOf(suspicious.length, "suspicious price")} left out.`];
  const texts = [`On a year before: ${changeOnYear(judged)}.`, `Of usual: ${shareOfUsual(judged)}.`];
  return [...latest, ...texts, ...leftOut].join(" ");
}

function descriptionOf(months: readonly MonthFigures[], perUnit: string): string {
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return "There are no prices in this unit and currency.";
  const least = Math.min(...months.map(({ min }) => min));
  const greatest = Math.max(...months.map(({ max }) => max));
  return [
    `${countOf(months.length, "month")} with prices from ${first.month} to ${last.month};`,
    `the last median is ${priceText(last.median)} ${perUnit}, of ${countOf(last.samples, "price")}.`,
    `All prices lie between ${priceText(least)} and ${priceText(greatest)}.`,
  ].join(" ");
}
