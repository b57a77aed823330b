/** Markets and sources that went silent, and products without any price. */

import { dayText } from "../../../engine/model/calendar.ts";
import { silentDays } from "../../../engine/query/find-silent.ts";
import { foundText } from "../../../engine/snapshots/problem.ts";
import { rowsOf } from "../../../engine/store/columns.ts";
import { ageOfRow, dayOfRow } from "../../../engine/store/periods.ts";
import type { Store } from "../../../engine/store/store.ts";
import type { Description, Finding, Judgement } from "./warning.ts";

/** Without a snapshot to compare with, silence is news for so many days. */
export const newsDays = 31;

/**
 * Finds markets that went silent: more than 60 days before the newest price of the source that recorded the market's
 * own newest price. So a market is not silent because another source is ahead of its own.
 *
 * It does not find markets that were silent in the snapshot before, or, without one, for more than a month. Cost: a
 * look at each market.
 */
export function* findSilentMarkets({ after, before }: Judgement): Generator<Finding> {
  for (const [market, { record }] of after.catalogue.markets.entries()) {
    const daysBefore = before && daysOfMarket(before, before.catalogue.marketCodes.get(record.uuid));
    if (!wentSilent(daysOfMarket(after, market), daysBefore, before)) continue;
    const describe = (): Description => silence(after, record.name, rowsOf(after.rowsByMarket, market)[0]);
    yield { kind: "silent-market", subject: { market }, describe };
  }
}

/**
 * Returns the number of days that the newest price of a market is older than the newest of its source; undefined
 * without prices.
 */
function daysOfMarket(store: Store, market: number | undefined): number | undefined {
  const row = market === undefined ? undefined : rowsOf(store.rowsByMarket, market)[0];
  if (row === undefined) return undefined;
  return ageOf(store, row)! - ageOf(store, store.newestRowBySource[store.prices.sources[row]!])!;
}

/** Finds sources that went silent: more than 60 days before the newest price of all. Otherwise as markets. */
export function* findSilentSources({ after, before }: Judgement): Generator<Finding> {
  const [newest, newestBefore] = [newestRowsByName(after), before && newestRowsByName(before)];
  for (const name of new Set([...newest.keys(), ...(newestBefore?.keys() ?? [])])) {
    const row = newest.get(name);
    if (!wentSilent(ageOf(after, row), before && ageOf(before, newestBefore?.get(name)), before)) continue;
    const describe = (): Description => ({ field: "source", ...silence(after, name, row) });
    yield { kind: "silent-source", subject: "prices", describe };
  }
}

/** The newest row of each source. */
function newestRowsByName({ prices, newestRowBySource }: Store): ReadonlyMap<string, number> {
  return new Map(prices.sourceNames.map((name, code) => [name, newestRowBySource[code]!]));
}

/** Returns the number of days that a row is older than the newest; undefined without a row. */
function ageOf({ periods }: Store, row: number | undefined): number | undefined {
  return row === undefined ? undefined : ageOfRow(periods, row);
}

/** @param days Days of silence; undefined without prices. `daysBefore`: the same of the snapshot before. */
function wentSilent(days: number | undefined, daysBefore: number | undefined, before: Store | undefined): boolean {
  if (days !== undefined && days <= silentDays) return false;
  if (before !== undefined) return daysBefore !== undefined && daysBefore <= silentDays;
  return days !== undefined && days <= silentDays + newsDays;
}

/** @param row The newest one; undefined without prices. */
function silence(store: Store, name: string, row: number | undefined): Description {
  const since = row === undefined ? "any price left" : `a price since ${dayText(dayOfRow(store.periods, row))}`;
  return { found: `${foundText(name)} without ${since}`, wanted: `a price within ${silentDays} days` };
}

/** Finds products without any price: with a snapshot to compare with, those that are new or had prices there. */
export function* findUnpriced({ after, before }: Judgement): Generator<Finding> {
  for (const [product, { record }] of after.catalogue.products.entries()) {
    if (rowsOf(after.rowsByProduct, product).length > 0) continue;
    const productBefore = before?.catalogue.productCodes.get(record.uuid);
    const hadNone = before !== undefined && productBefore !== undefined;
    if (hadNone && rowsOf(before.rowsByProduct, productBefore).length === 0) continue;
    const found = `${foundText(record.name)} without any price`;
    yield { kind: "no-prices", subject: { product }, describe: () => ({ found, wanted: "at least one" }) };
  }
}
