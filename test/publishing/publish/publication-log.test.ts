import { appendFile, chmod, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Uuid } from "../../../src/engine/model/ids.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { appendPrices } from "../../../src/publishing/publish/append-prices.ts";
import { collectGarbage } from "../../../src/publishing/publish/collect-garbage.ts";
import { decidePrices } from "../../../src/publishing/publish/decide-prices.ts";
import { findEntriesOfPrice } from "../../../src/publishing/publish/price-life.ts";
import { type Invocation, readLog } from "../../../src/publishing/publish/publication-log.ts";
import { publishSnapshot } from "../../../src/publishing/publish/publish-snapshot.ts";
import { replaceSource } from "../../../src/publishing/publish/replace-source.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { verifySnapshot } from "../../../src/publishing/publish/verify-snapshot.ts";
import { thoroughGarbage } from "../../support/fault-scenes.ts";
import { currentOf, daysLater, publishedData } from "../../support/published-data.ts";
import { ndjson, priceRow, priceRows, testUuid, writeRecords } from "../../support/snapshot-files.ts";
import { isRoot } from "../../support/why-skipped.ts";

function invocation(command: string): Invocation {
  return { command, arguments: ["--note", "x"], user: "akinyi", host: "office", by: "Akinyi" };
}

async function fixture(t: Test) {
  const root = t.testdir({});
  const { data } = await publishedData(root, 1);
  const first = (await currentOf(data)) as SnapshotId;
  const common = { dataDirectory: data, dryRun: false };
  return {
    root,
    data,
    first,
    log: join(data, "log.ndjson"),
    async append(rows: readonly object[], days = 1) {
      const file = join(root, "day.ndjson");
      await writeFile(file, ndjson(rows));
      const request = { ...common, files: [file], now: daysLater(days), note: "Day", invocation: invocation("append") };
      return await appendPrices(request);
    },
    withdraw: async (uuid: string, dryRun = false) =>
      await decidePrices({
        ...common,
        dryRun,
        kind: "withdrawals",
        uuids: [uuid as Uuid],
        decision: { reason: "twice", by: null },
        now: daysLater(3),
        invocation: invocation("withdraw"),
      }),
  };
}

t.test("every change has a line: who, what, from, to, counts and warnings", async (t) => {
  const { root, data, first, log, append, withdraw } = await fixture(t);
  const { id: second } = await append([priceRow({ price: 70 }), ...priceRows(2, 900, { source: "New" })]);
  const { id: third } = await withdraw(testUuid(101));
  t.match((await withdraw(testUuid(101))).outcome, "already-current");
  await withdraw(testUuid(102), true);
  const common = { dataDirectory: data, dryRun: false, now: daysLater(3), allowShrink: false };
  const candidateDirectory = join(root, "candidate");
  await mkdir(join(root, "feed"));
  await writeFile(join(root, "feed/prices.ndjson"), ndjson(priceRows(21)));
  const feed = { ...common, candidateDirectory: join(root, "feed"), source: "WFP", prefer: "own" } as const;
  const { id: fourth } = await replaceSource({ ...feed, invocation: invocation("publish") });
  await rollbackSnapshot({ dataDirectory: data, id: third, now: daysLater(4), invocation: invocation("rollback") });
  await writeRecords(candidateDirectory, { prices: [...priceRows(20), ...priceRows(2, 900, { source: "New" })] });
  const whole = {
    ...common,
    candidateDirectory,
    allowLoss: true,
    invocation: invocation("publish"),
  };
  const { id: fifth } = await publishSnapshot(whole);
  await collectGarbage({ ...thoroughGarbage(data), keep: 1, invocation: invocation("gc") });
  await collectGarbage({ ...thoroughGarbage(data), keep: 1, invocation: invocation("gc") });
  const { entries, faults } = await readLog(data);
  t.same(faults, []);
  t.match(entries, [
    {
      time: "2026-11-21T08:30:00.000Z",
      ...invocation("append"),
      note: "Day",
      from: first,
      to: second,
      counts: { added: 2, replaced: 1, known: 0, withheld: 0 },
      warnings: { "new-source": 1 },
    },
    { command: "withdraw", from: second, to: third, counts: { ruled: 1, known: 0 }, prices: [testUuid(101)] },
    { command: "publish", from: third, to: fourth, counts: { rows: 21, added: 1, conflicts: 0, withheld: 1 } },
    { command: "rollback", from: fourth, to: third, counts: { kept_withdrawals: 0 } },
    { command: "publish", from: third, to: fifth, counts: { withheld: 1, lapsed: 0 } },
    { command: "gc", from: fifth, to: fifth, counts: { removed: 4 }, removed: [fourth, third, second, first] },
  ]);
  t.equal(entries.length, 6);
  t.equal((await stat(log)).mode & 0o007, 0, "it names users: not for everyone");
  t.same((await verifySnapshot(data)).logFaults, []);
});

