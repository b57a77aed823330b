import fc from "fast-check";
import t from "tap";
import { type ByteText, bytesOf, byteText, jsonText } from "../../../src/contract/byte-text.ts";
import * as s from "../../../src/contract/schema.ts";
import type { ProductRecord } from "../../../src/engine/model/records.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { answerText, joinTexts, listText, textsByRecord } from "../../../src/service/http/answer/json-text.ts";
import type { JsonWriter } from "../../../src/service/http/answer/json-writer.ts";
import {
  byStore,
  type JsonText,
  pieceBytes,
  writeList,
  writeText,
} from "../../../src/service/http/answer/json-writer.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

/** The text in one piece, read from its bytes. */
function whole(text: JsonText): string {
  return bytesOf((typeof text === "string" ? text : [...text].join("")) as ByteText).toString();
}

/** Writes any value. */
function writeJson(writer: JsonWriter, value: unknown): void {
  writer.text(JSON.stringify(value));
}

t.test("lists in lists, whole or in pieces, are what JSON.stringify makes of the same values", async (t) => {
  // Some so long that a list of them does not fit in one piece.
  const name = fc.oneof(fc.string(), fc.constant("x".repeat(12_000)));
  const item = fc.record({ name, price: fc.double({ noNaN: true }), notes: fc.option(fc.string()) });
  const groups = fc.array(fc.record({ product: item, prices: fc.array(item, { maxLength: 5 }) }), { maxLength: 4 });
  fc.assert(
    fc.property(groups, fc.boolean(), (groups, hasMeta) => {
      const data = listText(groups, ({ product, prices }) => {
        const list = listText(prices, jsonText);
        return joinTexts(byteText(`{"product":${JSON.stringify(product)},"prices":`), list, byteText("}"));
      });
      const meta = hasMeta ? { total: groups.length } : undefined;
      const text = answerText(data, meta && jsonText(meta));
      t.equal(whole(text), JSON.stringify({ data: groups, meta }));
    }),
  );
});

t.test("lists around the length of a piece are whole, however many items follow", async (t) => {
  for (let length = pieceBytes - 3; length <= pieceBytes + 1; length++) {
    for (const following of [0, 1, 2]) {
      const items = ["x".repeat(length - '[""'.length), ...Array.from({ length: following }, String)];
      const flat = (): JsonText => listText(items, jsonText);
      t.equal(whole(flat()), JSON.stringify(items));
      t.equal(whole(writeList(items, writeJson)), JSON.stringify(items));
      t.equal(whole(listText([0, 1], flat)), JSON.stringify([items, items]));
    }
  }
});

t.test("a list of written items, whole or in pieces, is what JSON.stringify makes of them", async (t) => {
  const item = fc.oneof(fc.string(), fc.constant("ü".repeat(9000)));
  fc.assert(
    fc.property(fc.array(item, { maxLength: 12 }), (items) => {
      t.equal(whole(writeList(items, writeJson)), JSON.stringify(items));
    }),
  );
});

t.test("pieces of two lists can be asked for in turns", async (t) => {
  const numbers = Array.from({ length: 20_000 }, (_, at) => at);
  const [first, second] = [numbers, numbers.toReversed()].map((items) => writeList(items, writeJson));
  const pieces: [string[], string[]] = [[], []];
  const [a, b] = [first, second].map((text) => (text as Iterable<string>)[Symbol.iterator]());
  for (let isOver = false; !isOver; ) {
    const nexts = [a?.next(), b?.next()];
    for (const [at, next] of nexts.entries()) if (next?.done === false) pieces[at]?.push(next.value);
    isOver = nexts.every((next) => next?.done === true);
  }
  t.ok(pieces[0].length > 2, `${pieces[0].length} pieces`);
  t.equal(pieces[0].join(""), JSON.stringify(numbers));
  t.equal(pieces[1].join(""), JSON.stringify(numbers.toReversed()));
});

t.test("an item that cannot be written leaves nothing behind", async (t) => {
  const broken = (): JsonText =>
    writeList([1, 2], (writer, item) => {
      writer.number(item);
      if (item === 2) throw new RangeError("broken");
    });
  t.throws(broken, RangeError);
  t.equal(
    writeText((writer) => writer.number(3)),
    "3",
  );
});

t.test("an answer that is one text stays one", async (t) => {
  t.equal(whole(answerText(jsonText({ a: "ü" }))), '{"data":{"a":"ü"}}');
});

t.test("a long list is made piece by piece, and a short one in one", async (t) => {
  let made = 0;
  const pieces = listText(new Uint8Array(200), () => {
    made++;
    return jsonText("x".repeat(1000));
  });
  t.not(typeof pieces, "string");
  t.ok(made > 1 && made < 50, `${made} items`);
  t.equal(whole(pieces), JSON.stringify(new Array(200).fill("x".repeat(1000))));
  t.equal(listText(new Uint8Array(20), jsonText), JSON.stringify([...new Uint8Array(20)]));
});

t.test("texts are made once for a store, and again for another", async (t) => {
  let made = 0;
  const texts = textsByRecord(s.exactly({ name: s.text("Its name.") }), (record: ProductRecord) => {
    made++;
    return record;
  });
  const [first, second] = [buildStore(tinyDataset()), buildStore(tinyDataset())];
  const { record } = first.catalogue.products[1] as { readonly record: ProductRecord };
  for (const store of [first, first, second]) t.equal(texts(store)(record), JSON.stringify({ name: record.name }));
  t.equal(made, 2);
  const made2 = byStore(() => ({}));
  t.equal(made2(first), made2(first));
  t.not(made2(first), made2(second));
});
