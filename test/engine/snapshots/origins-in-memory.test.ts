import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import type { Uuid } from "../../../src/engine/model/ids.ts";
import type { PriceOrigin } from "../../../src/engine/model/records.ts";
import { PriceOrigins } from "../../../src/engine/snapshots/price-origins.ts";
import { uuidOf } from "../../support/tiny-dataset.ts";

function originsOf(list: readonly PriceOrigin[]): PriceOrigins {
  const origins = new PriceOrigins();
  for (const origin of list) origins.add(origin);
  return origins;
}

const origin: fc.Arbitrary<PriceOrigin> = fc
  .record({
    uuid: fc.integer({ min: 1, max: 30 }).map((number) => uuidOf("price", number)),
    file: fc.constantFrom("", "may.xlsx", "june.csv"),
    sheet: fc.constantFrom(null, "", "Nakuru"),
    row: fc.constantFrom(1, 2, 500_000, Number.MAX_SAFE_INTEGER),
    importedAt: fc.constantFrom(null, 0 as Instant, 1_780_000_000_000 as Instant),
  })
  .map((fields) => ({ ...fields }));

t.test("of each price the first origin is found that was added, and no other price", async () => {
  fc.assert(
    fc.property(fc.array(origin, { maxLength: 60 }), fc.array(fc.integer({ min: 1, max: 40 })), (list, numbers) => {
      const uuids = numbers.map((number) => uuidOf("price", number));
      const naive = new Map<Uuid, PriceOrigin>();
      for (const one of list) if (uuids.includes(one.uuid) && !naive.has(one.uuid)) naive.set(one.uuid, one);
      const byUuid = ([a]: [Uuid, PriceOrigin], [b]: [Uuid, PriceOrigin]): number => (a < b ? -1 : 1);
      assert.deepEqual([...originsOf(list).find(uuids)].sort(byUuid), [...naive].sort(byUuid));
    }),
  );
});

t.test("origins of more than one block are found, and cost no object each", async (t) => {
  const count = 200_000;
  const origins = originsOf(
    Array.from({ length: count }, (_, at) => {
      return { uuid: uuidOf("price", at), file: "may.xlsx", sheet: "Nakuru", row: at + 1, importedAt: null };
    }),
  );
  const wanted = [0, 65_535, 65_536, count - 1];
  const found = origins.find([...wanted, count].map((number) => uuidOf("price", number)));
  t.strictSame(
    [...found.values()].map(({ row }) => row - 1),
    wanted,
  );
});
