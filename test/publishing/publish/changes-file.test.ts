/** The file of what a publication has changed, and the join of several. */
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import t from "tap";
import type { Uuid } from "../../../src/engine/model/ids.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { appendPrices } from "../../../src/publishing/publish/append-prices.ts";
import { approveDraft } from "../../../src/publishing/publish/approve-draft.ts";
import { collectGarbage } from "../../../src/publishing/publish/collect-garbage.ts";
import { decidePrices } from "../../../src/publishing/publish/decide-prices.ts";
import { ChangesMissingError, joinChanges } from "../../../src/publishing/publish/join-changes.ts";
import { publishSnapshot } from "../../../src/publishing/publish/publish-snapshot.ts";
import { replaceSource } from "../../../src/publishing/publish/replace-source.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { verifySnapshot } from "../../../src/publishing/publish/verify-snapshot.ts";
import { daysLater, publishedData, publishTables } from "../../support/published-data.ts";
import { ndjson, priceRow, priceRows, productRow, testUuid, writeRecords } from "../../support/snapshot-files.ts";

const head = "uuid,product,market,day,unit,currency,change,price_before,price_after,unit_before,currency_before\r\n";

function changesOf(data: string, id: string): string {
  return gunzipSync(readFileSync(join(data, "snapshots", id, "changes.csv.gz"))).toString();
}

/** The kind and the prices of each line, by the number of its uuid. */
function changesIn(text: string): Record<string, string> {
  const lines = text.slice(head.length).split("\r\n").slice(0, -1);
  return Object.fromEntries(
    lines.map((line) => {
      const [uuid = "", , , , , , ...rest] = line.split(",");
      return [Number.parseInt(uuid.slice(-8), 16), rest.slice(0, 3).join(" ")];
    }),
  );
}

const numberOf = (uuid: string): number => Number.parseInt(uuid.slice(-8), 16);

async function office(root: string) {
  const { data, ids } = await publishedData(root, 2);
  let day = 5;
  const append = async (...rows: object[]): Promise<SnapshotId> => {
    const file = join(root, `${day}.ndjson`);
    writeFileSync(file, ndjson(rows));
    return (await appendPrices({ dataDirectory: data, files: [file], now: daysLater(day++), dryRun: false })).id;
  };
  const decide = async (isUndone: boolean, ...numbers: number[]): Promise<SnapshotId> => {
    const uuids = numbers.map((number) => testUuid(number) as Uuid);
    const decision = isUndone ? undefined : { reason: "wrong", by: null };
    const request = { dataDirectory: data, kind: "withdrawals", uuids, decision, now: daysLater(day++) } as const;
    return (await decidePrices({ ...request, dryRun: false })).id;
  };
  return { data, ids, append, decide };
}

t.test("each publication lists what it added, corrected, withdrew or dropped, by uuid", async (t) => {
  const root = t.testdir();
  const { data, ids, append, decide } = await office(root);
  const [first, second] = ids as [SnapshotId, SnapshotId];
  t.equal(changesOf(data, first), `${head},,,,,,first publication,,,,\r\n`);
  t.same(Object.values(changesIn(changesOf(data, second))), ["added  60"]);
  const own = { ...priceRow({ uuid: testUuid(700), price: 0.1 }) };
  const appended = await append(priceRow({ uuid: testUuid(900), price: 65.5 }), own);
  t.same(changesIn(changesOf(data, appended)), {
    [numberOf(testUuid(700))]: "added  0.1",
    [numberOf(testUuid(900))]: "added  65.5",
  });
  const corrected = await append(priceRow({ uuid: testUuid(900), price: 66, unit: "90 kg bag", currency: "USD" }));
  t.match(changesOf(data, corrected), /90 kg bag,USD,corrected,65\.5,66,kg,KES\r\n$/);
  const withdrawn = await decide(false, 900);
  t.match(changesOf(data, withdrawn), /,90 kg bag,USD,withdrawn,66,,,\r\n$/);
  t.match(changesOf(data, await decide(true, 900)), /,90 kg bag,USD,added,,66,,\r\n$/);
  const candidateDirectory = join(root, "candidate");
  await writeRecords(candidateDirectory, { prices: priceRows(22) });
  const flags = { allowShrink: true, allowLoss: true, dryRun: false };
  const { id: gone } = await publishSnapshot({ dataDirectory: data, candidateDirectory, now: daysLater(30), ...flags });
  t.same(Object.values(changesIn(changesOf(data, gone))).sort(), ["added  60", "gone 0.1 ", "gone 66 "]);
  t.ok((await verifySnapshot(data, gone)).isCompiled, "verify does not ask for it, and not against it");
});

t.test("lines are in the order of uuids, random ones and those of one millisecond", async (t) => {
  const { data, append } = await office(t.testdir());
  const random = (): string => randomUUID();
  const ofOneTime = (): string => `019aa0b0-1c2d-7${randomUUID().slice(15)}`;
  const uuids = Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? random() : ofOneTime()));
  const id = await append(...uuids.map((uuid) => priceRow({ uuid })));
  const listed = changesOf(data, id).split("\r\n").slice(1, -1);
  t.same(
    listed.map((line) => line.split(",")[0]),
    uuids.toSorted(),
  );
});

