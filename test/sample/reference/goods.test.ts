import t from "tap";
import { goods } from "../../../src/sample/reference/goods.ts";

t.test("goods are complete, their names differ, maize comes first", (t) => {
  t.equal(new Set(goods.map(({ name }) => name)).size, goods.length);
  t.ok(goods.length > 100);
  t.equal(goods[0]?.name, "Maize (white)");
  for (const { name, swahiliName, category, shillings } of goods) {
    t.ok(name !== "" && swahiliName !== "" && category !== "" && shillings > 0, name);
  }
  t.end();
});

t.test("a dozen goods are of at least four categories", (t) => {
  t.ok(new Set(goods.slice(0, 12).map(({ category }) => category)).size >= 4);
  t.end();
});
