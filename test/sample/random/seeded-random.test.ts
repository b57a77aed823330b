import t from "tap";
import { SeededRandom } from "../../../src/sample/random/seeded-random.ts";

t.test("a seed gives the numbers that it always gave, on every machine", (t) => {
  const random = new SeededRandom(1, "prices");
  t.same(
    Array.from({ length: 4 }, () => random.next()),
    [2_481_011_763, 3_785_498_873, 11_333_614, 106_362_417],
  );
  t.end();
});

t.test("seeds and streams differ", (t) => {
  const first = (seed: number, stream: "prices" | "visits") => new SeededRandom(seed, stream).next();
  t.equal(new Set([first(1, "prices"), first(1, "visits"), first(2, "prices"), first(0xffff_ffff, "prices")]).size, 4);
  t.end();
});

t.test("below gives every integer below its limit, about equally often, and no other", (t) => {
  const random = new SeededRandom(3, "prices");
  const counts = new Map<number, number>();
  for (let draw = 0; draw < 7000; draw++) {
    const number = random.below(7);
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  t.same([...counts.keys()].sort(), [0, 1, 2, 3, 4, 5, 6]);
  for (const count of counts.values()) t.ok(count > 850 && count < 1150, `${count} of 1000`);
  t.equal(random.below(1), 0);
  t.end();
});

t.test("fractions lie from 0 to below 1", (t) => {
  const random = new SeededRandom(4, "prices");
  const fractions = Array.from({ length: 5000 }, () => random.fraction());
  t.ok(fractions.every((fraction) => fraction >= 0 && fraction < 1));
  t.ok(Math.min(...fractions) < 0.01 && Math.max(...fractions) > 0.99);
  t.end();
});

t.test("oneIn is always true for 1 and as often as it says for more", (t) => {
  const random = new SeededRandom(5, "prices");
  const hits = (times: number) => Array.from({ length: 10_000 }, () => random.oneIn(times)).filter(Boolean).length;
  t.equal(hits(1), 10_000);
  t.ok(Math.abs(hits(10) - 1000) < 150);
  t.end();
});

t.test("a permutation holds every number once, and pick refuses an empty list", (t) => {
  const random = new SeededRandom(6, "prices");
  const order = random.permutation(50);
  t.same(
    order.toSorted((a, b) => a - b),
    Array.from({ length: 50 }, (_, index) => index),
  );
  t.not(order.join(), order.toSorted((a, b) => a - b).join());
  t.equal(random.pick(["only"]), "only");
  t.throws(() => random.pick([]), RangeError);
  t.end();
});
