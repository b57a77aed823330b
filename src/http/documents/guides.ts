/**
 * The pages that explain: Markdown of the folder `guides`. Their numbers are those of the example answers, and what the
 * code of the service computes or has in a table.
 */
import { readFileSync } from "node:fs";
import { canonicalText, signatureWindowSeconds, signRequest } from "../../auth/signature.ts";
import { type Markup, markup } from "../../pages/markup.ts";
import { apiPrefix } from "../endpoints.ts";
import { apiErrorCodes, apiErrors } from "../errors.ts";
import { dryWhiteMaize, whiteMaize } from "../resources/example-values.ts";
import { exampleNamed } from "./examples.ts";
import { type GuideValues, renderMarkdown } from "./markdown.ts";
import { type GuideName, guideTarget } from "./menu.ts";
import { type PageContext, renderPage } from "./page.ts";

interface GuideText {
  readonly title: string;
  readonly content: Markup;
}

/** The page that a guide is on. */
interface GuidePage {
  readonly path: string;
  readonly context: PageContext;
}

/**
 * The text of a file of `guides`, which begins with its title. The file is read and rendered anew.
 *
 * @throws {RangeError} As `renderMarkdown`.
 */
export function renderGuide(name: string, page: GuidePage, values: GuideValues = {}): GuideText {
  return renderTitled(readGuide(name), page, values);
}

/** The text of a file of `guides`, in Markdown. */
export function readGuide(name: string): string {
  return readFileSync(new URL(`guides/${name}.md`, import.meta.url), "utf8");
}

function renderTitled(text: string, { path, context }: GuidePage, values: GuideValues = {}): GuideText {
  const [, title = "", body = ""] = /^# ([^\n]+)\n(.*)$/s.exec(text) ?? [];
  return { title, content: renderMarkdown(body, values, { path, ...context }) };
}

/** What makes the values of each guide that is a page. */
const guideValues: Readonly<Record<GuideName, (context: PageContext) => GuideValues>> = {
  "price-now": productValues,
  "monthly-prices": productValues,
  spreadsheets: spreadsheetValues,
  "keep-a-copy": exportsValues,
  signing: signingValues,
  units: unitsValues,
  series: seriesValues,
  statistics: statisticsValues,
  anomalies: anomaliesValues,
  exports: exportsValues,
  errors: errorsValues,
  deprecation: () => ({}),
};

/** A guide as a page. */
export function renderGuidePage(name: GuideName, context: PageContext): string {
  const path = guideTarget(name);
  return renderPage({ path, ...renderGuide(name, { path, context }, guideValues[name](context)) }, context);
}

/** The changelog of the project as a page. */
export function renderChangelogPage(context: PageContext): string {
  const path = "/docs/changelog";
  const text = readFileSync(new URL("../../../CHANGELOG.md", import.meta.url), "utf8");
  return renderPage({ path, ...renderTitled(text, { path, context }) }, context);
}

function productValues(): GuideValues {
  return { whiteMaize, dryWhiteMaize, products: `${whiteMaize},${dryWhiteMaize}` };
}

function spreadsheetValues({ endpoints }: PageContext): GuideValues {
  const isOpen = endpoints.every(
    ({ access, followsExportAccess }) => followsExportAccess !== true || access === "public",
  );
  return {
    access: isOpen ? "This service has opened them." : "This service has not opened them.",
    target:
      `${apiPrefix}/exports/statistics.csv?product_uuid=${whiteMaize}` +
      "&start_date=2015-01-01&end_date=2020-12-31&county_id=47&market_type=Wholesale",
  };
}

function errorsValues(): GuideValues {
  return {
    errors: apiErrorCodes.map((code) => [
      markup`<code id="${code}">${code}</code>`,
      apiErrors[code].status,
      apiErrors[code].message,
    ]),
  };
}

