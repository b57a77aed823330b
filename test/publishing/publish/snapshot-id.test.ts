import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { ClockError, nextPublication, wholeSecond } from "../../../src/publishing/publish/snapshot-id.ts";

const hash = `1f2e3d4c5b6a${"0".repeat(52)}`;
const now = Date.UTC(2026, 10, 20, 8, 30) as Instant;
const idAt = (time: string): SnapshotId => `${time}-ffffffffffff` as SnapshotId;

t.test("the id is the time of publication and the first digits of the hash", async (t) => {
  t.same(nextPublication(now, null, hash), { id: "20261120T083000Z-1f2e3d4c5b6a", createdAt: now });
  t.same(nextPublication(now, idAt("20261120T082959Z"), hash), { id: "20261120T083000Z-1f2e3d4c5b6a", createdAt: now });
});

t.test("the id is greater than the current one, also within its second and while the clock is behind", async (t) => {
  for (const [current, expected] of [
    ["20261120T083000Z", "20261120T083001Z-1f2e3d4c5b6a"],
    ["20261231T235959Z", "20270101T000000Z-1f2e3d4c5b6a"],
  ] as const) {
    const { id, createdAt } = nextPublication(now, idAt(current), hash);
    t.equal(id, expected);
    t.ok(id > idAt(current));
    t.equal(new Date(createdAt).toISOString().replaceAll(/[-:]|\.000/g, ""), expected.slice(0, 16));
  }
});

t.test("parts of a second are dropped before, and a time that no id can hold is refused", async (t) => {
  t.equal(wholeSecond((now + 999) as Instant), now);
  t.throws(() => nextPublication(Date.UTC(10_000, 0, 1) as Instant, null, hash), ClockError);
  t.throws(() => nextPublication(now, idAt("20261399T083000Z"), hash), { message: /expected a time that exists/ });
});
