import t from "tap";
import { pageBounds, pageCount, pageOf } from "../../../src/engine/query/page.ts";

t.test("a page begins where the one before ends, the last may be short, and those past it are empty", async (t) => {
  for (const [total, page, pageSize, from, to] of [
    [45, 1, 20, 0, 20],
    [45, 2, 20, 20, 40],
    [45, 3, 20, 40, 45],
    [40, 2, 20, 20, 40],
    [40, 3, 20, 40, 40],
    [45, 4, 20, 45, 45],
    [45, Number.MAX_SAFE_INTEGER, 100, 45, 45],
    [0, 1, 20, 0, 0],
  ] as const) {
    t.same(pageBounds(total, page, pageSize), { from, to }, `page ${page} of ${total}`);
  }
});

t.test("a page is cut out of a list or a column, with the length of the whole", async (t) => {
  t.same(pageOf(["a", "b", "c"], 2, 2), { entries: ["c"], total: 3 });
  t.same(pageOf(Uint32Array.of(7, 8, 9), 1, 2), { entries: Uint32Array.of(7, 8), total: 3 });
  t.same(pageOf([], 1, 2), { entries: [], total: 0 });
});

t.test("pages are counted up to the one that holds the last entry", async (t) => {
  t.same(
    [0, 1, 20, 21, 40, 41].map((total) => pageCount(total, 20)),
    [0, 1, 1, 2, 2, 3],
  );
});