/** A request whose signature a client can compare with its own. No service has the key: its form is not valid. */
export const testVector = {
  key: "svc_sec_this-key-is-for-the-test-vector-only",
  method: "POST",
  path: `${apiPrefix}/prices/search`,
  timestamp: "1767225600",
  body: '{"county_id":47,"page_size":2}',
} as const;

function signingValues(): GuideValues {
  const signed = { ...testVector, body: Buffer.from(testVector.body) };
  const codes = [
    "MISSING_API_KEY",
    "INVALID_API_KEY",
    "INVALID_SIGNATURE",
    "TIMESTAMP_EXPIRED",
    "INSUFFICIENT_PERMISSIONS",
  ] as const;
  return {
    ...testVector,
    windowSeconds: signatureWindowSeconds,
    signedText: canonicalText(signed).toString(),
    signature: signRequest(testVector.key, signed),
    errors: codes.map((code) => [markup`<code>${code}</code>`, apiErrors[code].message]),
  };
}

function anomaliesValues(): GuideValues {
  const { data } = exampleNamed("GET /prices/anomalies");
  const entry = data[0] as (typeof data)[number];
  const { product, market, unit, currency, median_price: median, year_before, five_years, alps } = entry;
  return {
    product: product.uuid,
    market: market.name,
    unit,
    currency,
    median: twoDecimals(median),
    change: twoDecimals(year_before.change_percent),
    percent: twoDecimals(five_years.percent_of_usual),
    usual: twoDecimals(five_years.usual_price),
    expected: twoDecimals(alps.expected_price),
    months: alps.months,
    deviation: twoDecimals(alps.residual_deviation),
    alps: twoDecimals(alps.value),
    class: alps.class,
  };
}

function twoDecimals(value: number): string {
  return value.toFixed(2);
}

function unitsValues(): GuideValues {
  const { data } = exampleNamed("GET /prices/latest");
  const group = data[0] as (typeof data)[number];
  return {
    product: group.product.name,
    prices: group.prices.map(({ market, price, unit, price_per_base_unit: perBase, base_unit: base }) => [
      market.name,
      `${price} KES per ${unit}`,
      `${price} ÷ ${Math.round((price / perBase) * 1e6) / 1e6}`,
      `${perBase} KES per ${base}`,
    ]),
  };
}

function seriesValues(): GuideValues {
  const { data, meta } = exampleNamed("GET /prices/series");
  const continued = data.find(({ continues }) => continues.length > 0);
  return {
    ...productValues(),
    count: data.length,
    total: meta.total,
    series: data.map((series) => [
      series.product.name,
      series.market.name,
      series.unit,
      series.price_count,
      series.first_recorded_at.slice(0, 7),
      series.last_recorded_at.slice(0, 7),
      `${series.longest_gap_days} days`,
    ]),
    // Series of one product and type of market have the same judgements.
    continuations: (continued?.continues ?? []).map((judged) => [
      judged.product.name,
      judged.last_month,
      continued?.product.name ?? "",
      judged.first_month,
      judged.overlap_months,
      judged.judgement,
    ]),
  };
}

function statisticsValues(): GuideValues {
  const { data, meta } = exampleNamed("POST /prices/statistics");
  return {
    ...productValues(),
    count: data.statistics.length,
    product: data.product.name,
    currency: meta.currency,
    unit: data.product.unit,
    converted: meta.converted_samples,
    excluded: meta.excluded_samples,
    statistics: data.statistics.map((row) => [row.period, row.median_price, row.sample_count, row.std_deviation]),
  };
}

function exportsValues(): GuideValues {
  const { data } = exampleNamed("GET /downloads");
  const newest = data[0] as (typeof data)[number];
  return {
    ...productValues(),
    prices: exampleNamed("GET /exports/prices.csv"),
    snapshot: newest.snapshot,
    files: newest.files.map(({ name, table, rows, bytes }) => [
      markup`<code>${name}</code>`,
      table ?? "",
      rows ?? "",
      bytes,
    ]),
  };
}
