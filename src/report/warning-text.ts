/** Warnings of a published snapshot, whose files and lines readers no longer have: the price is named in their place. */
import { problemText } from "../dataset/problem.ts";
import { visibleText } from "../domain/visible-text.ts";
import type { Warning } from "../publish/warnings/warning.ts";
import { dateText } from "./page-parts.ts";

/** What was found, and what is usual. */
export function reasonOf(warning: Warning): string {
  if (warning.price === undefined) return problemText(warning);
  const { field, found, wanted } = warning;
  return visibleText(`${field === undefined ? "found" : `${field} is`} ${found}, expected ${wanted}`);
}

/** `Maize at Wakulima, 2026-01-15 (WFP): price is …`; without a price as `problemText`. */
export function warningText(warning: Warning, utcOffset: number): string {
  return `${subjectOf(warning, utcOffset)}${reasonOf(warning)}`;
}

/** Which price a warning is about; empty without one. */
export function subjectOf({ price }: Warning, utcOffset: number): string {
  if (price === undefined) return "";
  const { product, market, recordedAt, source } = price;
  return visibleText(`${product} at ${market}, ${dateText(recordedAt, utcOffset)} (${source}): `);
}
