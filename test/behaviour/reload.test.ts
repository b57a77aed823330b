/** How a running service gets to serve another snapshot, and what it does when it cannot. */
import { rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ResourceLimits } from "node:worker_threads";
import t, { type Test } from "tap";
import type { Service } from "../../src/serve/start-service.ts";
import { priceRows, writeCurrentSnapshot } from "../support/snapshot-files.ts";
import { folderWithData, holdsWithin, startProcess } from "../support/start-process.ts";
import { type PreparedService, prepareService, startPrepared } from "../support/start-threads.ts";
import { plantSnapshot, pointTo } from "../support/watch-swaps.ts";

interface Running {
  readonly data: string;
  readonly prepared: PreparedService;
  readonly service: Service;
  /** Snapshots 1 and 2; 1 is served. */
  readonly ids: readonly [string, string];
  /** What POST /reload answers. */
  reload(): Promise<{ status: number; body: unknown }>;
  /** The id of the snapshot that is answered from. */
  served(): Promise<string | null>;
  told(path: string): Promise<Record<string, unknown>>;
}

async function run(t: Test, loaderLimits: ResourceLimits = {}): Promise<Running> {
  const folder = await folderWithData(t);
  const data = join(folder, "data");
  const second = await plantSnapshot(data, 2);
  const ids = [await plantSnapshot(data, 1), second] as const;
  const prepared = prepareService(folder, { threadCount: 2, loaderLimits });
  const service = await startPrepared(t, prepared);
  const key = prepared.shown[0]?.keys.public.key ?? "";
  return {
    data,
    prepared,
    service,
    ids,
    async reload() {
      const response = await fetch(`${service.adminUrl}/reload`, { method: "POST" });
      return { status: response.status, body: await response.json() };
    },
    async served() {
      const response = await fetch(`${service.baseUrl}/api/v1/counties`, { headers: { "X-API-Key": key } });
      t.equal(response.status, 200);
      return response.headers.get("X-Snapshot-Id");
    },
    async told(path) {
      return (await (await fetch(service.adminUrl + path)).json()) as Record<string, unknown>;
    },
  };
}

t.jobs = 2;

t.test("a reload serves what CURRENT names, and says whether that is another one", { buffered: true }, async (t) => {
  const { data, ids, reload, served, told } = await run(t);
  const [first, second] = ids;
  t.match(await reload(), { status: 200, body: { id: first, changed: false, milliseconds: Number } });
  await pointTo(data, second);
  t.match(await reload(), { status: 200, body: { id: second, changed: true, milliseconds: Number } });
  t.equal(await served(), second);
  t.match(await told("/snapshot"), {
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
    last_reload: { changed: true, error: null },
  });
});

t.test("a change of CURRENT is seen without being asked", { buffered: true }, async (t) => {
  const { data, ids, served, prepared } = await run(t);
  await pointTo(data, ids[1]);
  t.ok(await holdsWithin(5000, async () => (await served()) === ids[1]));
  t.match(
    prepared.log.find(({ msg }) => msg === "reloaded"),
    { trigger: "change", result: "changed", snapshot: ids[1] },
  );
});

t.test("SIGHUP asks for a reload", { buffered: true, skip: process.platform === "win32" }, async (t) => {
  const folder = await folderWithData(t);
  const { process } = await startProcess(t, folder);
  process.child.kill("SIGHUP");
  t.ok(await holdsWithin(3000, () => process.logged("reloaded").length === 1));
  t.match(process.logged("reloaded"), [{ trigger: "signal", result: "unchanged" }]);
});

t.test("who asks during a reload gets the one that follows, together", { buffered: true }, async (t) => {
  const { data, ids, reload, prepared, served } = await run(t);
  const [first, second] = ids;
  await pointTo(data, second);
  const running = reload();
  await holdsWithin(1000, () => false);
  const asked = [];
  await pointTo(data, first);
  for (let request = 0; request < 5; request++) asked.push(reload());
  t.match(await running, { status: 200 });
  const answers = await Promise.all(asked);
  for (const { body } of answers) t.match(body, { id: first });
  t.equal(await served(), first);
  const reloads = prepared.log.filter(({ msg }) => msg === "reloaded").length;
  t.ok(reloads <= 3, `${reloads} reloads for 6 requests`);
});

