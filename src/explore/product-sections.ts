/** What the page of a product says in tables alone: whether its prices are unusual or suspicious, and like products. */

import type { Day } from "../domain/calendar-day.ts";
import { monthText } from "../domain/calendar-month.ts";
import type { ProductRecord } from "../domain/records.ts";
import { readUuid } from "../domain/uuid-words.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { SuspiciousPrice } from "../query/find-suspicious.ts";
import type { JudgedSubject } from "../query/measures/find-judged.ts";
import { stateMeasures } from "../query/state-of-prices.ts";
import { type ProductCode, recordAt } from "../store/catalogue.ts";
import { rowsOf } from "../store/posting-list.ts";
import type { Store } from "../store/store.ts";
import type { ProductMeasure } from "../store/unit-conversion.ts";
import { columnKinds, type DataTable } from "./data-table.ts";
import { anomalyRequests, judgementColumns, marketTypeOf, showNewest } from "./judgement.ts";
import type { Section } from "./page.ts";
import { type ProductAtPlace, placeQuery } from "./place.ts";
import { type PageRequest, productLink } from "./request.ts";

/** Whether the prices of a product at a location are unusual: a row for each type of market. */
export function unusualSection(
  request: PageRequest,
  { code, record, place }: ProductAtPlace,
  judged: readonly JudgedSubject[],
): Section {
  const { store, words, site } = request;
  const { unit, currency } = store.measures[code] as ProductMeasure;
  const { marketType, price, csv } = columnKinds<JudgedSubject>(request);
  const { change, usual, alps } = judgementColumns<JudgedSubject>(request, (row) => row);
  const shownNewest = (row: JudgedSubject): Markup => showNewest(request, row);
  const scope = { level: place.kind, productUuid: record.uuid, ...place.conditions };
  const table: DataTable<JudgedSubject> = {
    rows: judged,
    requests: anomalyRequests(scope, judged, stateMeasures),
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
export function suspiciousSection(
  request: PageRequest,
  { record, place }: ProductAtPlace,
  suspicious: readonly SuspiciousPrice[],
): Section | undefined {
  if (suspicious.length === 0) return undefined;
  const { store, words } = request;
  const { prices } = store;
  const { text, recorded, price, csv, market, marketType } = columnKinds<SuspiciousPrice>(request);
  const unitOf = ({ row }: SuspiciousPrice) => prices.unitNames[prices.units[row] as number] as string;
  const currencyOf = ({ row }: SuspiciousPrice) => prices.currencyCodes[prices.currencies[row] as number] as string;
  const priceOf = ({ row }: SuspiciousPrice) => prices.prices[row] as number;
  const reasonOf = ({ reason }: SuspiciousPrice) => reason;
  const path = `/api/v1/exports/prices.csv?product_uuid=${record.uuid}${placeQuery(place)}&suspicious=true`;
  const table: DataTable<SuspiciousPrice> = {
    rows: suspicious,
    requests: [{ path }],
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

/** A product with the same stem of the name: the same produce under the names of several years or varieties. */
export interface RelatedProduct extends NonNullable<ReturnType<typeof daysOfProduct>> {
  readonly product: ProductCode;
  /** Whether it begins later and has newer prices. */
  readonly continues: boolean;
}

/** The name of a product up to the bracket that names the variety. */
function stemOf({ catalogue }: Store, code: number): string {
  const [stem = ""] = (catalogue.products[code]?.foldedName ?? "").split("(");
  return stem.trim();
}

/** The other products with prices that share the stem of the name, the newest first. Cost: a look at every product. */
export function relatedProducts(store: Store, code: ProductCode): RelatedProduct[] {
  const stem = stemOf(store, code);
  const own = daysOfProduct(store, code);
  return [...store.catalogue.products.keys()]
    .filter((other) => other !== code && stemOf(store, other) === stem)
    .flatMap((other): RelatedProduct[] => {
      const days = daysOfProduct(store, other);
      if (days === undefined) return [];
      const continues = own !== undefined && days.dayFirst > own.dayFirst && days.dayLast > own.dayLast;
      return [{ product: other as ProductCode, ...days, continues }];
    })
    .sort((a, b) => b.dayLast - a.dayLast || a.product - b.product);
}

/** Its oldest and newest row, their days, and how many prices it has; undefined without prices. */
function daysOfProduct({ periods: { newestDay, ages, dayCodes }, rowsByProduct }: Store, product: number) {
  const rows = rowsOf(rowsByProduct, product);
  const [newestRow, oldestRow] = [rows[0], rows.at(-1)];
  if (newestRow === undefined || oldestRow === undefined) return undefined;
  const dayOf = (row: number): Day => (newestDay - (ages[dayCodes[row] as number] as number)) as Day;
  return { oldestRow, newestRow, dayFirst: dayOf(oldestRow), dayLast: dayOf(newestRow), count: rows.length };
}

/** The related products as a table; undefined without any. */
export function relatedSection(request: PageRequest, code: ProductCode): Section | undefined {
  const { store, words } = request;
  const related = relatedProducts(store, code);
  if (related.length === 0) return undefined;
  const recordOf = ({ product }: RelatedProduct): ProductRecord => recordAt(store.catalogue.products, product);
  const { recorded, count, product } = columnKinds<RelatedProduct>(request);
  const badge = markup` <span class="badge">${words.say("continues")}</span>`;
  const link = (row: RelatedProduct): Markup => markup`${productLink(request, recordOf(row))}${row.continues && badge}`;
  const searched = encodeURIComponent(stemOf(store, code));
  const table: DataTable<RelatedProduct> = {
    rows: related,
    requests: [{ path: `/api/v1/products?search=${searched}&page_size=100` }],
    columns: [
      ...product(recordOf, link),
      recorded("first_day", words.say("first"), ({ oldestRow }) => oldestRow),
      recorded("last_day", words.say("last"), ({ newestRow }) => newestRow),
      count("price_count", words.say("samples"), (row) => row.count),
    ],
  };
  const lead = renderParagraph(words.say("relatedLead"));
  return { id: "related", heading: words.say("relatedHeading"), content: lead, table };
}
