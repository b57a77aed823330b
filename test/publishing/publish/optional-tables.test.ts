import { rm } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { readManifest } from "../../../src/engine/snapshots/manifest.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { exportRecords } from "../../../src/publishing/publish/export-snapshot.ts";
import { diffSnapshots } from "../../../src/publishing/publish/snapshot-changes.ts";
import { verifySnapshot } from "../../../src/publishing/publish/verify-snapshot.ts";
import { currentOf, daysLater } from "../../support/published-data.ts";
import {
  continuationRow,
  exchangeRateRow,
  marketContinuationRow,
  marketRow,
  priceRow,
  priceRows,
  productRow,
  testUuid,
} from "../../support/snapshot-files.ts";
import { sourcesFixture } from "../../support/sources-fixture.ts";

t.test("a new table comes by an append, is carried over, merged with that of a feed and exported", async (t) => {
  const { data, append, replace, publish, current } = await sourcesFixture(t);
  const rates = [exchangeRateRow(), exchangeRateRow({ month: "2025-12", rate: 129 })];
  const products = [productRow({ uuid: testUuid(3), name: "Maize of old" })];
  const appended = await append({
    "exchange-rates.ndjson": rates,
    "continuations.ndjson": [continuationRow()],
    "market-continuations.ndjson": [marketContinuationRow()],
    "products.ndjson": products,
    "markets.ndjson": [marketRow({ uuid: testUuid(4), name: "Wakulima of old" })],
  });
  t.match(appended, { outcome: "published", files: [] });
  t.match(appended.rows, { "exchange-rates": 2, continuations: 1, "market-continuations": 1 });
  t.same(
    appended.tableChanges.map(({ kind, change, id }) => [kind, change, id]),
    [
      ["products", "added", testUuid(3)],
      ["markets", "added", testUuid(4)],
      ["exchange-rates", "added", "2026-01 KES"],
      ["exchange-rates", "added", "2025-12 KES"],
      ["continuations", "added", `${testUuid(1)} ${testUuid(3)} Retail`],
      ["market-continuations", "added", testUuid(2)],
    ],
  );
  t.equal((await append({ "exchange-rates.ndjson": rates })).outcome, "already-current");

  await append({ "day.ndjson": [priceRow({ uuid: testUuid(900), source: "Field team" })] }, { now: daysLater(3) });
  t.equal((await current()).catalogue.exchangeRates.length, 2, "carried over by an append");

  const fed = await replace({
    "prices.ndjson": priceRows(20, 100),
    "exchange-rates.ndjson": [exchangeRateRow({ rate: 130 }), exchangeRateRow({ month: "2026-02" })],
  });
  t.same(
    fed.tableChanges.map(({ kind, change, id, fields }) => [kind, change, id, ...fields]),
    [
      ["exchange-rates", "changed", "2026-01 KES", "rate"],
      ["exchange-rates", "added", "2026-02 KES"],
    ],
  );
  const kept = { kind: "exchange-rates", id: "2025-12 KES", name: "2025-12 KES", fields: [] };
  t.same(fed.keptRecords, [kept], "what the feed lacks is named");
  const { catalogue } = await current();
  t.same(
    catalogue.exchangeRates.map(({ month, rate }) => [month, rate]),
    [
      ["2026-01", 130],
      ["2025-12", 129],
      ["2026-02", 129.5],
    ],
  );
  t.equal(catalogue.continuations.length, 1, "the table that the feed does not have stays");
  t.match(catalogue.marketContinuations, [{ marketUuid: testUuid(2), continuesUuid: testUuid(4) }]);

  const { rows } = await diffSnapshots(data, appended.id as SnapshotId, fed.id as SnapshotId);
  t.same(rows["exchange-rates"], { added: 1, gone: 0, changed: 1 });
  t.same(rows.continuations, { added: 0, gone: 0, changed: 0 });
  t.equal((await verifySnapshot(data)).isCompiled, true);

  const exported = join(data, "..", "exported");
  await exportRecords({ dataDirectory: data, id: undefined, outputPath: exported });
  t.equal((await publish(exported, { now: daysLater(5), allowLoss: true })).rows["exchange-rates"], 3);
  const published = (await current()).catalogue;
  t.strictSame(published.exchangeRates, catalogue.exchangeRates);
  t.strictSame(published.marketContinuations, catalogue.marketContinuations);
});

t.test("a snapshot without the tables stays one without, and losing them is a loss of rows", async (t) => {
  const { data, append, publish, current } = await sourcesFixture(t);
  const id = (await currentOf(data)) as SnapshotId;
  const { files } = await readManifest(join(data, "snapshots", id));
  t.notOk(files.some(({ kind }) => kind === "exchange-rates" || kind === "continuations"));
  t.same((await current()).catalogue.exchangeRates, []);
  const exported = join(data, "..", "exported");
  await exportRecords({ dataDirectory: data, id, outputPath: exported });
  await append({ "exchange-rates.ndjson": [exchangeRateRow()] });
  await t.rejects(publish(exported), /exchange-rates\.ndjson/);
  t.equal((await publish(exported, { allowShrink: true })).rows["exchange-rates"], 0);
  await rm(exported, { recursive: true });
});
