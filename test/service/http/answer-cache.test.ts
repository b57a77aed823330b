import fc from "fast-check";
import t from "tap";
import { byteText } from "../../../src/contract/byte-text.ts";
import { answerCollectionsMax, cachedAnswerBytesMax } from "../../../src/contract/limits.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { AnswerCache } from "../../../src/service/http/answer/answer-cache.ts";
import type { CodedBody } from "../../../src/service/http/answer/representation.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";
import "../../support/fixed-seed.ts";

const store = buildStore(tinyDataset());
const nextStore = buildStore(tinyDataset());

function startCache({ bytesMax = 100_000, currentStore = () => store } = {}): AnswerCache {
  return new AnswerCache(bytesMax, currentStore);
}

const answer = (text: string): CodedBody => {
  const bytes = byteText(text);
  return { bytes, coding: "identity", plainBytes: bytes.length };
};
const answerOf = (length: number): CodedBody => answer("x".repeat(length));

t.test("an answer is found under its key", async (t) => {
  const cache = startCache();
  t.equal(cache.find(store, "a"), undefined);
  const cached: CodedBody = { bytes: byteText("„Mahindi“ é"), coding: "gzip", plainBytes: 300 };
  cache.add(store, "a", cached);
  t.strictSame(cache.find(store, "a"), cached);
  t.equal(cache.find(store, "b"), undefined);
});

t.test("whatever is cached, all of it takes no more than the limit", async () => {
  const answer = fc.record({ key: fc.string({ maxLength: 300 }), length: fc.integer({ min: 0, max: 20_000 }) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200_000 }), fc.array(answer, { maxLength: 60 }), (bytesMax, answers) => {
      const cache = startCache({ bytesMax });
      let bytes = 0;
      for (const { key, length } of answers) {
        cache.add(store, key, answerOf(length));
        bytes += length;
        if (cache.bytes > bytesMax) return false;
      }
      // What is counted is at least what is there.
      const there = new Set(answers.map(({ key }) => key))
        .values()
        .map((key) => cache.find(store, key)?.bytes.length ?? 0);
      return there.reduce((sum, length) => sum + length, 0) <= Math.min(bytes, cache.bytes);
    }),
  );
});

t.test("the least recently used answer goes first; one beyond the limits is not cached", async (t) => {
  const cache = startCache({ bytesMax: 4 * cachedAnswerBytesMax });
  for (const key of ["a", "b", "c"]) cache.add(store, key, answerOf(cachedAnswerBytesMax));
  cache.find(store, "a");
  cache.add(store, "d", answerOf(cachedAnswerBytesMax));
  t.strictSame(
    ["a", "b", "c", "d"].filter((key) => cache.find(store, key) !== undefined),
    ["a", "c", "d"],
  );
  cache.add(store, "e", answerOf(cachedAnswerBytesMax + 1));
  t.equal(cache.find(store, "e"), undefined);
  for (const bytesMax of [0, 1, 1000]) {
    const small = startCache({ bytesMax });
    small.add(store, "f", answerOf(1000));
    t.strictSame([small.find(store, "f"), small.bytes], [undefined, 0], `${bytesMax}`);
  }
});

t.test(
  "the answers of a store go with it, and a request that began before the swap finds and keeps nothing",
  async (t) => {
    let current = store;
    const cache = startCache({ currentStore: () => current });
    cache.add(store, "a", answer("old"));
    current = nextStore;
    t.equal(cache.find(store, "a")?.bytes, "old", "until a request gets the next store");
    t.equal(cache.find(nextStore, "a"), undefined);
    t.equal(cache.bytes, 0);
    cache.add(nextStore, "b", answer("new"));
    cache.add(store, "b", answer("old"));
    cache.add(store, "c", answer("old"));
    t.strictSame([cache.find(store, "b"), cache.find(nextStore, "b")?.bytes], [undefined, "new"]);
    t.equal(cache.find(nextStore, "c"), undefined);
  },
);

t.test("a long answer is cached when its last chunk has come, few are collected at a time", async (t) => {
  const cache = startCache({ bytesMax: 10 * cachedAnswerBytesMax });
  const collectors = Array.from({ length: answerCollectionsMax }, (_, at) => cache.collect(store, `${at}`, "br"));
  t.notOk(collectors.includes(undefined));
  t.equal(cache.collect(store, "more", "br"), undefined);
  const [whole, half, long] = collectors;
  whole?.add(Buffer.from("é, "), 300, false);
  t.equal(cache.find(store, "0"), undefined);
  whole?.add(Buffer.from("ü"), 200, true);
  t.strictSame(cache.find(store, "0"), { bytes: byteText("é, ü"), coding: "br", plainBytes: 500 });
  half?.add(Buffer.from("a"), 1, false);
  long?.add(Buffer.alloc(cachedAnswerBytesMax), cachedAnswerBytesMax, false);
  long?.add(Buffer.alloc(1), 1, false);
  long?.add(Buffer.alloc(1), 1, true);
  for (const collector of collectors) collector?.close();
  t.strictSame([cache.find(store, "1"), cache.find(store, "2")], [undefined, undefined]);
  t.ok(cache.collect(store, "more", "br"));
});
