/** A column tells a limited number of texts apart: a market day that brings more of them is refused, and costs nothing. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { shortDictionarySizeMax } from "../../../src/engine/model/dataset.ts";
import { type AppendReport, appendPrices } from "../../../src/publishing/publish/append-prices.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import { currentOf, daysLater, publishTables } from "../../support/published-data.ts";
import { ndjson, priceRow, testUuid } from "../../support/snapshot-files.ts";

t.test("a day is refused that brings more different texts than a snapshot may have", async (t) => {
  const root = t.testdir({});
  const sources = (count: number, first: number): object[] =>
    Array.from({ length: count }, (_, index) =>
      priceRow({ uuid: testUuid(first + index), source: `Collector ${first + index}` }),
    );
  await publishTables(root, { prices: sources(shortDictionarySizeMax, 100) }, daysLater(0));
  const data = join(root, "data");
  const append = async (name: string, rows: readonly object[]): Promise<AppendReport> => {
    await writeFile(join(root, name), ndjson(rows));
    return await appendPrices({ dataDirectory: data, files: [join(root, name)], now: daysLater(1), dryRun: false });
  };
  const before = await currentOf(data);
  const problems = await problemsOf(() => append("new.ndjson", sources(1, 900_000)));
  reportsExactly(t, problems, [/^prices\/new\.ndjson: "source" is 65536 different ones/]);
  t.equal(await currentOf(data), before);
  t.match(await append("known.ndjson", [priceRow({ uuid: testUuid(1), source: "Collector 100" })]), {
    outcome: "published",
  });
});
