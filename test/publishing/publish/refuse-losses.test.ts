import { join } from "node:path";
import t from "tap";
import { edit } from "../../support/damage.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import { currentOf } from "../../support/published-data.ts";
import { ndjson, priceRow, priceRows, testUuid, writeRecords } from "../../support/snapshot-files.ts";
import { sourcesFixture } from "../../support/sources-fixture.ts";

const team = { source: "Field team" };

t.test("a whole folder that loses a source, or what was appended, is refused unless that is allowed", async (t) => {
  const { data, folder, append, publish, price } = await sourcesFixture(t);
  const { id } = await append({
    "own.ndjson": [...priceRows(2, 900, team), priceRow({ price: 70 }), priceRow({ uuid: testUuid(101), price: 71 })],
  });
  const candidate = await folder("candidate", {});
  // The folder has the row before one correction, and a third version of the row of the other.
  await writeRecords(candidate, {
    prices: [...priceRows(1), ...priceRows(1, 101, { price: 72 }), ...priceRows(20, 102)],
  });
  for (const dryRun of [true, false]) {
    reportsExactly(t, await problemsOf(() => publish(candidate, { dryRun, allowShrink: true })), [
      'prices: found no price of source "Field team", expected some of the 2 of the current snapshot',
      new RegExp(
        `^snapshots/${id}/prices/own\\.ndjson:3: found an appended price that would be undone: .*100, expected`,
      ),
      new RegExp(
        `^snapshots/${id}/prices/own\\.ndjson:4: found an appended price that would be undone: .*101, expected`,
      ),
      new RegExp(`^snapshots/${id}/prices/own\\.ndjson:1: found an appended price that would be gone: .*900, expected`),
      new RegExp(`^snapshots/${id}/prices/own\\.ndjson:2: found an appended price that would be gone: .*901, expected`),
    ]);
  }
  t.equal(await currentOf(data), id);
  const report = await publish(candidate, { allowLoss: true });
  t.match(report, {
    outcome: "published",
    changes: {
      rows: { prices: { added: 2, gone: 2, changed: 2 } },
      sources: [
        { source: "Field team", before: 2, after: 0 },
        { source: "WFP", before: 20, after: 22 },
      ],
    },
  });
  t.equal((await price(testUuid(100)))?.price, 60);
});

t.test("a folder that has everything, in whatever files, loses nothing", async (t) => {
  const { folder, append, publish } = await sourcesFixture(t);
  await append({ "own.ndjson": [...priceRows(2, 900, team), priceRow({ price: 70 })] });
  await append({ "own.ndjson": [priceRow({ price: 71 }), priceRow({ ...team, uuid: testUuid(900), price: 61 })] });
  const candidate = await folder("candidate", {});
  const prices = [
    priceRow({ price: 71 }),
    ...priceRows(19, 101),
    priceRow({ ...team, uuid: testUuid(900), price: 61, updated_at: "2026-05-01T00:00:00Z" }),
    // No one but the team has this one, so another price of it is a change of its own.
    priceRow({ ...team, uuid: testUuid(901), price: 62 }),
  ];
  await writeRecords(candidate, { prices });
  t.match(await publish(candidate), { outcome: "published", changes: { sources: [] }, rows: { prices: 22 } });
});

t.test("appended prices that cannot be read are not lost unnoticed", async (t) => {
  const { data, folder, append, publish } = await sourcesFixture(t);
  const { id } = await append({ "own.ndjson": priceRows(2, 900, team) });
  await edit(join(data, "snapshots", id, "prices/own.ndjson"), (text) => text.replace('"price":60', '"price":61'));
  const candidate = await folder("candidate", {});
  await writeRecords(candidate, {}, { "prices.ndjson": ndjson([...priceRows(20), ...priceRows(2, 900, team)]) });
  reportsExactly(t, await problemsOf(() => publish(candidate)), [
    new RegExp(
      `^snapshots/${id}: found appended prices that cannot be compared \\(.*sha256.*\\), expected prices to compare`,
    ),
  ]);
  t.equal((await publish(candidate, { allowLoss: true })).outcome, "published");
});
