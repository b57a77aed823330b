/** The form of numbers, days, links and tables in the report. */

import { productPath } from "../../contract/paths.ts";
import { wordsOf } from "../../contract/words.ts";
import { dayOfInstant, dayText, type Instant, monthOf } from "../../engine/model/calendar.ts";
import type { SnapshotIdentity } from "../../engine/model/dataset.ts";
import type { Uuid } from "../../engine/model/ids.ts";
import { periodOfSource } from "../../engine/model/vocabulary.ts";
import { renderParagraph, renderTable, type TableColumn } from "../pages/elements.ts";
import { type Markup, type MarkupValue, markup } from "../pages/markup.ts";

/** A table with its caption above: a caption element would be as wide as the table, and scroll away with it. */
export function renderCaptionedTable<Row>(
  caption: string,
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
): Markup {
  return markup`${renderParagraph(caption, "caption")}
${renderTable(columns, rows, { label: caption })}`;
}

/** A column of figures, at the right. */
export function figureColumn<Row>(heading: string, show: (row: Row) => MarkupValue): TableColumn<Row> {
  return { heading, show, kind: "number" };
}

/** The name of a product, which leads to its page where the address of a service is known. */
export type ProductLink = (uuid: Uuid, name: string) => MarkupValue;

/** @param base Without a slash at its end; undefined where no service is known. */
export function productLinks(base: string | undefined): ProductLink {
  return (uuid, name) => (base === undefined ? name : markup`<a href="${base}${productPath(uuid)}">${name}</a>`);
}

/** `26,745` */
export function countText(count: number): string {
  return count.toLocaleString("en");
}

/** `1 price`, `26,745 prices`. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${countText(count)} ${count === 1 ? singular : plural}`;
}

/**
 * A price with two decimals, or three digits where it is less than 1. All digits are in the data that --json prints.
 */
export function priceText(price: number): string {
  if (price >= 1e15 || price < 1e-6) return price.toPrecision(3);
  return price.toLocaleString("en", price < 1 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 2 });
}

/** The day of an instant, in the calendar of the snapshot. */
export function dateText(instant: Instant, utcOffset: number): string {
  return dayText(dayOfInstant(instant, utcOffset));
}

/** The time of a price: its day, or `April 2026` where the prices of its source stand for a month each. */
export function recordedText(recordedAt: Instant, source: string, { periods, utcOffset }: SnapshotIdentity): string {
  if (periodOfSource(periods, source) !== "month") return dateText(recordedAt, utcOffset);
  return wordsOf("en").month(monthOf(dayOfInstant(recordedAt, utcOffset)));
}
