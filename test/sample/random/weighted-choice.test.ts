import t from "tap";
import { SeededRandom } from "../../../src/sample/random/seeded-random.ts";
import { popularityWeights, WeightedChoice } from "../../../src/sample/random/weighted-choice.ts";

t.test("positions are drawn as often as their weights say", (t) => {
  const weights = [1, 5, 0.5, 3.5];
  const choice = new WeightedChoice(weights);
  const random = new SeededRandom(1, "prices");
  const counts = weights.map(() => 0);
  for (let draw = 0; draw < 20_000; draw++) {
    const position = choice.draw(random);
    counts[position] = (counts[position] as number) + 1;
  }
  for (const [position, weight] of weights.entries()) {
    const wanted = weight * 2000;
    t.ok(Math.abs((counts[position] as number) - wanted) < 250, `${counts[position]} of about ${wanted}`);
  }
  t.end();
});

t.test("the only position is always drawn", (t) => {
  const choice = new WeightedChoice([0.1]);
  const random = new SeededRandom(2, "prices");
  t.ok(Array.from({ length: 100 }, () => choice.draw(random)).every((position) => position === 0));
  t.end();
});

t.test("weights that are not above 0 are refused", (t) => {
  for (const weights of [[], [1, 0], [-1], [Number.NaN], [Number.POSITIVE_INFINITY]]) {
    t.throws(() => new WeightedChoice(weights), RangeError, `[${weights}]`);
  }
  t.end();
});

t.test("the most popular of 120 has 25 times the weight of the last", (t) => {
  const weights = popularityWeights([119, 0, 60]);
  t.ok(Math.abs((weights[1] as number) / (weights[0] as number) - 124 / 5) < 1e-9);
  t.ok((weights[2] as number) < (weights[1] as number) && (weights[2] as number) > (weights[0] as number));
  t.end();
});
