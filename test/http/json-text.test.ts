import fc from "fast-check";
import t from "tap";
import { answerText, LazyList } from "../../src/http/json-text.ts";

/** The text in one piece. */
function whole(data: unknown, meta?: unknown): string {
  const text = answerText(meta === undefined ? { data } : { data, meta });
  return typeof text === "string" ? text : [...text].join("");
}

t.test("an answer without lazy lists is one text", (t) => {
  t.equal(answerText({ data: [1, { a: "ü" }], meta: null }), '{"data":[1,{"a":"ü"}],"meta":null}');
  t.end();
});

t.test("a lazy list is written as a list, wherever it may stand", (t) => {
  const item = fc.record({ name: fc.string(), price: fc.double({ noNaN: true }), notes: fc.option(fc.string()) });
  const list = fc.array(item, { maxLength: 5 });
  fc.assert(
    fc.property(fc.array(fc.record({ product: item, prices: list }), { maxLength: 4 }), item, (groups, meta) => {
      const nested = groups.map(({ product, prices }) => ({ product, prices: new LazyList(prices) }));
      t.equal(whole(new LazyList(nested), meta), JSON.stringify({ data: groups, meta }), "as data, and in its items");
      const field = { product: meta, statistics: new LazyList(groups), overall: 1 };
      t.equal(whole(field), JSON.stringify({ data: { ...field, statistics: groups } }), "as a field of data");
      t.equal(JSON.stringify(new LazyList(groups)), JSON.stringify(groups));
    }),
  );
  t.end();
});

t.test("a field without a value is left out beside a lazy list, as JSON.stringify does", (t) => {
  t.equal(
    whole({ before: undefined, list: new LazyList([{ a: 1 }]), after: undefined }),
    '{"data":{"list":[{"a":1}]}}',
  );
  t.end();
});

t.test("items are made when they are asked for", (t) => {
  let made = 0;
  function* items(): Generator<object> {
    for (; made < 5; made++) yield { made };
  }
  const pieces = (answerText({ data: new LazyList(items()) }) as Iterable<string>)[Symbol.iterator]();
  let text = "";
  while (!text.includes('"made":1')) text += pieces.next().value;
  t.equal(made, 1);
  t.end();
});
