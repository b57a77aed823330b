/** Drafts: checked and compared like every snapshot, not served until they are approved. */
import { appendFileSync, chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { programVersion } from "../../../src/engine/files/program-version.ts";
import { readCurrent } from "../../../src/engine/snapshots/current-snapshot.ts";
import { removePin, writePin } from "../../../src/engine/snapshots/pin.ts";
import { draftsPath, type SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { approveDraft, rejectDraft } from "../../../src/publishing/publish/approve-draft.ts";
import { collectGarbage } from "../../../src/publishing/publish/collect-garbage.ts";
import { listSnapshots, snapshotIds } from "../../../src/publishing/publish/list-snapshots.ts";
import { readLog } from "../../../src/publishing/publish/publication-log.ts";
import { publishSnapshot } from "../../../src/publishing/publish/publish-snapshot.ts";
import { readDraftReport } from "../../../src/publishing/publish/read-publication-report.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { verifySnapshot } from "../../../src/publishing/publish/verify-snapshot.ts";
import { runCommand } from "../../cli/run-command.ts";
import { valuesOf } from "../../support/fields-of.ts";
import { daysLater, publishedData, publishTables } from "../../support/published-data.ts";
import { priceRows, writeRecords } from "../../support/snapshot-files.ts";

/** Drafts so many prices. */
async function draft(root: string, rows: number, days: number) {
  const candidateDirectory = join(root, "candidate");
  await writeRecords(candidateDirectory, { prices: priceRows(rows) });
  return await publishSnapshot({
    dataDirectory: join(root, "data"),
    ...{ candidateDirectory, now: daysLater(days), allowShrink: false },
    ...{ dryRun: false, isDraft: true },
  });
}

t.test("a draft is a whole snapshot that is not current, and becomes it as it is", async (t) => {
  const root = t.testdir();
  const { data, ids } = await publishedData(root, 2);
  const announced = readFileSync(join(data, "announcement.json"), "utf8");
  const { id, outcome, parent } = await draft(root, 30, 4);
  t.same({ outcome, parent }, { outcome: "drafted", parent: ids[1] });
  t.equal(await readCurrent(data), ids[1]);
  t.equal(readFileSync(join(data, "announcement.json"), "utf8"), announced);
  t.same(await snapshotIds(data), ids);
  t.match(await verifySnapshot(draftsPath(data), id), { id, isCompiled: true, rows: { prices: 30 } });

  const approved = await approveDraft({ dataDirectory: data, id, now: daysLater(5) });
  t.match(approved, { outcome: "approved", id, parent: ids[1], rows: { prices: 30 } });
  t.equal(await readCurrent(data), id);
  const { snapshot, publisher } = JSON.parse(readFileSync(join(data, "announcement.json"), "utf8"));
  t.same({ snapshot, publisher }, { snapshot: id, publisher: programVersion() });
  t.match(await verifySnapshot(data), { id, isCompiled: true });
  t.same(await snapshotIds(draftsPath(data)), []);
  t.match(await approveDraft({ dataDirectory: data, id }), { outcome: "already-current" });
});

t.test("a draft is compared with what is served: the pinned snapshot, or else the current one", async (t) => {
  const root = t.testdir();
  const { data, ids } = await publishedData(root, 2);
  const { id } = await draft(root, 30, 4);
  t.equal(await readDraftReport(data, ids[1] as SnapshotId), undefined, "a published snapshot is no draft");
  const ofCurrent = await readDraftReport(data, id);
  t.equal(ofCurrent?.before?.snapshot.id, ids[1]);
  t.match(ofCurrent?.changes?.rows.prices, { added: 9, gone: 0 });
  t.equal(ofCurrent?.changedRows.length, 9);

  const between = await publishTables(root, { prices: priceRows(25) }, daysLater(5));
  t.equal((await readDraftReport(data, id))?.before?.snapshot.id, between, "not with its parent");
  await writePin(data, { id: ids[0] as SnapshotId, reason: null, pinnedAt: daysLater(5) });
  t.match((await readDraftReport(data, id))?.changes?.rows.prices, { added: 10, gone: 0 });
  await removePin(data);

  rmSync(join(data, "CURRENT"));
  rmSync(join(data, "snapshots", String(ids[1])), { recursive: true });
  const alone = await readDraftReport(data, id);
  t.equal(alone?.before, undefined);
  t.match(alone?.uncompared, `Its parent ${ids[1]} cannot be opened`);
  t.equal(alone?.changedRows.length, 30);
});

t.test("ids rise over drafts too, and several drafts wait side by side", async (t) => {
  const root = t.testdir();
  const { data, ids } = await publishedData(root, 1);
  const first = await draft(root, 30, 4);
  const second = await draft(root, 31, 4);
  t.ok(second.id > first.id);
  t.match(await draft(root, 30, 5), { outcome: "drafted", id: first.id, compilation: undefined }, "it waits already");
  t.same(await snapshotIds(draftsPath(data)), [first.id, second.id]);
  const published = await publishTables(root, { prices: priceRows(25) }, daysLater(4));
  t.ok(published > second.id);
  await rollbackSnapshot({ dataDirectory: data, id: ids[0] });
  t.match(await approveDraft({ dataDirectory: data, id: first.id }), { outcome: "approved" }, "its parent is back");
  t.match(await approveDraft({ dataDirectory: data, id: second.id }), { outcome: "outdated", current: first.id });
});

t.test("a draft whose files were changed is refused by name", async (t) => {
  const root = t.testdir();
  const { data, ids } = await publishedData(root, 1);
  const { id } = await draft(root, 30, 4);
  const path = join(draftsPath(data), "snapshots", id, "prices.ndjson");
  chmodSync(path, 0o644);
  appendFileSync(path, "\n");
  await t.rejects(approveDraft({ dataDirectory: data, id }), { name: "DatasetError", message: /prices\.ndjson/ });
  const manifest = join(draftsPath(data), "snapshots", id, "manifest.json");
  chmodSync(manifest, 0o644);
  appendFileSync(manifest, "x");
  await t.rejects(approveDraft({ dataDirectory: data, id }), { name: "SnapshotUnavailableError" });
  t.equal(await readCurrent(data), ids[0]);
  await t.rejects(approveDraft({ dataDirectory: data, id: `${id.slice(0, -1)}0` as never }), {
    name: "SnapshotUnavailableError",
    message: `${id.slice(0, -1)}0: found no such draft; drafts lists them`,
  });
});

t.test("a draft is compiled when it is approved where its compiled store is missing or damaged", async (t) => {
  const root = t.testdir();
  const { data } = await publishedData(root, 1);
  const { id: damaged } = await draft(root, 29, 3);
  writeFileSync(join(draftsPath(data), "compiled", `${damaged}.store`), "damaged");
  t.match(await approveDraft({ dataDirectory: data, id: damaged }), { outcome: "approved" });
  t.match(await verifySnapshot(data), { id: damaged, isCompiled: true });
  const { id } = await draft(root, 30, 4);
  await collectGarbage({ dataDirectory: data, now: daysLater(5), keep: 1, ageMillisecondsMin: 0, dryRun: false });
  t.same(await snapshotIds(draftsPath(data)), [id], "gc without an age of drafts removes none");
  rmSync(join(draftsPath(data), "compiled", `${id}.store`));
  t.match(await approveDraft({ dataDirectory: data, id }), { outcome: "approved" });
  t.match(await verifySnapshot(data), { id, isCompiled: true });
});

t.test("rejected and expired drafts are removed, and logged", async (t) => {
  const root = t.testdir();
  const { data, ids } = await publishedData(root, 1);
  const invocation = { command: "reject", arguments: [], user: "akinyi", host: "office", by: "Akinyi" };
  const [first, second, third] = [await draft(root, 30, 2), await draft(root, 31, 10), await draft(root, 32, 20)];
  await rejectDraft({ dataDirectory: data, id: second.id, reason: "twice", invocation });
  const { entries, faults } = await readLog(data);
  t.match(entries, [{ command: "reject", by: "Akinyi", note: "twice", from: ids[0], to: ids[0], subject: second.id }]);
  t.same(faults, []);
  const garbage = { dataDirectory: data, now: daysLater(32), keep: 5, ageMillisecondsMin: 0 };
  const ages = { draftAgeMillisecondsMin: 20 * 86_400_000 };
  t.match(await collectGarbage({ ...garbage, ...ages, dryRun: true }), { expired: [first.id] });
  t.match(await collectGarbage({ ...garbage, ...ages, dryRun: false }), { expired: [first.id], removed: [] });
  t.same(valuesOf((await listSnapshots(draftsPath(data))).snapshots, "id"), [third.id]);
  t.notOk(existsSync(join(draftsPath(data), "compiled", `${first.id}.store`)));
  await t.rejects(rejectDraft({ dataDirectory: data, id: first.id }), { name: "SnapshotUnavailableError" });
});

t.test("the commands draft, show, list, approve and reject", async (t) => {
  const root = t.testdir();
  const { data } = await publishedData(root, 1);
  const run = (...args: string[]) => runCommand("snapshot", args, root, { DATA_DIR: data });
  await writeRecords(join(root, "candidate"), { prices: priceRows(30) });
  const drafted = await run("publish", "candidate", "--draft", "--json");
  t.equal(drafted.code, 0, drafted.stderr);
  const { id, outcome } = JSON.parse(drafted.stdout) as { readonly id: string; readonly outcome: string };
  t.equal(outcome, "drafted");
  t.notOk(existsSync(join(data, "downloads", id)), "no downloads of a draft");
  t.match(await run("drafts"), { code: 0, stdout: new RegExp(`${id} +30 +waiting`) });
  t.match(await run("report", "--draft", id, "--out", "draft.html"), { code: 0, stdout: /wrote the report on/ });
  t.match(readFileSync(join(root, "draft.html"), "utf8"), "A draft: it is not served");
  t.match(await run("show", id, "--data-dir", draftsPath(data)), { code: 0, stdout: /prices/ });
  const [line = ""] = readFileSync(join(root, "candidate", "prices.ndjson"), "utf8").split("\n");
  const { uuid } = JSON.parse(line) as { readonly uuid: string };
  const withdrawn = await run("withdraw", uuid, "--reason", "twice", "--draft");
  t.match(withdrawn, { code: 0, stdout: /drafted \S+ in .*1 price withdrawn[\s\S]*nothing serves it/ });
  const other = /drafted (\S+)/.exec(withdrawn.stdout)?.[1] ?? "";
  t.match(await run("approve", id), { code: 2, stderr: /--by is missing/ });
  t.match(await run("approve", id, "--by", "Akinyi", "--no-downloads"), { code: 0, stdout: /approved/ });
  t.match(await run("approve", other, "--by", "Akinyi"), {
    code: 1,
    stderr: /was compared with \S+, found \S+ current; draft it again/,
    stdout: /prices: 10 added, 0 gone, 0 changed/,
  });
  t.match(await run("reject", other, "--reason", "late"), { code: 0, stdout: /rejected/ });
  t.match(await run("drafts"), { code: 0, stdout: "no draft\n" });
  t.match(await run("log"), { code: 0, stdout: /reject/ });
});