t.test("a CURRENT that cannot be served changes nothing, and is told", { buffered: true }, async (t) => {
  const { data, ids, reload, served, told, prepared, service } = await run(t);
  const [first, second] = ids;
  const current = join(data, "CURRENT");
  const truncated = await plantSnapshot(data, 3);
  await truncate(join(data, "snapshots", truncated, "products.ndjson"), 20);
  for (const [name, spoil, wanted] of [
    ["empty", () => writeFile(current, ""), /CURRENT: found an empty file/],
    ["missing", () => rm(current), /CURRENT: found no such file/],
    ["no id", () => writeFile(current, "../../etc\n"), /CURRENT: found .* expected one line, the id/],
    ["names nothing", () => pointTo(data, "20260301T083000Z-0123456789ab"), /manifest .* cannot be used/],
    ["names a truncated snapshot", () => pointTo(data, truncated), /products\.ndjson/],
  ] as const) {
    await spoil();
    const { status, body } = await reload();
    t.equal(status, 500, name);
    t.match(body, { error: { message: wanted }, id: first }, name);
    t.equal(await served(), first, name);
    t.match(await told("/ready"), { status: "ready", snapshot: first, reload_error: wanted }, name);
    t.match(await told("/snapshot"), { last_reload: { error: wanted, changed: false } }, name);
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    t.match(metrics, /^reload_last_success 0$/m, name);
    t.ok(
      prepared.log.some(({ level, msg }) => level === 50 && wanted.test(String(msg))),
      name,
    );
  }

  await t.test("a failed load is not tried again until CURRENT or its manifest changes", async (t) => {
    const failures = (): number => prepared.log.filter(({ msg }) => String(msg).startsWith("reload failed")).length;
    const before = failures();
    await holdsWithin(1600, () => false);
    t.equal(failures(), before);
    await writeFile(join(data, "snapshots", truncated, "manifest.json"), "{}");
    t.ok(await holdsWithin(3000, () => failures() === before + 1));
  });

  await pointTo(data, second);
  t.ok(await holdsWithin(5000, async () => (await served()) === second), "a good one is served as if nothing had been");
  t.match(await told("/ready"), { snapshot: second, reload_error: null });
  const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
  t.match(metrics, /^reload_last_success 1$/m);
  t.match(metrics, /^reloads_total\{result="failed"\} [6-9]$/m);
  t.match(metrics, /^store_rows\{table="prices"\} 1$/m);
});

t.test("a running service does not fall back to a parent", { buffered: true }, async (t) => {
  const { data, ids, reload, served } = await run(t);
  const [first, second] = ids;
  const broken = await writeCurrentSnapshot(data, { createdAt: "2026-03-01T08:30:00Z", parent: second });
  await truncate(join(data, "snapshots", broken, "prices.ndjson"), 20);
  t.match(await reload(), { status: 500, body: { id: first } });
  t.equal(await served(), first);
});

t.test("a snapshot deleted under a running service changes nothing", { buffered: true }, async (t) => {
  const { data, ids, reload, served, prepared } = await run(t);
  await rm(join(data, "snapshots"), { recursive: true });
  t.equal(await served(), ids[0]);
  t.match(await reload(), { status: 200, body: { changed: false } });
  await Promise.all(prepared.workers.map((worker) => worker.terminate()));
  t.ok(
    await holdsWithin(10_000, async () => {
      try {
        return (await served()) === ids[0];
      } catch {
        return false;
      }
    }),
    "threads that start now get it as well",
  );
});

t.test("a loader that runs out of memory leaves the old snapshot", { buffered: true }, async (t) => {
  const loaderLimits: ResourceLimits = {};
  const { data, ids, reload, served, told } = await run(t, loaderLimits);
  loaderLimits.maxOldGenerationSizeMb = 8;
  const large = await writeCurrentSnapshot(data, {
    createdAt: "2026-03-01T08:30:00Z",
    tables: {
      prices: priceRows(40_000).map((row, place) => ({ ...row, notes: `note ${place}`.padEnd(400, ".") })),
    },
  });
  const wanted = "the loader thread ran out of memory";
  t.match(await reload(), { status: 500, body: { error: { message: wanted }, id: ids[0] } });
  t.equal(await served(), ids[0]);
  t.match(await told("/ready"), { snapshot: ids[0], reload_error: wanted });
  delete loaderLimits.maxOldGenerationSizeMb;
  t.match(await reload(), { status: 200, body: { id: large, changed: true } });
});

t.test("a service that is stopped during a load stops", { buffered: true }, async (t) => {
  const { data, ids, reload, service } = await run(t);
  await pointTo(data, ids[1]);
  const answer = reload();
  await holdsWithin(20, () => false);
  await service.stop();
  t.match((await answer).body, { id: /^2026/ });
});
