/** What the page of a product says in tables alone: whether its prices are unusual or suspicious, and like products. */

import { monthText } from "../domain/calendar-month.ts";
import { readUuid } from "../domain/uuid-words.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { SuspiciousPrice } from "../query/find-suspicious.ts";
import type { JudgedSubject } from "../query/measures/find-judged.ts";
import { stateMeasures } from "../query/state-of-prices.ts";
import type { ProductEntry } from "../store/catalogue.ts";
import type { ProductMeasure } from "../store/unit-conversion.ts";
import { columnKinds, type DataTable } from "./data-table.ts";
import { anomalyRequests, judgementColumns, marketTypeOf, showNewest } from "./judgement.ts";
import type { Section } from "./page.ts";
import { type ProductView, type RelatedProduct, stemOf } from "./product-view.ts";
import { apiGet, type PageRequest, productLink, scopeParameters } from "./request.ts";

/** Whether the prices of a product at a location are unusual: a row for each type of market. */
export function unusualSection(request: PageRequest, { code, scope, place, judged }: ProductView): Section {
  const { store, words, site } = request;
  const { unit, currency } = store.measures[code] as ProductMeasure;
  const { marketType, price, csv } = columnKinds<JudgedSubject>(request);
  const { change, usual, alps } = judgementColumns<JudgedSubject>(request, (row) => row);
  const shownNewest = (row: JudgedSubject): Markup => showNewest(request, row);
  const table: DataTable<JudgedSubject> = {
    rows: judged,
    requests: anomalyRequests({ level: place.kind, ...scope }, judged, stateMeasures),
    columns: [
      marketType(marketTypeOf),
      ...change,
      ...usual,
      ...alps,
      csv("month", ({ newest }) => monthText(newest.month)),
      price("median_price", words.say("median"), ({ newest }) => newest.median, shownNewest),
      csv("sample_count", ({ newest }) => newest.sampleCount),
      csv("suspicious_left_out", ({ newest }) => newest.suspiciousLeftOut),
      csv("unit", () => unit),
      csv("currency", () => currency),
    ],
  };
  const same = place.kind !== "market" && [" ", words.say("sameMarkets")];
  const explained = markup` <a href="${site.docsUrl}/anomalies">${words.say("howComputed")}</a>`;
  const lead = renderParagraph([words.say("unusualLead"), same, explained]);
  return { id: "unusual", heading: words.say("unusualHeading"), content: lead, table };
}

/** The suspicious prices of a product, and why each is suspicious; undefined without any. */
export function suspiciousSection(request: PageRequest, { scope, figures }: ProductView): Section | undefined {
  const { suspicious } = figures;
  if (suspicious.length === 0) return undefined;
  const { store, words } = request;
  const { prices } = store;
  const { text, recorded, price, csv, market, marketType } = columnKinds<SuspiciousPrice>(request);
  const unitOf = ({ row }: SuspiciousPrice) => prices.unitNames[prices.units[row] as number] as string;
  const currencyOf = ({ row }: SuspiciousPrice) => prices.currencyCodes[prices.currencies[row] as number] as string;
  const priceOf = ({ row }: SuspiciousPrice) => prices.prices[row] as number;
  const reasonOf = ({ reason }: SuspiciousPrice) => reason;
  const table: DataTable<SuspiciousPrice> = {
    rows: suspicious,
    requests: [apiGet("/exports/prices.csv", { ...scopeParameters(scope), suspicious: "true" })],
    columns: [
      recorded("day", words.say("day"), ({ row }) => row),
      price("price", words.say("price"), priceOf, (row) => words.priceOf(priceOf(row), currencyOf(row), unitOf(row))),
      csv("unit", unitOf),
      csv("currency", currencyOf),
      ...market((row) => row.market),
      marketType((row) => row.market.type),
      text("suspicious_reason", words.say("why"), reasonOf, ({ reason }) => words.say(`suspicious ${reason}`)),
      csv("price_uuid", ({ row }) => readUuid(prices.uuids, row)),
    ],
  };
  const lead = renderParagraph(words.say("suspiciousLead"));
  return { id: "suspicious", heading: words.say("suspiciousHeading"), content: lead, table };
}

/** The related products as a table; undefined without any. */
export function relatedSection(request: PageRequest, { code, related }: ProductView): Section | undefined {
  const { store, words } = request;
  if (related.length === 0) return undefined;
  const { recorded, count, product } = columnKinds<RelatedProduct>(request);
  const badge = markup` <span class="badge">${words.say("continues")}</span>`;
  const link = (row: RelatedProduct): Markup => markup`${productLink(request, row.product)}${row.continues && badge}`;
  const searched = encodeURIComponent(stemOf(store.catalogue.products[code] as ProductEntry));
  const table: DataTable<RelatedProduct> = {
    rows: related,
    requests: [apiGet("/products", { search: searched, page_size: 100 })],
    columns: [
      ...product((row) => row.product, link),
      recorded("first_day", words.say("first"), ({ oldestRow }) => oldestRow),
      recorded("last_day", words.say("last"), ({ newestRow }) => newestRow),
      count("price_count", words.say("samples"), (row) => row.count),
    ],
  };
  const lead = renderParagraph(words.say("relatedLead"));
  return { id: "related", heading: words.say("relatedHeading"), content: lead, table };
}