t.test("a feed, an approved draft and a rollback that keeps withdrawals list what they change", async (t) => {
  const root = t.testdir();
  const { data, ids, append, decide } = await office(root);
  await append(priceRow({ uuid: testUuid(900) }));
  await decide(false, 100);
  const back = await rollbackSnapshot({ dataDirectory: data, id: ids[1], now: daysLater(8) });
  const added = { [numberOf(testUuid(120))]: "added  60" };
  t.same(changesIn(changesOf(data, ids[1] as string)), added);
  const kept = { ...added, [numberOf(testUuid(100))]: "withdrawn 60 " };
  t.same(changesIn(changesOf(data, back.id)), kept, "against the parent of its target");
  await writeRecords(join(root, "feed"), { prices: priceRows(25) });
  const feed = { dataDirectory: data, candidateDirectory: join(root, "feed"), source: "WFP", now: daysLater(9) };
  const drafted = await replaceSource({ ...feed, allowShrink: true, dryRun: false, isDraft: true });
  await approveDraft({ dataDirectory: data, id: drafted.id, now: daysLater(10) });
  t.same(new Set(Object.values(changesIn(changesOf(data, drafted.id)))), new Set(["added  60"]));
});

t.test("a name that looks like a formula is guarded, and a product is called as the snapshot calls it", async (t) => {
  const root = t.testdir();
  const { data } = await office(root);
  const products = [productRow({ name: '=cmd|" /C calc"!A0, maize' })];
  const id = await publishTables(root, { products, prices: priceRows(23) }, daysLater(6));
  t.match(changesOf(data, id), `,"'=cmd|"" /C calc""!A0, maize",`);
});

t.test("a price that is as it was is no change, also after a correction; one with another note is", async (t) => {
  const { data, ids, append, decide } = await office(t.testdir());
  const start = ids[1] as SnapshotId;
  const [was, other, third, fourth] = [100, 101, 102, 103].map((number) => priceRow({ uuid: testUuid(number) }));
  await append({ ...was, price: 61 }, { ...other, price: 62 }, { ...third, price: 63, notes: "by phone" });
  await append(was as object, { ...other, price: 63 }, { ...third, notes: "by phone" });
  await decide(false, 103);
  await append({ ...fourth, price: 70 }); // comes back with it
  const end = await decide(true, 103);
  const { rows } = await joinChanges(data, start, end);
  t.same(
    rows.map((row) => `${numberOf(row.uuid)} ${row.change} ${row.price_before} ${row.price_after}`),
    ["101 corrected 60 63", "102 corrected 60 60", "103 corrected 60 70"].map((text) => {
      const [number, ...rest] = text.split(" ");
      return [numberOf(testUuid(Number(number))), ...rest].join(" ");
    }),
  );
});

t.test("changes are joined from one kept snapshot to another, and a gap is refused by name", async (t) => {
  const root = t.testdir();
  const { data, ids, append, decide } = await office(root);
  const start = ids[1] as SnapshotId;
  await append(priceRow({ uuid: testUuid(900), price: 65 }), priceRow({ uuid: testUuid(901), price: 70 }));
  const second = await append(
    priceRow({ uuid: testUuid(900), price: 66 }),
    priceRow({ uuid: testUuid(100), price: 61 }),
  );
  await decide(false, 100, 101, 901);
  const end = await decide(true, 101);
  const joined = await joinChanges(data, start, end);
  const found = Object.fromEntries(
    joined.rows.map((row) => [numberOf(row.uuid), `${row.change} ${row.price_before} ${row.price_after}`]),
  );
  t.same(found, {
    [numberOf(testUuid(100))]: "withdrawn 60 ",
    [numberOf(testUuid(900))]: "added  66",
  });
  t.same(joined.counts, { added: 1, corrected: 0, withdrawn: 1, gone: 0 });
  t.equal(joined.publications.length, 4);
  t.same((await joinChanges(data, second, second)).rows, []);
  for (const content of ["", "uuid,price\r\n", `${head}${testUuid(1)},,,,,,moved,,,,\r\n`]) {
    const path = join(data, "snapshots", end, "changes.csv.gz");
    const before = readFileSync(path);
    rmSync(path);
    writeFileSync(path, gzipSync(content));
    await t.rejects(joinChanges(data, start, end), { message: /found (other columns|"moved"), expected the changes/ });
    writeFileSync(path, before);
  }
  await t.rejects(joinChanges(data, end, start), ChangesMissingError);
  await t.rejects(joinChanges(data, ids[0] as SnapshotId, "20261101T000000Z-000000000000" as SnapshotId), /to be kept/);
  rmSync(join(data, "snapshots", second, "changes.csv.gz"));
  await t.rejects(joinChanges(data, start, end), { name: "ChangesMissingError", message: /found no such file/ });
  writeFileSync(join(data, "snapshots", second, "changes.csv.gz"), "half a li");
  await t.rejects(joinChanges(data, start, end), { name: "ChangesMissingError", message: /cannot be read \(Z_/ });
  const gc = { dataDirectory: data, now: daysLater(99), keep: 1, ageMillisecondsMin: 0, dryRun: false };
  t.ok((await collectGarbage(gc)).removed.includes(start));
  await t.rejects(joinChanges(data, start, end), { message: new RegExp(`^snapshot ${start}: found none`) });
});
