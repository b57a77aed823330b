/** When prices were recorded, for readers. */
import { dayOfInstant } from "../domain/calendar-day.ts";
import { periodOfSource } from "../domain/dataset.ts";
import type { Instant } from "../domain/instant.ts";
import type { PageRequest } from "./request.ts";
import { monthOf } from "./words.ts";

/** When a price was recorded: `15 Oct 2025`, or `October 2025` where the prices of its source stand for a month each. */
export function recordedText({ store, words }: Pick<PageRequest, "store" | "words">, row: number): string {
  const { prices, snapshot } = store;
  const day = dayOfInstant(prices.recordedAt[row] as Instant, snapshot.utcOffset);
  const source = prices.sourceNames[prices.sources[row] as number] as string;
  return periodOfSource(snapshot.periods, source) === "month" ? words.month(monthOf(day)) : words.day(day);
}

/** When the newest price of all was recorded. The store must hold one. */
export function newestRecordedText(request: Pick<PageRequest, "store" | "words">): string {
  return recordedText(request, request.store.rowsByTime[0] as number);
}
