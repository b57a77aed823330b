import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { compareUuids, wordsPerUuid, writeUuid } from "../../../src/engine/model/ids.ts";
import { sortInAnswerOrder } from "../../../src/engine/store/answer-order.ts";
import { randomUuid } from "../../support/random-dataset.ts";

/** Throws where the order is not that of a comparison of times, then uuids. */
function checkOrder(instants: readonly number[], uuids: readonly string[]): void {
  const words = new Uint32Array(instants.length * wordsPerUuid);
  for (const [row, uuid] of uuids.slice(0, instants.length).entries()) writeUuid(words, row, uuid);
  const recordedAt = Float64Array.from(instants);
  const wanted = Uint32Array.from(instants.keys()).sort(
    (a, b) => (recordedAt[b] ?? 0) - (recordedAt[a] ?? 0) || compareUuids(words, a, b),
  );
  assert.deepEqual(sortInAnswerOrder(recordedAt, words), wanted);
}

const uuids = fc.uniqueArray(randomUuid, { minLength: 130, maxLength: 130, size: "max" });

t.test("newest come first, equal times by uuid, in runs of every length", async () => {
  const runs = fc.array(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 22, max: 27 })), { maxLength: 4 });
  fc.assert(
    fc.property(runs, uuids, fc.constantFrom(1, 1000, 2 ** 20, 2 ** 34), (lengths, uuids, apart) => {
      const instants = lengths.flatMap((length, run) => new Array<number>(length).fill(((run * 7) % 5) * apart));
      checkOrder(instants, uuids);
    }),
  );
});

t.test("times of any spread are in order", async () => {
  const instant = fc.oneof(
    fc.constantFrom(0, 1, -1, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, -(2 ** 46), 2 ** 47),
    fc.integer({ min: -(2 ** 46), max: 2 ** 47 }),
  );
  fc.assert(
    fc.property(fc.array(instant, { maxLength: 130 }), uuids, (instants, uuids) => checkOrder(instants, uuids)),
  );
});
