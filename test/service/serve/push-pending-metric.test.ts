/** The metric of what waits to be pushed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { removePendingPush, writePendingPush } from "../../../src/engine/snapshots/push-pending.ts";
import { readMetrics } from "../../../src/service/serve/metrics.ts";
import { startingState } from "../../support/starting-state.ts";

t.test(
  "push_pending_seconds counts from the first announcement that waits, and is infinite for a damaged mark",
  async (t) => {
    const data = t.testdir();
    const state = startingState(data);
    const read = async (): Promise<number | undefined> => {
      const text = await (await readMetrics(state)).metrics();
      const value = /^push_pending_seconds (.*)$/m.exec(text)?.[1];
      return value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value);
    };
    t.equal(await read(), 0);
    const since = (Date.now() - 3_600_000) as Instant;
    await writePendingPush(data, { destination: "/srv/prices", sequence: 7, since, cause: null });
    const found = (await read()) ?? 0;
    t.ok(found >= 3600 && found < 3700, `${found}`);
    await removePendingPush(data);
    t.equal(await read(), 0);
    writeFileSync(join(data, "push-pending.json"), "half a li");
    t.equal(await read(), Number.POSITIVE_INFINITY);
  },
);
