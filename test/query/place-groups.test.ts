import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { type Day, dayFromText } from "../../src/domain/calendar-day.ts";
import type { Instant } from "../../src/domain/instant.ts";
import { addPlace } from "../../src/query/place-groups.ts";
import { seriesPartsOf } from "../../src/query/series-parts.ts";
import { buildStore } from "../../src/store/build-store.ts";
import { type GroupFigures, GroupFiguresBuilder } from "../../src/store/group-figures.ts";
import { addGroup, measuringIn } from "../../src/store/measuring.ts";
import type { Store } from "../../src/store/store.ts";
import { agree } from "../support/naive-queries.ts";
import { type TinyPrice, tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const dayFirst = dayFromText("2026-01-01") as Day;
const county = 47;

function productOf({ catalogue }: Store): number {
  return catalogue.productCodes.get(uuidOf("product", 1)) ?? -1;
}

/** Prices of one product, one a day, at two markets of one county. */
function storeOf(prices: readonly Partial<TinyPrice>[]): Store {
  const oneADay = prices.map((price, at) => ({
    recordedAt: ((dayFirst + at) * 86_400_000 + 6 * 3_600_000) as Instant,
    ...price,
  }));
  return buildStore(tinyDataset({ markets: [{ countyId: 47 as never }, { countyId: 47 as never }], prices: oneADay }));
}

/** The figures of the county over some days, from what is ready, and from the rows. */
function bothWays(store: Store, first: number, last: number): { found: GroupFigures; wanted: GroupFigures } {
  const { byCounty } = store.figures;
  const product = productOf(store);
  const parts = seriesPartsOf(store, product, {
    dayFirst: (dayFirst + first) as Day,
    dayLast: (dayFirst + last) as Day,
  });
  const found = new GroupFiguresBuilder();
  addPlace(found, county, store, product, { figures: byCounty.figures, at: byCounty.offsets[product] ?? -1 }, parts);
  const rows = parts.from.flatMap((from, part) => [...store.series.rows.subarray(from, parts.to[part])]);
  const { unit = "", currency = null } = store.measures[product] ?? {};
  const measuring = measuringIn(store.catalogue, store.prices, unit, currency);
  const wanted = new GroupFiguresBuilder();
  const scratch = new Float64Array(rows.length);
  addGroup(wanted, county, store.prices, measuring, Uint32Array.from(rows), 0, rows.length, scratch);
  return { found: found.view(), wanted: wanted.view() };
}

function assertAlike({ found, wanted }: { found: GroupFigures; wanted: GroupFigures }): void {
  for (const name of ["keys", "counts", "mins", "maxs", "medians", "converted", "excluded"] as const) {
    assert.equal(found[name][0], wanted[name][0], name);
  }
  for (const name of ["means", "deviations"] as const) {
    const [a = Number.NaN, b = Number.NaN] = [found[name][0], wanted[name][0]];
    assert.ok(agree(a, b), `${name} ${a}, expected ${b}`);
  }
}

const anyPrice = fc.record({
  market: fc.constantFrom(0, 0, 0, 1),
  price: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.double({ min: 1e-3, max: 1e5, noNaN: true })),
  unit: fc.constantFrom("kg", "kg", "kg", "g", "bunch"),
  currency: fc.constantFrom("KES", "KES", "KES", "KES", "USD"),
});

t.test("what days leave of a place has the figures of its rows, however much they cut away", async () => {
  fc.assert(
    fc.property(
      fc.array(anyPrice, { minLength: 20, maxLength: 120 }),
      fc.nat(12),
      fc.nat(12),
      (prices, cut, cutLast) => {
        assertAlike(bothWays(storeOf(prices), cut, prices.length - 1 - cutLast));
      },
    ),
    { numRuns: 500 },
  );
});

t.test("a price far off that is cut away leaves the digits of the others", async () => {
  const prices = Array.from({ length: 40 }, (_, at) => ({ price: 100 + (at % 3) / 1000, market: at % 2 }));
  for (const price of [1e12, 1e200, Number.MAX_VALUE]) {
    const store = storeOf([{ price }, ...prices]);
    assertAlike(bothWays(store, 1, 40));
  }
});

t.test("equal prices have no deviation, and their own average", async (t) => {
  const { found } = bothWays(storeOf(Array.from({ length: 40 }, () => ({ price: 0.1 }))), 1, 38);
  t.same([found.counts[0], found.means[0], found.medians[0], found.deviations[0]], [38, 0.1, 0.1, 0]);
});
