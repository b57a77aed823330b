/** The page of a report: one file without scripts, which loads nothing. */

import { wordsOf } from "../../contract/words.ts";
import type { Instant } from "../../engine/model/calendar.ts";
import { chartStyle } from "../charts/chart-style.ts";
import { renderSection } from "../pages/elements.ts";
import { renderFrame, renderNavigation, siteOf } from "../pages/frame.ts";
import { joinMarkup, Markup, type MarkupValue, markup } from "../pages/markup.ts";
import { frameStyle, readBeside, renderStyle, textStyle } from "../pages/style.ts";
import type { SnapshotReport } from "./collect-report.ts";
import { renderChanges } from "./render-changes.ts";
import { renderPriceCharts } from "./render-prices.ts";
import { renderWarnings } from "./render-warnings.ts";
import { countOf, countText, dateText, productLinks, recordedText } from "./report-text.ts";

/** Nothing is loaded, nothing runs; the style sheet is in the page. */
export const reportPolicy = "default-src 'none'; style-src 'unsafe-inline'";

const reportStyle = readBeside(new URL("report.css", import.meta.url));

export interface ReportForm {
  /** True if the snapshot waits for approval. */
  readonly isDraft?: boolean | undefined;
  /** Address of the service, which the page leads to; it has no such links when absent. */
  readonly serviceUrl?: string | undefined;
}

/** HTML, from its first line to its last. */
export function renderReport(report: SnapshotReport, { isDraft = false, serviceUrl }: ReportForm = {}): string {
  const { snapshot, against } = report;
  const title = `Report on ${isDraft ? "draft" : "snapshot"} ${snapshot.id}`;
  const base = serviceUrl?.replace(/\/+$/, "");
  const site = siteOf(wordsOf("en"), base === undefined ? undefined : (path) => base + path, "", base);
  const link = productLinks(base);
  const sections = [
    { id: "changes", label: "What changed", content: renderChanges(report, link) },
    { id: "warnings", label: "Warnings", content: renderWarnings(report) },
    { id: "prices", label: "Prices", content: renderPriceCharts(report, link) },
  ];
  const day = dateText(snapshot.createdAt, snapshot.utcOffset);
  const made = isDraft ? `Drafted ${day}` : `Published ${day}`;
  const published = snapshot.note === null ? made : `${made}: ${snapshot.note}`;
  const compared =
    against === undefined
      ? report.uncompared
      : `Compared with ${against.id}, published ${dateText(against.createdAt, against.utcOffset)}.`;
  return renderFrame({
    language: "en",
    title,
    head: markup`<meta http-equiv="Content-Security-Policy" content="${new Markup(reportPolicy)}">
${renderStyle(frameStyle, textStyle, chartStyle, reportStyle)}`,
    // Without an address of the service, nothing leads out of the file.
    site: base === undefined ? { ...site, home: undefined } : site,
    header: renderNavigation(
      "Sections",
      sections.map(({ id, label }) => ({ target: `#${id}`, text: label })),
    ),
    main: markup`<h1>${title}</h1>
<p>${published}</p>
<p class="quiet">${compared}</p>
${isDraft && markup`<p>A draft: it is not served. <code>approve ${snapshot.id} --by NAME</code> publishes it.</p>`}
${renderFacts(report)}
${joinMarkup(sections.map(({ id, label, content }) => renderSection(id, label, content)))}`,
  });
}

function renderFacts(report: SnapshotReport): Markup {
  const { snapshot, counts, changes, warnings } = report;
  const day = (instant: Instant | null, source: string | null): string =>
    instant === null || source === null ? "none" : recordedText(instant, source, snapshot);
  const prices = changes?.rows.prices;
  const ofMarkets = `${countText(counts.marketsWithPrices)} of ${countOf(counts.markets, "market")}`;
  const facts: readonly (readonly [string, MarkupValue, MarkupValue?])[] = [
    ["Prices", countText(counts.prices), `in ${countText(counts.series)} series`],
    [
      "Prices changed",
      prices === undefined ? "–" : `+${countText(prices.added)} −${countText(prices.gone)}`,
      prices === undefined ? "nothing to compare with" : `${countText(prices.changed)} replaced`,
    ],
    ["Warnings", countText(warnings.total), `of ${countOf(warnings.counts.size, "kind")}`],
    [
      "Newest price",
      day(report.lastRecordedAt, report.lastSource),
      `oldest ${day(report.firstRecordedAt, report.firstSource)}`,
    ],
    ["Products with prices", countText(counts.productsWithPrices), `of ${countText(counts.products)}; at ${ofMarkets}`],
  ];
  return markup`<dl class="facts">${facts.map(
    ([name, value, detail]) => markup`<div><dt>${name}</dt><dd>${value}</dd><dd class="small">${detail}</dd></div>`,
  )}</dl>`;
}
