/**
 * Warnings of a published snapshot, whose files and lines readers no longer have: the price is named instead.
 */
import type { SnapshotIdentity } from "../domain/dataset.ts";
import type { Warning } from "../publish/warnings/warning.ts";
import { recordedText } from "./report-text.ts";

/** What was found, and what is usual. */
export function reasonOf({ field, found, wanted }: Warning): string {
  return `${field === undefined ? "" : `${field} is `}${found}, expected ${wanted}`;
}

/** `Maize at Wakulima, 2026-01-15 (WFP): `: which price a warning is about; empty without one. */
export function subjectOf({ price }: Warning, snapshot: SnapshotIdentity): string {
  if (price === undefined) return "";
  const { product, market, recordedAt, source } = price;
  return `${product} at ${market}, ${recordedText(recordedAt, source, snapshot)} (${source}): `;
}
