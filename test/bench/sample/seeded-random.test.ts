import t from "tap";
import { PopularityDraw, SeededRandom } from "../../../bench/sample/seeded-random.ts";
import { readUuid } from "../../../src/engine/model/ids.ts";

t.test("a seed gives the numbers that it always gave, on every machine", async (t) => {
  const random = new SeededRandom(1, "prices");
  t.same(
    Array.from({ length: 4 }, () => random.next()),
    [2_339_843_747, 2_789_480_063, 446_561_043, 3_462_378_926],
  );
});

t.test("seeds and streams differ", async (t) => {
  const first = (seed: number, stream: "prices" | "markets") => new SeededRandom(seed, stream).next();
  t.equal(new Set([first(1, "prices"), first(1, "markets"), first(2, "prices"), first(0xffff_ffff, "prices")]).size, 4);
});

t.test("integers, fractions and chances are as often as they should be", async (t) => {
  const random = new SeededRandom(3, "prices");
  const draws = (draw: () => number) => Array.from({ length: 7000 }, draw);
  const below = draws(() => random.below(7));
  for (const number of [0, 1, 2, 3, 4, 5, 6]) {
    const count = below.filter((other) => other === number).length;
    t.ok(count > 850 && count < 1150, `${count} of 1000`);
  }
  t.notOk(below.some((number) => number < 0 || number > 6));
  const fractions = draws(() => random.fraction());
  t.ok(Math.min(...fractions) >= 0 && Math.min(...fractions) < 0.01);
  t.ok(Math.max(...fractions) < 1 && Math.max(...fractions) > 0.99);
  t.ok(Math.abs(draws(() => Number(random.oneIn(10))).reduce((sum, hit) => sum + hit, 0) - 700) < 100);
  t.ok(draws(() => Number(random.oneIn(1))).every((hit) => hit === 1));
});

t.test("UUIDs are of version 4", async (t) => {
  const random = new SeededRandom(4, "prices");
  const words = new Uint32Array(4 * 100);
  for (let row = 0; row < 100; row++) random.writeUuid(words, row);
  const texts = Array.from({ length: 100 }, (_, row) => readUuid(words, row));
  t.ok(texts.every((text) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text)));
  t.equal(new Set(texts).size, 100);
});

t.test("the most popular position is drawn 25 times as often as the last of 120, and none never", async (t) => {
  for (const count of [1, 120, 2000]) {
    const random = new SeededRandom(5, "prices");
    const draw = new PopularityDraw(count, random);
    const counts = Array.from({ length: count }, () => 0);
    for (let made = 0; made < 300_000; made++) {
      const position = draw.draw(random);
      counts[position] = (counts[position] as number) + 1;
    }
    t.equal(counts.length, count);
    t.ok(Math.min(...counts) > 0, `${Math.min(...counts)} at least`);
    const ratio = Math.max(...counts) / Math.min(...counts);
    if (count === 120) t.ok(ratio > 20 && ratio < 32, `${ratio}`);
  }
});
