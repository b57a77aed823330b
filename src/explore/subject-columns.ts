/** Columns that say what a judgement is of: product, type of market, and the median of the newest month. */
import { monthText } from "../domain/calendar-month.ts";
import type { ProductRecord } from "../domain/records.ts";
import { type Markup, markup } from "../pages/markup.ts";
import type { JudgedSubject } from "../query/measures/find-judged.ts";
import { recordAt } from "../store/catalogue.ts";
import type { ProductMeasure } from "../store/unit-conversion.ts";
import { showMonth } from "./county-map-section.ts";
import { columnKinds, type DataColumn } from "./data-table.ts";
import { marketTypeOf } from "./judgement.ts";
import { type LinkParameters, type PageRequest, productLink } from "./request.ts";

interface SubjectRows<Row> {
  judgedOf(row: Row): JudgedSubject;
  /** Markets with a price in the newest month; not said where undefined. */
  marketsOf?(row: Row): number | undefined;
  /** Where links lead, beside the type of market. */
  readonly parameters?: LinkParameters;
}

export function subjectColumns<Row>(
  request: PageRequest,
  { judgedOf, marketsOf, parameters }: SubjectRows<Row>,
): DataColumn<Row>[] {
  const { store, words } = request;
  const { product, price, csv } = columnKinds<Row>(request);
  const newest = (row: Row): JudgedSubject["newest"] => judgedOf(row).newest;
  const productOf = (row: Row): ProductRecord => recordAt(store.catalogue.products, newest(row).product);
  const measure = (row: Row): ProductMeasure => store.measures[newest(row).product] as ProductMeasure;
  const type = (row: Row) => marketTypeOf(judgedOf(row));
  const showProduct = (row: Row): Markup =>
    markup`${productLink(request, productOf(row), { ...parameters, type: type(row) })}<br>
<span class="quiet">${words.type(type(row))}</span>`;
  const showMedian = (row: Row): Markup => showNewest(request, judgedOf(row), marketsOf?.(row));
  return [
    ...product(productOf, showProduct),
    csv("market_type", type),
    price("median_price", words.say("median"), (row) => newest(row).median, showMedian),
    csv("month", (row) => monthText(newest(row).month)),
    csv("sample_count", (row) => newest(row).sampleCount),
    csv("suspicious_left_out", (row) => newest(row).suspiciousLeftOut),
    csv("currency", (row) => measure(row).currency),
    csv("unit", (row) => measure(row).unit),
  ];
}

/** The median of the newest month, with its prices, its markets where these are known, the month and its age. */
export function showNewest(request: PageRequest, { newest }: JudgedSubject, markets?: number): Markup {
  const { store, words } = request;
  const { currency, unit } = store.measures[newest.product] as ProductMeasure;
  const prices = words.say("priceCount", { count: newest.sampleCount });
  const behind = markets === undefined ? prices : `${prices}, ${words.say("marketsShort", { count: markets })}`;
  return markup`${words.priceOf(newest.median, currency, unit)}<br>
<span class="quiet">${behind}, ${showMonth(request, newest.month)}</span>`;
}
