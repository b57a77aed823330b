/** How a running service gets to serve another snapshot, and what it does when it cannot. */
import { chmod, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { programVersion } from "../../../src/engine/files/program-version.ts";
import { serveFirstOfTwo } from "../../support/served-folder.ts";
import { writeCurrentSnapshot } from "../../support/snapshot-files.ts";
import { folderWithData, holdsWithin, startProcess } from "../../support/start-process.ts";
import { plantSnapshot, pointTo } from "../../support/watch-swaps.ts";
import { lacksPosix } from "../../support/why-skipped.ts";

t.jobs = 2;

t.test("a reload serves what CURRENT names, and says whether that is another one", { buffered: true }, async (t) => {
  const { data, ids, reload, served, reported, prepared, service } = await serveFirstOfTwo(t);
  const [first, second] = ids;
  const body = { id: first, changed: false, milliseconds: Number, ...programVersion() };
  t.match(await reload(), { status: 200, body });
  await pointTo(data, second);
  const answer = await reload();
  // The service looks at CURRENT by itself as well, and may have done so just before it was asked.
  const changed = !prepared.log.some(({ trigger, snapshot }) => trigger === "change" && snapshot === second);
  t.match(answer, { status: 200, body: { id: second, changed, milliseconds: Number } });
  t.equal((await served()).id, second);
  t.match(await reported("/snapshot"), {
    id: second,
    created_at: "2026-02-01T08:30:02.000Z",
    note: null,
    attribution: [],
    parent: null,
    rows: { counties: 1, crops: 1, units: 1, "market-types": 1, products: 1, markets: 1, prices: 1 },
    bytes: Number,
    origin: /^(records|compiled)$/,
    loaded_at: /^\d{4}-\d\d-\d\dT/,
    generation: 2,
    threads: { wanted: 2, listening: 2, deaths: 0 },
    broken_snapshots: [],
    last_reload: { changed, error: null },
  });

  await t.test("an id with a blank after it is no id, also of the snapshot that is served", async (t) => {
    await writeFile(join(data, "CURRENT"), `${second} \n`);
    t.match(await reload(), { status: 500, body: { id: second } });
    t.equal((await served()).id, second);
  });

  await t.test("a change of CURRENT is seen without being asked", async (t) => {
    await pointTo(data, first);
    t.ok(await holdsWithin(60_000, async () => (await served()).id === first));
    t.match(
      prepared.log.findLast(({ msg }) => msg === "reloaded"),
      { trigger: "change", result: "changed", snapshot: first },
    );
  });

  await t.test("a running service does not fall back to a parent", async (t) => {
    const broken = await writeCurrentSnapshot(data, { createdAt: "2026-03-01T08:30:00Z", parent: second });
    await truncate(join(data, "snapshots", broken, "prices.ndjson"), 20);
    t.match(await reload(), { status: 500, body: { id: first } });
    t.equal((await served()).id, first);
  });

  await t.test("a snapshot of a newer format is refused, and says why", async (t) => {
    const newer = await writeCurrentSnapshot(data, { createdAt: "2026-03-02T08:30:00Z", parent: second });
    const path = join(data, "snapshots", newer, "manifest.json");
    const manifest = JSON.parse(await readFile(path, "utf8")) as object;
    for (const [change, reason] of [
      [{ format: 2 }, /"format" is 2, expected 1, the only version known here/],
      [{ colour: "red" }, /"colour"/],
      [{ files: [{ name: "tints.json", kind: "tints", bytes: 1, rows: 1, sha256: "0".repeat(64) }] }, /kind/],
    ] as const) {
      await writeFile(path, JSON.stringify({ ...manifest, ...change }));
      t.match(await reload(), { status: 500, body: { id: first, error: { message: reason } } });
      t.equal((await served()).id, first);
      t.match(await reported("/ready"), { reload_error: reason });
    }
  });

  await t.test("a service that is stopped during a load stops", async (t) => {
    await pointTo(data, second);
    const answer = reload();
    await holdsWithin(20, () => false);
    await service.stop();
    t.match((await answer).body, { id: /^2026/ });
    const stopping = prepared.log.filter(({ msg }) => /the service is stopping/.test(String(msg)));
    t.strictSame(
      stopping.filter(({ level }) => level !== 30),
      [],
      "that is no error",
    );
  });
});

t.test("SIGHUP asks for a reload", { buffered: true, skip: lacksPosix }, async (t) => {
  const folder = await folderWithData(t);
  const { process } = await startProcess(t, folder);
  process.child.kill("SIGHUP");
  t.ok(await holdsWithin(3000, () => process.logged("reloaded").length === 1));
  t.match(process.logged("reloaded"), [{ trigger: "signal", result: "unchanged" }]);
});

t.test("a CURRENT that cannot be served changes nothing, and is reported", { buffered: true }, async (t) => {
  const pollMilliseconds = 100;
  const { data, ids, reload, served, reported, prepared, service } = await serveFirstOfTwo(t, {
    threadCount: 1,
    pollMilliseconds,
  });
  const [first, second] = ids;
  const current = join(data, "CURRENT");
  const truncated = await plantSnapshot(data, 3);
  await truncate(join(data, "snapshots", truncated, "products.ndjson"), 20);
  const [newer, unknown] = [await plantSnapshot(data, 4), await plantSnapshot(data, 5)];
  await editManifest(data, newer, { format: 2 });
  await editManifest(data, unknown, { flavours: {} });
  for (const [name, spoil, wanted] of [
    ["empty", () => writeFile(current, ""), /CURRENT: found an empty file/],
    ["missing", () => rm(current), /CURRENT: found no such file/],
    ["no id", () => writeFile(current, "../etc\n"), /CURRENT: found .* expected one line, the id/],
    ["names nothing", () => pointTo(data, "20260301T083000Z-0123456789ab"), /0123456789ab: found no folder /],
    ["names a newer format", () => pointTo(data, newer), /"format" is 2, expected 1, the only version known here/],
    ["names a manifest with another field", () => pointTo(data, unknown), /"flavours" is unknown/],
    ["names a truncated snapshot", () => pointTo(data, truncated), /products\.ndjson/],
  ] as const) {
    await spoil();
    const { status, body } = await reload();
    t.equal(status, 500, name);
    t.match(body, { error: { message: wanted }, id: first }, name);
    t.equal((await served()).id, first, name);
    t.match(await reported("/ready"), { status: "ready", snapshot: first, reload_error: wanted }, name);
    t.match(await reported("/snapshot"), { last_reload: { error: wanted, changed: false } }, name);
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    t.match(metrics, /^reload_last_success 0$/m, name);
    t.ok(
      prepared.log.some(({ level, msg }) => level === 50 && wanted.test(String(msg))),
      name,
    );
  }

  await t.test("a failed load is not tried again with every poll", async (t) => {
    const failures = (): number => prepared.log.filter(({ msg }) => String(msg).startsWith("reload failed")).length;
    const before = failures();
    await holdsWithin(4 * pollMilliseconds, () => false);
    t.equal(failures(), before);
  });

  await pointTo(data, second);
  t.ok(
    await holdsWithin(60_000, async () => (await served()).id === second),
    "a good one is served as if nothing had been",
  );
  t.match(await reported("/ready"), { snapshot: second, reload_error: null });
  const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
  t.match(metrics, /^reload_last_success 1$/m);
  // Each fault once, or twice when the service has looked at CURRENT just before it was asked.
  t.match(metrics, /^reloads_total\{result="failed"\} (?:[6-9]|1[0-2])$/m);
});

async function editManifest(data: string, id: string, fields: object): Promise<void> {
  const path = join(data, "snapshots", id, "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8"));
  await chmod(path, 0o644);
  await writeFile(path, JSON.stringify({ ...manifest, ...fields }));
}
