/**
 * Prices of the same series and day under different uuids: a day that was entered or imported twice, or two
 * observations.
 */

import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { readUuid } from "../../../engine/model/ids.ts";
import { foundName } from "../../../engine/snapshots/problem.ts";
import { lowerBound } from "../../../engine/store/columns.ts";
import type { Store } from "../../../engine/store/store.ts";
import { type Description, type Finding, findingOf, type Judgement, rowText } from "./warning.ts";

/**
 * Finds rows that repeat another price of their series, grade and day, or have another price than one of these. Cost:
 * as of `sameDayPairs`.
 */
export function* findRepeatedDays(judgement: Judgement): Generator<Finding> {
  const { prices } = judgement.after.prices;
  for (const [row, other] of sameDayPairs(judgement)) {
    const kind = prices[row] === prices[other] ? "repeated-price" : "second-price";
    yield findingOf(kind, row, () => describe(judgement.after, row, other));
  }
}

/**
 * Rows whose product, market, unit, currency, quality grade and day another price has too, each with that one. Sources
 * do not matter: statistics count both. Of several such rows that all are judged, every one but the first is found; of
 * those not judged, none.
 *
 * Cost: a read of the rows of the same product, market and day.
 */
function* sameDayPairs({ after, rows }: Judgement): Generator<readonly [row: number, other: number]> {
  const { prices, periods } = after;
  const { products, markets, units, currencies, grades, rowCount } = prices;
  const { dayCodes } = periods;
  /** By series and grade, the first row of each price of the day. */
  const noted = new Map<number, Map<number, number>>();
  let judged = 0;
  while (judged < rows.length) {
    const [from, to] = sameDay(rows[judged]!);
    const end = lowerBound(rows, null, to, judged, rows.length);
    if (to - from > 1) {
      noted.clear();
      // Rows that are there already come first, so that what repeats them is found.
      for (let row = from, at = judged; row < to; row++) {
        if (at < end && rows[at] === row) at++;
        else note(row);
      }
      for (let at = judged; at < end; at++) {
        const row = rows[at]!;
        const other = note(row);
        if (other !== undefined) yield [row, other];
      }
    }
    judged = end;
  }

  /** The rows of the product, market and day of a row: [from, to). They are neighbours. */
  function sameDay(row: number): readonly [from: number, to: number] {
    let [from, to] = [row, row + 1];
    while (from > 0 && isSameDay(from - 1, row)) from--;
    while (to < rowCount && isSameDay(to, row)) to++;
    return [from, to];
  }

  function isSameDay(a: number, b: number): boolean {
    return dayCodes[a] === dayCodes[b] && products[a] === products[b] && markets[a] === markets[b];
  }

  /** @returns A row before this one of the same series, grade and day, of the same price if there is one. */
  function note(row: number): number | undefined {
    const price = prices.prices[row]!;
    // At most 65,535 of each, so the number is exact.
    const key = (units[row]! * 0x1_0000 + currencies[row]!) * 0x1_0000 + grades[row]!;
    const rowsByPrice = getOrInsert(noted, key, () => new Map<number, number>());
    const other = rowsByPrice.get(price) ?? rowsByPrice.values().next().value;
    if (!rowsByPrice.has(price)) rowsByPrice.set(price, row);
    return other;
  }
}

function describe(store: Store, row: number, other: number): Description {
  const { prices } = store;
  const source = prices.sourceNames[prices.sources[other]!]!;
  const uuid = readUuid(prices.uuids, other);
  return {
    field: "price",
    found: `${prices.prices[row]}, beside ${prices.prices[other]} of ${foundName(source)} (uuid ${uuid})`,
    wanted: `one price of ${rowText(store, row)} per unit, currency and grade`,
  };
}
