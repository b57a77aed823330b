/**
 * Groups the prices of a selection by time, market or county. Groups of whole periods are looked up in rollups where
 * these have the same prices; all others are made of the segments of the selection.
 */
import type { Grouping, LocationGrouping, TimeGrouping } from "../model/vocabulary.ts";
import type { ProductCode } from "../store/catalogue.ts";
import type { Range } from "../store/columns.ts";
import type { Group } from "../store/figures.ts";
import {
  groupByPeriod,
  groupSegments,
  groupsOfRollup,
  type PriceSource,
  type RollupRange,
  rollupRange,
} from "../store/group-prices.ts";
import { splitByPeriod } from "../store/periods.ts";
import { allTypes, runsAt, selectSegments, withTest } from "../store/runs.ts";
import { StepCounter } from "../store/steps.ts";
import type { Store } from "../store/store.ts";
import { type Selection, suspiciousRows } from "./select.ts";

/** The selection of a product that exists. */
export interface ProductSelection extends Selection {
  readonly product: ProductCode;
}

/** What groups are made of. */
export interface GroupsMaking {
  readonly store: Store;
  readonly selection: ProductSelection;
  readonly source: PriceSource;
  /** True if the source has the unit and currency of the product's statistics, as rollups do. */
  readonly isOwnUnit: boolean;
}

/** The groups of an answer in its order: some of them neighbours in a rollup, where they stay columns. */
export interface FoundGroups {
  readonly before: readonly Group[];
  /** Its groups follow from the last to the first; null where all groups of the answer are objects. */
  readonly rollup: RollupRange | null;
  readonly after: readonly Group[];
}

function withoutRollup(before: readonly Group[]): FoundGroups {
  return { before, rollup: null, after: [] };
}

/** The groups of at least one price, each an object. */
export function listGroups({ before, rollup, after }: FoundGroups): readonly Group[] {
  const groups = [...before, ...(rollup === null ? [] : groupsOfRollup(rollup)), ...after];
  return groups.filter(({ count }) => count > 0);
}

/** Groups in the order of an answer. Cost: see `priceStatistics`. */
export function* findGroups(making: GroupsMaking, grouping: Grouping): Generator<number, FoundGroups> {
  return grouping === "market" || grouping === "county"
    ? withoutRollup(yield* groupByLocation(making, grouping))
    : yield* groupByTime(making, grouping);
}

/** Groups by time, oldest first. */
function* groupByTime(making: GroupsMaking, grouping: TimeGrouping): Generator<number, FoundGroups> {
  const { store, isOwnUnit } = making;
  const { product, markets, days, isUnrestricted, rowTest, segments } = making.selection;
  const { dayCodes, [grouping]: list } = store.periods;
  const { type } = markets;
  const hasGroups = isOwnUnit && isUnrestricted && (type === allTypes || grouping !== "day");
  // An unrestricted selection with a test leaves out suspicious prices, and a rollup does not.
  const leftOut = hasGroups && rowTest !== null ? suspiciousRows(store, { product, markets, days, rowTest: null }) : [];
  const rebuilt = new Set(leftOut.map((row) => list.ofDay[dayCodes[row]!]!));
  const { from, to } = runsAt(store.runs, product, markets);
  // To rebuild the group of a period reads each run; to make all groups reads each price once.
  const isMoreWork = rebuilt.size * (to - from) > store.runs.rowOffsets[to]! - store.runs.rowOffsets[from]!;
  if (!hasGroups || isMoreWork) {
    return withoutRollup((yield* groupByPeriod(making.source, grouping, yield* segments())).reverse());
  }
  const { whole, newerCut, olderCut } = splitByPeriod(list, days);
  const before = yield* groupsWithin(making, grouping, olderCut);
  const after = yield* groupsWithin(making, grouping, newerCut);
  const rollup = rollupRange(store.rollups[grouping], product, type, whole);
  if (rebuilt.size === 0) return { before, rollup, after };
  const groups: Group[] = [];
  for (const group of groupsOfRollup(rollup)) {
    if (!rebuilt.has(group.key)) {
      groups.push(group);
      continue;
    }
    const ofPeriod = { from: list.dayOffsets[group.key]!, to: list.dayOffsets[group.key + 1]! };
    groups.push(...(yield* groupsWithin(making, grouping, ofPeriod)));
    yield to - from;
  }
  return withoutRollup([...before, ...groups, ...after]);
}

/** The groups of some days of a selection. @param days Day codes. */
function* groupsWithin(making: GroupsMaking, grouping: TimeGrouping, days: Range): Generator<number, Group[]> {
  if (days.from >= days.to) return [];
  const { product, markets, rowTest } = making.selection;
  const segments = yield* withTest(selectSegments(making.store, product, markets, days), rowTest);
  return (yield* groupByPeriod(making.source, grouping, segments)).reverse();
}

/** Converting a price and making it part of a group costs about as much as looking at so many rows. */
const groupedRow = 6;

/** Rows read between two yields. */
const stepRows = 16_384;

/** Groups by market or county, by name. The segments of a market or county are neighbours. */
function* groupByLocation(
  { store, selection, source }: GroupsMaking,
  grouping: LocationGrouping,
): Generator<number, Group[]> {
  const { marketCounties, marketsByName, countiesByName } = store.catalogue;
  const segments = yield* selection.segments();
  const { markets, from, to } = segments;
  const keyOf = (market: number): number => (grouping === "market" ? market : marketCounties[market]!);
  const values = new Float64Array(segments.rowCount);
  const byKey = new Map<number, Group>();
  const steps = new StepCounter(stepRows);
  for (let start = 0; start < markets.length; ) {
    const key = keyOf(markets[start]!);
    let end = start + 1;
    while (end < markets.length && keyOf(markets[end]!) === key) end++;
    byKey.set(key, groupSegments(source, key, segments, start, end, values));
    let rows = 0;
    for (; start < end; start++) rows += to[start]! - from[start]!;
    const step = steps.add(groupedRow * rows);
    if (step > 0) yield step;
  }
  const groups: Group[] = [];
  for (const key of grouping === "market" ? marketsByName : countiesByName) {
    const group = byKey.get(key);
    if (group !== undefined) groups.push(group);
  }
  return groups;
}
