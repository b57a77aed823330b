import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { type Day, dayFromText, type Instant } from "../../../src/engine/model/calendar.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { importWfp } from "../../../src/publishing/importers/wfp/import-wfp.ts";
import { type AppendReport, appendPrices } from "../../../src/publishing/publish/append-prices.ts";
import { exportRecords } from "../../../src/publishing/publish/export-snapshot.ts";
import { openSnapshotStore } from "../../../src/publishing/publish/open-published.ts";
import { publishSnapshot } from "../../../src/publishing/publish/publish-snapshot.ts";
import { replaceSource } from "../../../src/publishing/publish/replace-source.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { bundledFolder, bundledStore } from "../../support/bundled-data.ts";
import { currentOf } from "../../support/published-data.ts";
import { exchangeRateRow, marketRow, productRow, testUuid, unitCategoryRow } from "../../support/snapshot-files.ts";
import { sourcesFixture } from "../../support/sources-fixture.ts";
import { askStatistics, type GroupedAnswer } from "../../support/statistics-groups.ts";

const day = (text: string): Day => dayFromText(text) as Day;
const now = Date.UTC(2026, 11, 1) as Instant;

/** A feed of one month after those of the bundled data, as WFP writes it. */
const newestMonth = [
  "date,admin1,admin2,market,market_id,latitude,longitude,category,commodity,commodity_id,unit,priceflag,pricetype,",
  "currency,price,usdprice\n",
  ...["Maize,51,KG,actual,Wholesale,KES,60,0.46", "Beans,50,90 KG,actual,Wholesale,KES,12000,93.02"].map(
    (end) => `2026-05-15,Coast,Mombasa,Mombasa,191,-4.05,39.67,food,${end}\n`,
  ),
  ...["Cabbage,181,Head,actual,Retail,KES,80,0.62", "Potatoes (Irish),148,KG,actual,Retail,KES,90,0.69"].map(
    (end) => `2026-05-15,Rift Valley,Turkana,Kakuma 2,3248,3.75,34.82,food,${end}\n`,
  ),
].join("");

/** Every statistic of each month up to April 2026, in the currency of the product and in dollars. */
async function oldStatistics(store: Store): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  for (const { record } of (await bundledStore()).catalogue.products) {
    for (const currency of [undefined, "USD"]) {
      const dayLast = day("2026-04-30");
      const asked = { productUuid: record.uuid, dayFirst: day("2006-01-01"), dayLast, currency };
      const answer = (await askStatistics(store, { ...asked, grouping: "month" })) as GroupedAnswer;
      const { groups, unit, overall, convertedSamples, excludedSamples } = answer;
      answers.set(`${record.name} ${currency}`, { groups, unit, overall, convertedSamples, excludedSamples });
    }
  }
  return answers;
}

async function bundledCopy(t: Test) {
  const root = t.testdir({ "newest.csv": newestMonth });
  const data = join(root, "data");
  const id = await currentOf(bundledFolder);
  await cp(join(bundledFolder, "snapshots", id), join(data, "snapshots", id), { recursive: true });
  await cp(join(bundledFolder, "CURRENT"), join(data, "CURRENT"));
  const feed = join(root, "feed");
  await importWfp({ csvPath: join(root, "newest.csv"), outputPath: feed, now });
  const current = async (): Promise<Store> => await openSnapshotStore(data, (await currentOf(data)) as SnapshotId);
  return { root, data, id, feed, current };
}

t.test("an append of the newest month alone changes no statistic of the months before", async (t) => {
  const { data, feed, id, current } = await bundledCopy(t);
  const before = await oldStatistics(await bundledStore());
  const append = (): Promise<AppendReport> => appendPrices({ dataDirectory: data, files: [feed], dryRun: false, now });
  const report = await append();
  t.match(report, { outcome: "published", rows: { "exchange-rates": 245, prices: 26718, continuations: 14 } });
  t.equal(report.keptRecords.filter(({ kind }) => kind === "exchange-rates").length, 244, "each of them is named");
  const lists = report.keptRecords.flatMap(({ name, fields }) => fields.map((field) => `${name}: ${field}`));
  t.same(
    lists,
    ["Beans: common_units", "Cabbage: common_units", "Potatoes (Irish): common_units"],
    "so are lists that the month has cut",
  );
  t.strictSame(await oldStatistics(await current()), before);

  t.equal((await append()).outcome, "already-current", "the same again changes nothing");
  await rollbackSnapshot({ dataDirectory: data });
  t.equal(await currentOf(data), id);
  t.equal((await current()).catalogue.exchangeRates.length, 244);
});

