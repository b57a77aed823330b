import { once } from "node:events";
import fc from "fast-check";
import t from "tap";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { randomLatest, randomSearch, randomStatistics } from "../../support/random-questions.ts";
import { startWorker } from "../../support/start-worker.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";
import { answerQuestions, type Questions } from "./answer-questions.ts";
import { typedArraysIn } from "./shared-memory.ts";

const [dataset] = fc.sample(randomDataset({ priceCountMin: 60 }), { numRuns: 1, seed: 1 }) as [Dataset];
const questions: Questions = {
  searches: fc.sample(randomSearch(dataset), { numRuns: 50, seed: 1 }),
  latest: fc.sample(randomLatest(dataset), { numRuns: 50, seed: 1 }),
  statistics: fc.sample(randomStatistics(dataset), { numRuns: 50, seed: 1 }),
};

t.test("a copy of a store answers alike and has all its columns in the same memory", async (t) => {
  const store = buildStore(dataset);
  const copy = structuredClone(store);
  t.same(await answerQuestions(copy, questions), await answerQuestions(store, questions));

  const columns = typedArraysIn(copy);
  const originals = typedArraysIn(store);
  t.same([...columns.keys()], [...originals.keys()]);
  t.ok(columns.size > 0);
  for (const [path, column] of columns) {
    t.type(column.buffer, SharedArrayBuffer, path);
    originals.get(path)?.fill(123);
    t.ok(
      column.every((value) => value === 123),
      `${path} is written in one and read in the other`,
    );
  }
});

t.test("a store without prices can be copied too", async (t) => {
  const store = buildStore(tinyDataset());
  const nothing: Questions = { searches: [], latest: [], statistics: [] };
  t.same(await answerQuestions(structuredClone(store), nothing), await answerQuestions(store, nothing));
});

t.test("another thread answers from the memory of this one", async (t) => {
  const store = buildStore(dataset);
  const worker = startWorker(new URL("./answering-worker.ts", import.meta.url), store);
  t.teardown(() => worker.terminate());
  const answersOfWorker = async () => {
    worker.postMessage(questions);
    const [answers] = await once(worker, "message");
    return answers;
  };
  const before = await answerQuestions(store, questions);
  t.same(await answersOfWorker(), before);

  // No one writes to a store that is served; here it shows that the worker reads what this thread holds.
  for (const row of store.prices.prices.keys()) store.prices.prices[row] = row + 1;
  const after = await answerQuestions(store, questions);
  t.notSame(after, before);
  t.same(await answersOfWorker(), after);
});
