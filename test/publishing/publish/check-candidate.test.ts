import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { checkCandidate } from "../../../src/publishing/publish/check-candidate.ts";
import { problemsOf } from "../../support/dataset-problems.ts";
import { priceRow, productRow, testUuid, writeRecords } from "../../support/snapshot-files.ts";

const now = Date.UTC(2026, 1, 1) as Instant;

t.test("a directory in order has its records and its warnings", async (t) => {
  const directory = t.testdir({});
  await writeRecords(directory, { products: [productRow(), productRow({ uuid: testUuid(7) })] });
  const { candidate, warnings } = await checkCandidate(directory, now);
  t.equal(candidate.reading.records.products.length, 2);
  t.same(
    [...warnings.counts],
    [
      ["no-prices", 1],
      ["not-judged", 1],
    ],
  );
});

t.test("a directory with problems is refused", async (t) => {
  const directory = t.testdir({});
  await writeRecords(directory, { prices: [priceRow({ price: -1 })] });
  t.equal((await problemsOf(() => checkCandidate(directory, now))).length, 1);
});
