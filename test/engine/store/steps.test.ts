import t from "tap";
import { finish, SlicedWork } from "../../../src/engine/store/steps.ts";

function* work(steps: number, rowsPerStep: number): Generator<number, string> {
  for (let step = 0; step < steps; step++) yield rowsPerStep;
  return `${steps} steps`;
}

t.test("a slice ends with the step that fills it, however the rows are counted", async (t) => {
  const slicesOf = (steps: number, rowsPerStep: number): number => {
    const sliced = new SlicedWork(work(steps, rowsPerStep));
    let slices = 1;
    while (!sliced.run(100)) slices++;
    t.equal(sliced.result, `${steps} steps`);
    return slices;
  };
  t.equal(slicesOf(0, 1), 1);
  t.equal(slicesOf(99, 1), 1);
  t.equal(slicesOf(1, 99), 1);
  t.equal(slicesOf(100, 1), 2);
  t.equal(slicesOf(2, 50), 2);
  t.equal(slicesOf(199, 1), 2);
  t.equal(slicesOf(200, 1), 3);
  t.equal(slicesOf(2, 1e9), 3);
});

t.test("work that is not done has no result", async (t) => {
  const sliced = new SlicedWork(work(2, 100));
  t.notOk(sliced.run(100));
  t.notOk(sliced.isDone);
  t.throws(() => sliced.result, { message: /not done/ });
});

t.test("work runs to its end without a pause", async (t) => {
  t.equal(finish(work(3, 1e9)), "3 steps");
});
