import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { dayOfInstant, dayText, monthText, weekText } from "../../src/domain/calendar-day.ts";
import type { Instant } from "../../src/domain/instant.ts";
import { type MarketType, marketTypes } from "../../src/domain/vocabulary.ts";
import { buildStore } from "../../src/store/build-store.ts";
import { type GroupFigures, GroupFiguresBuilder } from "../../src/store/group-figures.ts";
import { addGroup, measuringIn } from "../../src/store/measuring.ts";
import type { OwnedFigures } from "../../src/store/owned-builder.ts";
import type { TimeGrouping } from "../../src/store/periods.ts";
import { countyKey, countyOfKey, typeOwner } from "../../src/store/ready-figures.ts";
import type { Store } from "../../src/store/store.ts";
import { randomDataset } from "../support/random-dataset.ts";
import { tinyDataset } from "../support/tiny-dataset.ts";

const labelsOf = { day: dayText, week: weekText, month: monthText };

/** Every figure of a group beside what it is. */
type Group = readonly [name: string | number, ...figures: number[]];

t.test("each product's periods, of all markets and of each type, have the figures of their rows", async () => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const store = buildStore(dataset);
      const { byTime, byTimeOfType } = store.figures;
      for (const product of store.catalogue.products.keys()) {
        for (const grouping of ["day", "week", "month"] as const) {
          const wanted = groupsOfRows(store, product, (row) => labelAt(store, row, grouping));
          assert.deepEqual(byLabel(store, grouping, byTime[grouping], product), wanted);
          if (grouping === "day") continue;
          for (const [type, name] of marketTypes.entries()) {
            const wanted = groupsOfRows(store, product, (row) => labelAt(store, row, grouping), name);
            assert.deepEqual(byLabel(store, grouping, byTimeOfType[grouping], typeOwner(product, type)), wanted);
          }
        }
      }
    }),
  );
});

t.test("each series has the figures of its rows", async () => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const store = buildStore(dataset);
      const { seriesOffsets, markets } = store.series;
      assert.equal(store.figures.bySeries.keys.length, markets.length);
      for (const product of store.catalogue.products.keys()) {
        const wanted = groupsOfRows(store, product, (row) => marketAt(store, row));
        const [from = 0, to = 0] = seriesOffsets.subarray(product, product + 2);
        const found = groupsAt(store.figures.bySeries, from, to);
        assert.deepEqual(found, wanted.sort(byName));
      }
    }),
  );
});

t.test("each product's counties, of all markets and of each type, have the figures of their rows", async () => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const store = buildStore(dataset);
      const { offsets, figures } = store.figures.byCounty;
      for (const product of store.catalogue.products.keys()) {
        const wanted = [undefined, ...marketTypes].flatMap((name, at) =>
          groupsOfRows(store, product, (row) => countyKey(countyAt(store, row), at - 1), name),
        );
        const [from = 0, to = 0] = offsets.subarray(product, product + 2);
        assert.deepEqual(groupsAt(figures, from, to), wanted.sort(byName));
      }
    }),
  );
});

t.test("figures are in the product's own unit and currency, and what that leaves out is counted", async (t) => {
  const { figures } = buildStore(
    tinyDataset({
      products: [{ commonUnits: ["90 kg bag"] }],
      prices: [{ price: 50 }, { price: 4500, unit: "90 kg bag" }, { unit: "litre" }, { currency: "USD" }],
    }),
  );
  for (const { means, counts, converted, excluded } of [figures.byTime.month.figures, figures.bySeries]) {
    t.same([means[0], counts[0], converted[0], excluded[0]], [4500, 2, 1, 2]);
  }
});

t.test("keys of counties tell the county and the type of market, and ascend", async (t) => {
  const keys: number[] = [];
  for (let county = 1; county <= 47; county++) {
    for (let type = -1; type < marketTypes.length; type++) {
      keys.push(countyKey(county, type));
      t.equal(countyOfKey(countyKey(county, type)), county);
    }
  }
  t.same(
    keys.toSorted((a, b) => a - b),
    keys,
  );
  t.equal(new Set(keys).size, keys.length);
});

t.test("without prices no owner has figures", async (t) => {
  const { figures } = buildStore(tinyDataset());
  const all = [...Object.values(figures.byTime), ...Object.values(figures.byTimeOfType), figures.byCounty];
  for (const { offsets, figures } of all) t.same([Math.max(...offsets), figures.keys.length], [0, 0]);
  t.equal(figures.bySeries.keys.length, 0);
});

/** The groups that the rows of a product make up, newest first. */
function groupsOfRows(
  store: Store,
  product: number,
  nameOf: (row: number) => string | number,
  marketType?: MarketType,
): Group[] {
  const { prices, catalogue, measures } = store;
  const { productOffsets } = prices;
  const [from = 0, to = 0] = productOffsets.subarray(product, product + 2);
  const rows = Array.from({ length: to - from }, (_, at) => from + at).filter(
    (row) => marketType === undefined || catalogue.markets[marketAt(store, row)]?.record.type === marketType,
  );
  const { unit = "", currency = null } = measures[product] ?? {};
  const measuring = measuringIn(catalogue, prices, unit, currency);
  return [...Map.groupBy(rows, nameOf)].map(([name, rows]) => {
    const builder = new GroupFiguresBuilder();
    addGroup(builder, 0, prices, measuring, Uint32Array.from(rows), 0, rows.length, new Float64Array(rows.length));
    return [name, ...figuresAt(builder.view(), 0)];
  });
}

function groupsAt(figures: GroupFigures, from: number, to: number): Group[] {
  const groups: Group[] = [];
  for (let at = from; at < to; at++) groups.push([figures.keys[at] ?? -1, ...figuresAt(figures, at)]);
  return groups;
}

function byLabel(
  { periods }: Store,
  grouping: TimeGrouping,
  { offsets, figures }: OwnedFigures,
  owner: number,
): Group[] {
  const [from = 0, to = 0] = offsets.subarray(owner, owner + 2);
  return groupsAt(figures, from, to).map(([key, ...all]) => [periods[grouping].labels[Number(key)] ?? "none", ...all]);
}

function figuresAt(figures: GroupFigures, at: number): number[] {
  const { keys, ...columns } = figures;
  return Object.values(columns).map((column) => column[at] ?? Number.NaN);
}

function labelAt({ prices, snapshot }: Store, row: number, grouping: TimeGrouping): string {
  return labelsOf[grouping](dayOfInstant(prices.recordedAt[row] as Instant, snapshot.utcOffset));
}

function marketAt({ prices }: Store, row: number): number {
  return prices.markets[row] ?? -1;
}

function countyAt(store: Store, row: number): number {
  return store.catalogue.markets[marketAt(store, row)]?.record.countyId ?? -1;
}

function byName([a]: Group, [b]: Group): number {
  return Number(a) - Number(b);
}
