import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import t from "tap";
import { compareStores } from "../../../src/engine/compiled/compare-stores.ts";
import { writeCompiledStore } from "../../../src/engine/compiled/compiled-file.ts";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { largeDataset } from "../../support/large-dataset.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { randomLatest, randomSearch, randomStatistics } from "../../support/random-questions.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";
import { answerQuestions, type Questions } from "../store/answer-questions.ts";
import { typedArraysIn } from "../store/shared-memory.ts";
import { readAs, sourceOf, writeToTestFile } from "./round-trip.ts";

function questionsAbout(dataset: Dataset, count: number): Questions {
  return {
    searches: fc.sample(randomSearch(dataset), { numRuns: count, seed: 1 }),
    latest: fc.sample(randomLatest(dataset), { numRuns: count, seed: 1 }),
    statistics: fc.sample(randomStatistics(dataset), { numRuns: count, seed: 1 }),
  };
}

const [random] = fc.sample(randomDataset({ priceCountMin: 60 }), { numRuns: 1, seed: 1 }) as [Dataset];

for (const [name, dataset] of [
  ["without prices", tinyDataset()],
  ["with one price", tinyDataset({ prices: [{ notes: "Élgeyo", qualityGrade: "A" }] })],
  ["drawn at random", random],
  ["of 30,000 prices", largeDataset()],
] as const) {
  t.test(`a store ${name} is read as it was written`, async (t) => {
    const store = buildStore(dataset);
    const read = await readAs(await writeToTestFile(t, store), store);
    t.ok(isDeepStrictEqual(read, store));
    t.ok(Object.isFrozen(read));
    const columns = typedArraysIn(store);
    const readColumns = typedArraysIn(read);
    t.same([...readColumns.keys()], [...columns.keys()]);
    for (const [path, column] of readColumns) {
      t.equal(column.constructor, columns.get(path)?.constructor, path);
      t.type(column.buffer, SharedArrayBuffer, path);
    }
    t.same(compareStores(read, store), []);
    const questions = dataset.prices.rowCount === 0 ? questionsAbout(dataset, 0) : questionsAbout(dataset, 60);
    t.same(await answerQuestions(read, questions), await answerQuestions(store, questions));
  });
}

t.test("any store is read as it was written", async (t) => {
  const path = await writeToTestFile(t, buildStore(tinyDataset()));
  await fc.assert(
    fc.asyncProperty(randomDataset(), async (dataset) => {
      const store = buildStore(dataset);
      await writeCompiledStore(path, store, sourceOf(store));
      return compareStores(await readAs(path, store), store).length === 0;
    }),
    { numRuns: runsOf(50) },
  );
});
