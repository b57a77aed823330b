/**
 * The pages that explain: Markdown of the folder `guides`. Their numbers are those of the example answers, and what the
 * code of the service computes or has in a table.
 */
import { readFileSync } from "node:fs";
import { commandLine, startedBy } from "../../contract/command-line.ts";
import { canonicalText, signatureWindowSeconds, signRequest } from "../../contract/credentials.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { type ApiErrorCode, apiErrorCodes, apiErrors } from "../../contract/errors.ts";
import { dryWhiteMaize, whiteMaize } from "../../contract/example-values.ts";
import { apiPrefix } from "../../contract/paths.ts";
import { dayOfInstant, type Instant, instantFromText, kenyanOffset, monthTextOf } from "../../engine/model/calendar.ts";
import { type MarkupValue, markup } from "../pages/markup.ts";
import { type PageContext, renderPage } from "./docs-page.ts";
import { exampleNamed } from "./examples.ts";
import { type GuideValues, readSections, renderMarkdown } from "./markdown.ts";
import { type GuideName, guideTarget } from "./menu.ts";

/**
 * The text of a file of `guides`, which begins with its title. The file is read and rendered again.
 *
 * @param path The path of the page that the guide is on.
 * @throws {RangeError} As `renderMarkdown`.
 */
export function renderGuide(name: string, path: string, context: PageContext) {
  const { title, body } = splitGuide(name);
  const values = guideValues(context);
  const description = readSections(body, values).flatMap(({ passages }) => passages)[0] ?? title;
  return {
    title,
    /** The first paragraph in plain text. */
    description,
    content: renderMarkdown(body, values, { path, ...context }),
  };
}

/** The title of a guide, and its sections for the search. @throws {RangeError} As `readSections`. */
export function readGuideSections(name: string, endpoints: readonly Endpoint[]) {
  const { title, body } = splitGuide(name);
  return { title, sections: readSections(body, guideValues({ endpoints })) };
}

function splitGuide(name: string) {
  const [, title = "", body = ""] = /^# ([^\n]+)\n(.*)$/s.exec(readGuide(name)) ?? [];
  return { title, body };
}

function guideValues({ endpoints, publicUrl }: Pick<PageContext, "endpoints" | "publicUrl">): GuideValues {
  return {
    ...constantValues(),
    ...exampleValues(),
    exportAccess: exportAccessText(endpoints),
    baseUrl: publicUrl ?? ownMachine,
  };
}

/** The address of a service that was started as its manual says. */
const ownMachine = "http://127.0.0.1:3000";

/** Guides that are manuals elsewhere in the project. */
const otherFiles: Readonly<Record<string, string>> = {
  changelog: "../../../CHANGELOG.md",
  client: "../../client/README.md",
};

/** The text of a guide in Markdown. */
export function readGuide(name: string): string {
  return readFileSync(new URL(otherFiles[name] ?? `guides/${name}.md`, import.meta.url), "utf8");
}

/** A guide, or the changelog, as a page. */
export function renderGuidePage(name: GuideName | "changelog", context: PageContext): string {
  const path = guideTarget(name);
  return renderPage({ path, ...renderGuide(name, path, context) }, context);
}

function exportAccessText(endpoints: readonly Endpoint[]): string {
  // They have the access of exports.
  const isOpen = endpoints.every(({ access, form }) => form.kind !== "file" || access === "public");
  return isOpen ? "This service has opened them." : "This service has not opened them.";
}

/** A request whose signature a client can compare with its own. No service has the key: its form is not valid. */
export const testVector = {
  key: "svc_sec_this-key-is-for-the-test-vector-only",
  method: "POST",
  path: `${apiPrefix}/prices/search`,
  timestamp: "1767225600",
  body: '{"county_id":47,"page_size":2}',
} as const;

const signingErrors: readonly ApiErrorCode[] = [
  "MISSING_API_KEY",
  "INVALID_API_KEY",
  "INVALID_SIGNATURE",
  "TIMESTAMP_EXPIRED",
  "INSUFFICIENT_PERMISSIONS",
];

function constantValues(): GuideValues {
  const signed = { ...testVector, body: Buffer.from(testVector.body) };
  return {
    ...testVector,
    whiteMaize,
    dryWhiteMaize,
    products: `${whiteMaize},${dryWhiteMaize}`,
    target:
      `${apiPrefix}/exports/statistics.csv?product_uuid=${whiteMaize}` +
      "&start_date=2015-01-01&end_date=2020-12-31&county_id=47&market_type=Wholesale",
    // One text for all that serve the same files, because tags of documents are of these.
    keysCommand: commandLine("keys", { isPiped: true, by: startedBy() === "clone" ? "clone" : "npx" }),
    windowSeconds: signatureWindowSeconds,
    signedText: canonicalText(signed).toString(),
    signature: signRequest(testVector.key, signed),
    signingErrors: signingErrors.map((code) => [markup`<code>${code}</code>`, apiErrors[code].message]),
    errors: apiErrorCodes.map((code) => [
      markup`<code id="${code}">${code}</code>`,
      apiErrors[code].status,
      apiErrors[code].message,
    ]),
  };
}

/** `2026-05`: the Kenyan month of a time. */
function kenyanMonth(time: string): string {
  return monthTextOf(dayOfInstant(instantFromText(time) as Instant, kenyanOffset));
}

/** The example answers that guides show, and tables of them. */
function exampleValues(): GuideValues {
  const [latest] = exampleNamed("GET /prices/latest").data;
  const [downloads] = exampleNamed("GET /downloads").data;
  const series = exampleNamed("GET /prices/series");
  const statistics = exampleNamed("POST /prices/statistics");
  const index = exampleNamed("GET /prices/index");
  const continued = series.data.find(({ continues }) => continues.length > 0);
  return {
    entry: exampleNamed("GET /prices/anomalies").data[0],
    latest,
    unitRows: latest?.prices.map(({ market, price, unit, price_per_base_unit: perBase, base_unit: base }) => [
      market.name,
      `${price} KES per ${unit}`,
      `${price} ÷ ${Math.round((price / perBase) * 1e6) / 1e6}`,
      `${perBase} KES per ${base}`,
    ]),
    series,
    seriesRows: series.data.map((one) => [
      one.product.name,
      one.market.name,
      one.unit,
      one.price_count,
      kenyanMonth(one.first_recorded_at),
      kenyanMonth(one.last_recorded_at),
      `${one.longest_gap_days} days`,
    ]),
    // Series of one product and type of market have the same judgements.
    continuations: continued?.continues.map((judged) => [
      judged.product.name,
      judged.last_month,
      continued.product.name,
      judged.first_month,
      judged.overlap_months,
      judged.judgement,
    ]),
    statistics,
    statisticsRows: cellsOf(statistics.data.statistics, ["period", "median_price", "sample_count", "std_deviation"]),
    index,
    indexRows: cellsOf(index.data, ["month", "comparable_price", "index", "median_price", "markets", "sample_count"]),
    exportedPrices: exampleNamed("GET /exports/prices.csv"),
    downloads,
    downloadRows: cellsOf(
      downloads?.files.map((file) => ({ ...file, name: markup`<code>${file.name}</code>` })) ?? [],
      ["name", "table", "rows", "bytes"],
    ),
  };
}

/** Some fields of records as rows of a table; null is an empty cell. */
function cellsOf<Name extends string>(
  records: readonly Readonly<Record<Name, MarkupValue | null>>[],
  names: readonly Name[],
): MarkupValue[][] {
  return records.map((record) => names.map((name) => record[name] ?? undefined));
}
