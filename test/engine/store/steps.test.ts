import { setTimeout as delay } from "node:timers/promises";
import t from "tap";
import { runInSlices } from "../../../src/engine/store/steps.ts";

/** More rows than any slice has. */
const many = 1e9;

/** Work of some steps that notes each one. */
function* work(steps: number, rowsPerStep: number, note: (step: number) => void = () => {}): Generator<number, string> {
  for (let step = 1; step <= steps; step++) {
    note(step);
    yield rowsPerStep;
  }
  return `${steps} steps`;
}

t.test("short work is answered at once, without a promise", async (t) => {
  t.equal(runInSlices(work(0, 1)), "0 steps");
  t.equal(runInSlices(work(1000, 1)), "1000 steps");
});

t.test("long work is answered by a promise", async (t) => {
  const answer = runInSlices(work(3, many));
  t.type(answer, Promise);
  t.equal(await answer, "3 steps");
});

t.test("between slices others run: what waits for its turn, timers, and other long work", async (t) => {
  const events: string[] = [];
  const done = Promise.all([
    runInSlices(work(3, many, (step) => events.push(`a${step}`))),
    runInSlices(work(3, many, (step) => events.push(`b${step}`))),
    new Promise<void>((resolve) =>
      setImmediate(() => {
        events.push("request");
        resolve();
      }),
    ),
  ]);
  t.same(events, ["a1", "b1"], "the first slice runs at once");
  await done;
  t.same(events, ["a1", "b1", "a2", "b2", "request", "a3", "b3"]);

  let isTimerDone = false;
  let hasSeenTimer = false;
  const timer = delay(1).then(() => {
    isTimerDone = true;
  });
  await runInSlices(
    (function* () {
      const giveUp = Date.now() + 5000;
      while (!isTimerDone && Date.now() < giveUp) yield many;
      hasSeenTimer = isTimerDone;
    })(),
  );
  await timer;
  t.ok(hasSeenTimer, "a timer");
});

t.test("a slice ends with the step that fills it, however the rows are counted", async (t) => {
  const slicesOf = async (steps: number, rowsPerStep: number) => {
    let slices = 1;
    let isOpen = true;
    const count = () => {
      slices++;
      if (isOpen) setImmediate(count);
    };
    setImmediate(count);
    const answer = runInSlices(work(steps, rowsPerStep), 100);
    const isDoneAtOnce = !(answer instanceof Promise);
    await answer;
    isOpen = false;
    return isDoneAtOnce ? 1 : slices;
  };
  t.equal(await slicesOf(99, 1), 1);
  t.equal(await slicesOf(1, 99), 1);
  t.equal(await slicesOf(100, 1), 2);
  t.equal(await slicesOf(2, 50), 2);
  t.equal(await slicesOf(199, 1), 2);
  t.equal(await slicesOf(200, 1), 3);
  t.equal(await slicesOf(2, many), 3);
});

t.test("an error in the first slice is thrown, in a later one the promise is rejected with it", async (t) => {
  const failing = function* (stepsBefore: number): Generator<number, never> {
    for (let step = 0; step < stepsBefore; step++) yield many;
    throw new RangeError(`after ${stepsBefore} steps`);
  };
  t.throws(() => runInSlices(failing(0)), { name: "RangeError", message: "after 0 steps" });
  for (const steps of [1, 2]) {
    await t.rejects(async () => runInSlices(failing(steps)), { name: "RangeError", message: `after ${steps} steps` });
  }
});