t.test("a log that is missing, cut or in the way stops nothing, and verify says so", async (t) => {
  const { data, log, append } = await fixture(t);
  t.match((await verifySnapshot(data)).logFaults, [/^log\.ndjson: no such file/]);
  await append(priceRows(1, 900));
  await appendFile(log, '{"time":"2026-11-21T');
  t.match((await verifySnapshot(data)).logFaults, [/^log\.ndjson:2: no entry, or half of one$/]);
  const { id, unfinished } = await append(priceRows(1, 901), 2);
  t.same(unfinished, []);
  t.match(await readLog(data), { entries: [{ command: "append" }, { to: id }], faults: [/^log\.ndjson:2/] });

  const [line = ""] = (await readFile(log, "utf8")).split("\n");
  const wrong = [{ time: 1 }, { to: 3 }, { from: "x" }, { counts: null }, { arguments: "a" }, { command: {} }];
  for (const field of wrong) {
    await writeFile(log, `null\n[]\n${JSON.stringify({ ...JSON.parse(line), ...field })}\n`);
    t.match(await readLog(data), { entries: [], faults: [/:1: no entry/, /:2: no entry/, /:3: no entry/] });
  }

  await rm(log);
  await mkdir(log);
  const blocked = await append(priceRows(1, 902), 3);
  const missing = { step: "log", fault: `${log}: found a directory, expected a regular file` };
  t.match(blocked, { outcome: "published", unfinished: [missing] });
  t.match(JSON.parse(blocked.unfinished[0]?.line ?? ""), { command: "append", from: id, to: blocked.id });
  t.equal(await currentOf(data), blocked.id);
  t.match((await verifySnapshot(data)).logFaults, [/unreadable, ERR_NOT_REGULAR_FILE/]);
  await rm(log, { recursive: true });
  await append(priceRows(1, 903), 4);
  await rollbackSnapshot({ dataDirectory: data });
  t.match((await verifySnapshot(data)).logFaults, [/the last change led to .*, but .* is current: one is not logged/]);
});

t.test("a log that may not be written is said to lack the line", { skip: isRoot }, async (t) => {
  const { log, append } = await fixture(t);
  await writeFile(log, "");
  await chmod(log, 0o444);
  const unfinished = [{ step: "log", fault: `EACCES at ${log}` }];
  t.match(await append(priceRows(1, 900)), { outcome: "published", unfinished });
  t.equal(await readFile(log, "utf8"), "");
});

t.test("the entries of a price are those that brought it, replaced it, dropped it or decided on it", async (t) => {
  const { data, append, withdraw } = await fixture(t);
  await append(priceRows(2, 900));
  await append([priceRow({ price: 70 })], 2);
  await append([priceRow({ uuid: testUuid(901), price: 71 })], 3);
  await withdraw(testUuid(900));
  const { entries } = await readLog(data);
  const commandsOf = async (number: number): Promise<unknown> => {
    const { entries: found, unknown } = await findEntriesOfPrice(data, entries, testUuid(number) as Uuid);
    return [found.map((entry) => entries.indexOf(entry)), unknown];
  };
  t.same(await commandsOf(900), [[0, 3], 0]);
  t.same(await commandsOf(901), [[0, 2], 0]);
  t.same(await commandsOf(100), [[1], 0]);
  t.same(await commandsOf(105), [[], 0]);
  await collectGarbage(thoroughGarbage(data));
  t.same(await commandsOf(900), [[3], 3], "what gc has removed cannot be looked into");
});
