/**
 * What pages say of a figure: a price with its place, population, month and markets; and a change of the markets that
 * it names.
 */

import type { Words } from "../../contract/words.ts";
import type { MonthNumber } from "../../engine/model/calendar.ts";
import { type MeasureOfMonth, placeMarketsMin } from "../../engine/query/measures/find-judged.ts";
import type { PriceChange } from "../../engine/query/measures/judge-month.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import type { Store } from "../../engine/store/store.ts";
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";

/** A change, with the later of its months. */
export type FoundChange = MeasureOfMonth<PriceChange>;

/** Returns whether a change is that of its place: of enough markets, or of a market as the place. */
export function isOfPlace(matched: PriceChange["matched"]): boolean {
  return matched === undefined || matched.count >= placeMarketsMin;
}

/** Changes of less percent than this are called none. */
const noChangePercentMax = 0.5;

/**
 * A change: `▲ +12% since March 2025 at 11 markets`; at fewer than five, which say nothing of their place, the markets
 * are named: `Kibuye ▲ +4%, Kangemi ▼ −2% since March 2025`; a dash without any.
 *
 * @param priced The month of the price beside it: a change of another month names its own.
 */
export function showChange(store: Store, words: Words, change: FoundChange | undefined, priced: MonthNumber): Markup {
  if (change === undefined) return markup`–`;
  const said = partsOf(store, change).map(
    ({ name, percent }) => markup`${name && `${name} `}${showPercent(words, percent)}`,
  );
  return markup`${joinMarkup(said, ", ")} <br><span class="quiet">${sampleText(words, change, priced)}</span>`;
}

/** The same as text. */
export function changeText(store: Store, words: Words, change: FoundChange, priced: MonthNumber): string {
  const said = partsOf(store, change).map(({ name, percent }) => `${name && `${name} `}${words.change(percent)}`);
  return `${said.join(", ")} ${sampleText(words, change, priced)}`;
}

/** The change of a place or market, or those of the markets that it is of, by name. */
function partsOf({ catalogue }: Store, { measure: { changePercent, matched } }: FoundChange) {
  if (matched === undefined || isOfPlace(matched)) return [{ name: "", percent: changePercent }];
  return matched.changes.map(({ market, changePercent }) => {
    return { name: recordAt(catalogue.markets, market).name, percent: changePercent };
  });
}

/** `since March 2025 at 11 markets`, or `from March 2025 to March 2026` where the price is of a later month. */
function sampleText(words: Words, { month, measure }: FoundChange, priced: MonthNumber): string {
  const [first, last] = [words.month(measure.month), words.month(month)];
  const span = words.say(month === priced ? "sinceMonth" : "fromMonthTo", { first, last });
  const { matched } = measure;
  return matched === undefined || !isOfPlace(matched)
    ? span
    : `${span} ${words.say("atMarkets", { count: matched.count })}`;
}

/** `▲ +12%` in the colour of its direction. */
function showPercent(words: Words, percent: number): Markup {
  if (Math.abs(percent) < noChangePercentMax) return markup`<strong>${words.change(percent)}</strong>`;
  const [className, arrow] = percent > 0 ? ["rise", "▲"] : ["fall", "▼"];
  const sign = markup`<span aria-hidden="true">${arrow}</span>`;
  return markup`<strong class="${className}">${sign} ${words.change(percent)}</strong>`;
}
