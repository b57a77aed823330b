import t from "tap";
import { pageBounds, pageCount, pageOf } from "../../../src/engine/query/page.ts";

t.test("a page begins where the one before ends, the last one may be short", async (t) => {
  t.same(pageBounds(45, 1, 20), { from: 0, to: 20 });
  t.same(pageBounds(45, 2, 20), { from: 20, to: 40 });
  t.same(pageBounds(45, 3, 20), { from: 40, to: 45 });
});

t.test("a full last page is followed by an empty one", async (t) => {
  t.same(pageBounds(40, 2, 20), { from: 20, to: 40 });
  t.same(pageBounds(40, 3, 20), { from: 40, to: 40 });
});

t.test("pages past the last are empty, however far", async (t) => {
  t.same(pageBounds(45, 4, 20), { from: 45, to: 45 });
  t.same(pageBounds(45, Number.MAX_SAFE_INTEGER, 100), { from: 45, to: 45 });
  t.same(pageBounds(0, 1, 20), { from: 0, to: 0 });
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
