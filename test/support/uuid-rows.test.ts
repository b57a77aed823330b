import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { Uuid } from "../../src/domain/ids.ts";
import { UuidRows } from "./uuid-rows.ts";

t.test("a uuid is new once, and its first place is kept", async (t) => {
  const rows = new UuidRows();
  const a = "00000000-0000-4000-8000-000000000001" as Uuid;
  const b = "00000000-0000-4000-8000-000000000002" as Uuid;
  t.equal(rows.add(a, { file: 0, line: 7 }), undefined);
  t.equal(rows.add(b, { file: 1, line: 8 }), undefined);
  t.equal(rows.add(a, { file: 2, line: 9 }), 0);
  t.equal(rows.size, 2);
  t.same(rows.placeOf(0), { file: 0, line: 7 });
  t.same(rows.placeOf(1), { file: 1, line: 8 });
  t.equal(rows.latestFileOf(0), 0);
  rows.meetAgain(0, 2);
  t.equal(rows.latestFileOf(0), 2);
  t.same(rows.placeOf(0), { file: 0, line: 7 }, "the first place stays");
});

t.test("an entry outside the rows is named", async (t) => {
  const rows = new UuidRows();
  t.throws(() => rows.placeOf(0), { name: "RangeError", message: /entry is 0/ });
  t.throws(() => rows.placeOf(-1), RangeError);
});

t.test("it answers as a Map does, while it grows", async () => {
  fc.assert(
    fc.property(fc.array(fc.uuid(), { maxLength: 50 }), fc.nat(3000), (uuids, many) => {
      const counted = Array.from(
        { length: many },
        (_, index) => `${String(index).padStart(8, "0")}${"-0000-0000-0000-000000000000"}`,
      );
      const rows = new UuidRows();
      const entries = new Map<string, number>();
      for (const [line, uuid] of [...uuids, ...counted, ...uuids].entries()) {
        assert.equal(rows.add(uuid as Uuid, { file: 0, line }), entries.get(uuid));
        if (!entries.has(uuid)) entries.set(uuid, entries.size);
      }
      assert.equal(rows.size, entries.size);
    }),
    { numRuns: 30 },
  );
});
