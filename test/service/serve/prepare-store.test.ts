import t from "tap";
import { findAnomalies } from "../../../src/engine/query/measures/find-anomalies.ts";
import { allInCountry } from "../../../src/engine/query/state-of-prices.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { endpoints } from "../../../src/service/http/endpoint-table.ts";
import { runInSlices, storePreparer } from "../../../src/service/serve/prepare-store.ts";
import { createPages } from "../../../src/site/explore/pages.ts";
import { largeDataset } from "../../support/large-dataset.ts";

const pages = createPages(endpoints);

/** Rows that a question reads. */
function rowsRead(work: Generator<number, unknown>): number {
  return work.reduce((sum, rows) => sum + rows, 0);
}

function firstQuestions(store: Store): Generator<number, unknown>[] {
  return [
    allInCountry(store, "exclude"),
    allInCountry(store, "only"),
    ...(["country", "county"] as const).map((level) => {
      return findAnomalies(store, { level, refugeeCamps: "exclude", order: "name" });
    }),
  ];
}

t.test("what is asked first reads few rows of a store that was prepared", async (t) => {
  const [prepared, other] = [buildStore(largeDataset(3000)), buildStore(largeDataset(3000))];
  const errors: unknown[] = [];
  let ends = 0;
  await storePreparer(pages, { error: (fields: unknown) => errors.push(fields) }, () => ends++)(prepared, 60_000);
  t.strictSame([errors, ends], [[], 1]);
  const [inCountry, inCamps, ...anomalies] = firstQuestions(prepared).map(rowsRead);
  t.strictSame([inCountry, inCamps], [0, 0]);
  const unprepared = firstQuestions(other).map(rowsRead);
  for (const [at, rows] of anomalies.entries()) t.ok(rows < (unprepared[at + 2] ?? 0) / 10, `${rows} rows`);
});

t.test("without time nothing is made, and the store is shown", async (t) => {
  const store = buildStore(largeDataset(3000));
  let ends = 0;
  await storePreparer(pages, { error: () => t.fail() }, () => ends++)(store, 0);
  t.equal(ends, 1);
  t.ok(rowsRead(allInCountry(store, "exclude")) > 0);
});

t.test("what cannot be made is logged, and the store is shown", async (t) => {
  const store = buildStore(largeDataset(10));
  const errors: { err?: Error }[] = [];
  const failing = {
    prepare: function* (): Generator<number, void> {
      yield 1;
      throw new Error("broken");
    },
  };
  let ends = 0;
  await storePreparer(failing, { error: (fields: object) => errors.push(fields) }, () => ends++)(store, 60_000);
  t.strictSame([errors.map(({ err }) => err?.message), ends], [["broken"], 1]);
});

t.test("others have their turns between slices, and late work is ended", async (t) => {
  const turns: string[] = [];
  let isEnded = false;
  function* work(): Generator<number, void> {
    try {
      for (let slice = 0; slice < 10; slice++) {
        turns.push("slice");
        yield 1_000_000;
      }
    } finally {
      isEnded = true;
    }
  }
  const other = (): void => {
    turns.push("other");
    if (!isEnded) setImmediate(other);
  };
  setImmediate(other);
  t.notOk(await runInSlices(work(), () => turns.filter((turn) => turn === "slice").length === 3));
  t.ok(isEnded);
  t.match(turns.join(" "), /^slice other slice other slice/);
  t.ok(await runInSlices(work(), () => false));
});
