import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { type AscendingLists, firstAbove, takeLeast, valueAtPlace } from "../../src/query/ascending-lists.ts";
import { codeColumn } from "../../src/store/code-column.ts";

/** Lists one after the other in a column. */
function listsOf(parts: readonly number[][]): AscendingLists {
  const all = parts.flat();
  const column = codeColumn(all.length, 1000);
  column.set(all);
  const to = parts.map((_, part) => parts.slice(0, part + 1).flat().length);
  return { column, from: to.map((end, part) => end - (parts[part]?.length ?? 0)), to };
}

const value = fc.oneof(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 10, max: 14 }));
const ascending = fc.array(value, { maxLength: 30 }).map((values) => values.sort((a, b) => a - b));

t.test("the value at each place is that of the lists sorted together, without what is removed", async () => {
  const parts = fc.array(ascending, { maxLength: 6 });
  fc.assert(
    fc.property(parts, fc.array(fc.nat(), { maxLength: 8 }), fc.nat({ max: 3 }), value, (parts, picks, more, guess) => {
      const left = parts.flat().sort((a, b) => a - b);
      const gone: number[] = [];
      for (const pick of picks) if (left.length > 0) gone.push(...left.splice(pick % left.length, 1));
      const removed = Uint32Array.from([...gone.sort((a, b) => a - b), ...new Array<number>(more).fill(0)]);
      for (const [place, wanted] of left.entries()) {
        assert.equal(valueAtPlace(listsOf(parts), place, 0, 999, removed, gone.length), wanted);
        assert.equal(valueAtPlace(listsOf(parts), place, 0, 999, removed, gone.length, guess), wanted, "from a guess");
      }
    }),
    { numRuns: 500 },
  );
});

t.test("the first place above a value is sought between two places alone", async (t) => {
  const { column } = listsOf([[1, 3, 3, 5]]);
  t.same(
    [0, 1, 2, 3, 4, 5, 6].map((value) => firstAbove(column, 0, 4, value)),
    [0, 1, 1, 3, 3, 4, 4],
  );
  t.equal(firstAbove(column, 2, 3, 0), 2);
  t.equal(firstAbove(column, 2, 3, 9), 3);
});

t.test(
  "the least values of several lists are taken in order, and each list is left behind what was taken of it",
  async () => {
    const parts = fc.array(fc.uniqueArray(value, { maxLength: 20 }), { maxLength: 6 });
    fc.assert(
      fc.property(parts, fc.nat({ max: 120 }), (given, wanted) => {
        // As rows are: no value stands in two lists.
        const rows = given.map((list, part) => list.map((one) => one * 8 + part).sort((a, b) => a - b));
        const all = rows.flat().sort((a, b) => a - b);
        const count = Math.min(wanted, all.length);
        const column = Uint32Array.from(rows.flat());
        const to = rows.map((_, part) => rows.slice(0, part + 1).flat().length);
        const from = to.map((end, part) => end - (rows[part]?.length ?? 0));
        const heads = from.slice();
        assert.deepEqual([...takeLeast(column, heads, to, count)], all.slice(0, count));
        const last = all[count - 1] ?? -1;
        const taken = rows.map((list) => list.filter((one) => one <= last).length);
        assert.deepEqual(
          heads,
          from.map((start, part) => start + (taken[part] ?? 0)),
        );
      }),
      { numRuns: 500 },
    );
  },
);
