import t from "tap";
import { EtagCache, type KnownAnswer } from "../../src/client/etag-cache.ts";

const answer = (characters: number, etag = '"a"'): KnownAnswer => ({
  etag,
  snapshot: "s",
  text: "x".repeat(characters),
});

t.test("the answers used last stay, up to the sum of their characters", async (t) => {
  const cache = new EtagCache(10);
  const kept = (): string => ["a", "b", "c", "d"].filter((target) => cache.get(target) !== undefined).join("");
  cache.set("a", answer(4));
  cache.set("b", answer(4));
  cache.set("c", answer(3));
  t.equal(kept(), "bc");
  cache.get("b");
  cache.set("d", answer(4));
  t.equal(kept(), "bd", "the one used least recently went");
  cache.set("d", answer(6, '"new"'));
  t.equal(kept(), "bd", "an answer in the place of an old one counts once");
  t.equal(cache.get("d")?.etag, '"new"');
  cache.set("d", answer(11));
  t.equal(kept(), "b", "one that is too long is not kept, nor is the one before it");
  cache.set("c", answer(10));
  t.equal(kept(), "c");
});

t.test("a cache for nothing keeps nothing", async (t) => {
  const cache = new EtagCache(0);
  cache.set("a", answer(1));
  t.equal(cache.get("a"), undefined);
});
