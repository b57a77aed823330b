/** Products that share the stem of a name: the same produce under the names of several years or varieties. */
import type { Day } from "../domain/calendar-day.ts";
import type { ProductRecord } from "../domain/records.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { type ProductCode, recordAt } from "../store/catalogue.ts";
import { rowsOf } from "../store/posting-list.ts";
import type { Store } from "../store/store.ts";
import { columnKinds, type DataTable } from "./data-table.ts";
import type { Section } from "./page.ts";
import { type PageRequest, productLink } from "./request.ts";

/** A product with the same stem of the name. */
export interface RelatedProduct extends NonNullable<ReturnType<typeof daysOfProduct>> {
  readonly product: ProductCode;
  /** Whether it begins later and has newer prices. */
  readonly continues: boolean;
}

/** The name up to the bracket that names the variety. */
function stemOf(foldedName: string): string {
  return (foldedName.split("(")[0] as string).trim();
}

/** The other products with prices that share the stem of the name, the newest first. Cost: a look at every product. */
export function relatedProducts(store: Store, code: ProductCode): RelatedProduct[] {
  const { products } = store.catalogue;
  const stem = stemOf(products[code]?.foldedName ?? "");
  const own = daysOfProduct(store, code);
  return [...products.entries()]
    .filter(([other, { foldedName }]) => other !== code && stemOf(foldedName) === stem)
    .flatMap(([other]): RelatedProduct[] => {
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

/** The related products as a table. */
export function relatedSection(request: PageRequest, code: ProductCode, related: readonly RelatedProduct[]): Section {
  const { store, words } = request;
  const recordOf = ({ product }: RelatedProduct): ProductRecord => recordAt(store.catalogue.products, product);
  const { recorded, count, product } = columnKinds<RelatedProduct>(request);
  const badge = markup` <span class="badge">${words.say("continues")}</span>`;
  const link = (row: RelatedProduct): Markup => markup`${productLink(request, recordOf(row))}${row.continues && badge}`;
  const searched = encodeURIComponent(stemOf(store.catalogue.products[code]?.foldedName ?? ""));
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
  return {
    id: "related",
    heading: words.say("relatedHeading"),
    content: renderParagraph(words.say("relatedLead")),
    table,
  };
}