t.test("a feed whose tables know its newest month alone keeps the rows of all other months", async (t) => {
  const { root, data, id, feed, current } = await bundledCopy(t);
  const before = await oldStatistics(await bundledStore());
  const snapshot = join(bundledFolder, "snapshots", id);
  const prices = await readFile(join(snapshot, "prices.ndjson"), "utf8");
  await writeFile(join(feed, "prices.ndjson"), prices + (await readFile(join(feed, "prices.ndjson"), "utf8")));
  const replace = () =>
    replaceSource({
      dataDirectory: data,
      candidateDirectory: feed,
      source: "WFP",
      now,
      dryRun: false,
      allowShrink: false,
    });
  const report = await replace();
  t.match(report, { outcome: "published", rows: { "exchange-rates": 245, prices: 26718 } });
  t.equal(report.keptRecords.filter(({ kind }) => kind === "exchange-rates").length, 244);
  t.strictSame(await oldStatistics(await current()), before);
  t.equal((await replace()).outcome, "already-current");

  const exported = join(root, "exported");
  await exportRecords({ dataDirectory: data, id: undefined, outputPath: exported });
  const rates = (await readFile(join(exported, "exchange-rates.ndjson"), "utf8")).trimEnd().split("\n");
  await writeFile(join(exported, "exchange-rates.ndjson"), `${rates.slice(1).join("\n")}\n`);
  const whole = await publishSnapshot({
    ...{ dataDirectory: data, candidateDirectory: exported, now },
    ...{ dryRun: false, allowShrink: false },
  });
  t.equal(whole.rows["exchange-rates"], 244, "a whole publication takes a rate out");
});

t.test("lists of units and names are united, entries of the snapshot first; all others are those given", async (t) => {
  const { append, current } = await sourcesFixture(t);
  const names = { alternative_names: ["mahindi", "corn"], source_ids: ["WFP:51"] };
  await append({ "products.ndjson": [productRow({ common_units: ["kg"], ...names })] });
  const lists = { common_units: ["90 kg bag", "kg"], alternative_names: ["nafaka", "corn"], source_ids: ["WFP:52"] };
  const report = await append({ "products.ndjson": [productRow(lists)] });
  t.same(report.tableChanges, [
    {
      ...{ kind: "products", change: "changed", id: testUuid(1), name: "Maize" },
      fields: ["common_units", "alternative_names", "source_ids"],
    },
  ]);
  t.same(report.keptRecords, [{ kind: "products", id: testUuid(1), name: "Maize", fields: ["alternative_names"] }]);
  t.match((await current()).catalogue.products[0]?.record, {
    commonUnits: ["kg", "90 kg bag"],
    alternativeNames: ["mahindi", "corn", "nafaka"],
    sourceIds: ["WFP:52"],
  });
  const without = productRow({ common_units: ["kg"], source_ids: ["WFP:52"] });
  t.equal((await append({ "products.ndjson": [without] })).outcome, "already-current", "no list takes nothing away");
});

t.test("a market that an append renames keeps its old name as an alternative one", async (t) => {
  const { append, current } = await sourcesFixture(t);
  const rename = async (fields: object): Promise<readonly (string | readonly string[])[]> => {
    const { tableChanges } = await append({ "markets.ndjson": [marketRow(fields)] });
    return tableChanges.flatMap(({ kind, id, fields }) => [kind, id, fields]);
  };
  const known = async (): Promise<unknown[]> => {
    const { name, alternativeNames } = (await current()).catalogue.markets.find(
      ({ record }) => record.uuid === testUuid(2),
    )?.record ?? { name: "" };
    return [name, alternativeNames];
  };
  t.same(await known(), ["Wakulima", null]);
  t.same(await rename({ name: "Marikiti" }), ["markets", testUuid(2), ["name", "alternative_names"]]);
  t.same(await known(), ["Marikiti", ["Wakulima"]]);
  t.same(await rename({ name: "Marikiti" }), [], "the same table again takes no name away");
  await rename({ name: "Marikiti", alternative_names: ["Soko Kuu"] });
  t.same(await known(), ["Marikiti", ["Wakulima", "Soko Kuu"]]);
  await rename({ name: "Wakulima" });
  t.same(await known(), ["Wakulima", ["Soko Kuu", "Marikiti"]], "its own name is no alternative one");
});

t.test("records, units and rates missing in a table stay and are named; so are changed ones, as changed", async (t) => {
  const { append, current } = await sourcesFixture(t);
  await append({
    "exchange-rates.ndjson": [exchangeRateRow(), exchangeRateRow({ currency: "UGX", rate: 3700 })],
    "markets.ndjson": [marketRow({ uuid: testUuid(3), name: "Gikomba" })],
  });
  const [unit] = unitCategoryRow().units;
  const report = await append({
    "exchange-rates.ndjson": [exchangeRateRow({ rate: 131 })],
    "markets.ndjson": [marketRow({ uuid: testUuid(4), name: "Kongowea" })],
    "units.json": JSON.stringify([unitCategoryRow({ units: [unit] })]),
  });
  t.same(
    report.tableChanges.map(({ kind, change, id, fields }) => [kind, change, id, ...fields]),
    [
      ["markets", "added", testUuid(4)],
      ["exchange-rates", "changed", "2026-01 KES", "rate"],
    ],
  );
  t.same(
    report.keptRecords.map(({ kind, name }) => [kind, name]),
    [
      ["units", "90 kg bag"],
      ["markets", (await current()).catalogue.markets.find(({ record }) => record.uuid === testUuid(2))?.record.name],
      ["markets", "Gikomba"],
      ["exchange-rates", "2026-01 UGX"],
    ],
  );
  const bag = unitCategoryRow({
    units: [unit, { name: "90 kg bag", abbreviation: "90 kg", base_unit: "kg", conversion_factor: 91 }],
  });
  const changed = await append({ "units.json": JSON.stringify([bag]) });
  t.same(changed.tableChanges, [
    { kind: "units", change: "changed", id: "90 kg bag", name: "90 kg bag", fields: ["conversion_factor"] },
  ]);
});
