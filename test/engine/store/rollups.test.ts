import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import {
  dayOfInstant,
  dayText,
  type Instant,
  monthTextOf,
  quarterText,
  weekText,
  yearText,
} from "../../../src/engine/model/calendar.ts";
import {
  type MarketType,
  marketTypes,
  type TimeGrouping,
  timeGroupings,
} from "../../../src/engine/model/vocabulary.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Group } from "../../../src/engine/store/figures.ts";
import { groupOfRollup, groupSegments, rollupPartition } from "../../../src/engine/store/group-prices.ts";
import { conversionTo } from "../../../src/engine/store/price-conversion.ts";
import { allTypes } from "../../../src/engine/store/runs.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { randomDataset } from "../../support/random-dataset.ts";

const labelsOf = { day: dayText, week: weekText, month: monthTextOf, quarter: quarterText, year: yearText };

t.test("each product's periods, of all markets and of each type, have the figures of their rows", async () => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const store = buildStore(dataset);
      for (const product of store.catalogue.products.keys()) {
        for (const grouping of timeGroupings) {
          compareGroups(
            rolledUp(store, grouping, rollupPartition(product, allTypes)),
            groupsOfRows(store, product, grouping),
          );
          for (const [type, name] of marketTypes.entries()) {
            const wanted = grouping === "day" ? [] : groupsOfRows(store, product, grouping, name);
            compareGroups(rolledUp(store, grouping, rollupPartition(product, type)), wanted);
          }
        }
      }
    }),
  );
});

type Named = readonly [label: string, group: Group];

/** Throws where groups differ: sums may be added up in another order. */
function compareGroups(found: readonly Named[], wanted: readonly Named[]): void {
  const exact = ([label, { key: _, mean: __, deviation: ___, ...figures }]: Named): object => ({ label, ...figures });
  assert.deepEqual(found.map(exact), wanted.map(exact));
  for (const [at, [, { mean, deviation, max }]] of found.entries()) {
    const group = wanted[at]?.[1];
    assert.ok(Math.abs(mean - (group?.mean ?? Number.NaN)) <= 1e-9 * max);
    assert.ok(Math.abs(deviation - (group?.deviation ?? Number.NaN)) <= 1e-9 * max);
  }
}

/** The groups of an owner. */
function rolledUp({ rollups, periods }: Store, grouping: TimeGrouping, owner: number): Named[] {
  const rollup = rollups[grouping];
  const [from = 0, to = 0] = rollup.offsets.subarray(owner, owner + 2);
  return Array.from({ length: to - from }, (_, at) => {
    const group = groupOfRollup(rollup, from + at);
    return [periods[grouping].labels[group.key] ?? "none", group];
  });
}

/** The groups that the rows of a product make up, newest first. */
function groupsOfRows(store: Store, product: number, grouping: TimeGrouping, type?: MarketType): Named[] {
  const { prices, catalogue, statisticsUnits, snapshot } = store;
  const conversion = conversionTo(store, statisticsUnits[product] ?? { unit: "", currency: null });
  const rows = Array.from(prices.products.keys()).filter(
    (row) =>
      prices.products[row] === product &&
      (type === undefined || catalogue.markets[prices.markets[row] ?? -1]?.record.type === type),
  );
  const labelOf = (row: number): string =>
    labelsOf[grouping](dayOfInstant(prices.recordedAt[row] as Instant, snapshot.utcOffset));
  return [...Map.groupBy(rows, labelOf)]
    .map(([label, rows]): Named => {
      const segments = {
        markets: rows.map((row) => prices.markets[row] ?? -1),
        from: rows,
        to: rows.map((row) => row + 1),
        rowCount: rows.length,
      };
      return [
        label,
        groupSegments({ ...store, conversion }, 0, segments, 0, rows.length, new Float64Array(segments.rowCount)),
      ];
    })
    .sort(([a], [b]) => (a < b ? 1 : -1));
}
