/** What those who run the service see of it: metrics, from the first scrape on, and a thread that no longer answers. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BroadcastChannel } from "node:worker_threads";
import t from "tap";
import { type Block, blockChannelName } from "../../support/block-thread.ts";
import { listItems, sectionOf } from "../../support/list-items.ts";
import { rawExchange } from "../../support/raw-exchange.ts";
import { signedHeaders, unknownPublicKey } from "../../support/signed-request.ts";
import { folderWithData, holdsWithin } from "../../support/start-process.ts";
import { prepareService, startPrepared } from "../../support/start-threads.ts";

const projectFolder = join(import.meta.dirname, "../../..");
const lacksPromtool =
  spawnSync("promtool", ["--version"]).status !== 0 && "promtool is not installed (Debian package prometheus)";

/** The value of each series, by name and labels as they are written. */
function seriesIn(text: string): Map<string, string> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), line.slice(end + 1)];
    }),
  );
}

/** The metrics with their labels in the list of the manual, sorted. */
function documentedMetrics(): string[] {
  const manual = readFileSync(join(projectFolder, "src/service/serve/OPERATING.md"), "utf8");
  const namesIn = (text: string | undefined): string[] =>
    [...(text ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
  return listItems(sectionOf(manual, "Metrics"))
    .map((item) => item.split(": ")[0]?.split(" by "))
    .flatMap(([names, labels] = []) => namesIn(names).map((name) => `${name} ${namesIn(labels).sort()}`))
    .sort();
}

t.test("metrics count what two threads do, and are those of the manual", async (t) => {
  const prepared = prepareService(await folderWithData(t), { threadCount: 2 });
  const { baseUrl, adminUrl } = await startPrepared(t, prepared);
  const { public: publicKey, secret: secretKey } = (prepared.shown[0] as (typeof prepared.shown)[number]).keys;
  const scrape = async (): Promise<string> => (await fetch(`${adminUrl}/metrics`)).text();

  const first = await scrape();
  for (const [series, value] of seriesIn(first)) t.ok(Number.isFinite(Number(value)), `${series} is ${value}`);
  const value = (text: string, series: string): number => Number(seriesIn(text).get(series));
  for (const thread of [1, 2]) {
    t.ok(value(first, `server_thread_heartbeat_age_seconds{thread="${thread}"}`) < 5);
  }
  const { user, system } = process.cpuUsage();
  const cpuSeconds = value(first, "process_cpu_seconds_total");
  t.ok(cpuSeconds > 0.1 && cpuSeconds <= (user + system) / 1e6, "since the start of the process, not since a scrape");

  const search = { method: "POST", path: "/api/v1/prices/search", body: "{}" };
  const post = async (path: string, headers: Record<string, string>): Promise<void> => {
    const body = { body: "{}", headers: { "Content-Type": "application/json", ...headers } };
    const response = await fetch(baseUrl + path, { method: "POST", ...body });
    await response.arrayBuffer();
  };
  const signed = signedHeaders({ ...search, key: secretKey.key });
  const expired = signedHeaders({ ...search, key: secretKey.key, timestampSeconds: 1 });
  for (let asked = 0; asked < 2; asked++) await post(search.path, signed);
  await post(search.path, {});
  await post(search.path, { "X-API-Key": unknownPublicKey });
  await post(search.path, { "X-API-Key": unknownPublicKey });
  await post(search.path, { ...signed, "X-Signature": "0".repeat(64) });
  await post(search.path, expired);
  await post(search.path, { "X-API-Key": publicKey.key });
  const head = await fetch(`${baseUrl}/api/v1/crops`, { method: "HEAD", headers: { "X-API-Key": publicKey.key } });
  await rawExchange(Number(new URL(baseUrl).port), "nonsense\r\n\r\n");

  const counted = (text: string): string[] =>
    [...seriesIn(text)]
      .filter(([series]) => series.startsWith("http_request_duration_seconds_count"))
      .map(([series, count]) => `${/\{(.*)\}/.exec(series)?.[1]} ${count}`)
      .sort();
  const expected = [
    'endpoint="GET /crops",status="200" 1',
    'endpoint="POST /prices/search",status="200" 2',
    'endpoint="POST /prices/search",status="401",code="INSUFFICIENT_PERMISSIONS" 1',
    'endpoint="none",status="400",code="BAD_REQUEST" 1',
    'endpoint="none",status="401",code="INVALID_API_KEY" 2',
    'endpoint="none",status="401",code="INVALID_SIGNATURE" 1',
    'endpoint="none",status="401",code="MISSING_API_KEY" 1',
    'endpoint="none",status="401",code="TIMESTAMP_EXPIRED" 1',
  ];
  let text = "";
  const isCounted = async (): Promise<boolean> => {
    text = await scrape();
    return counted(text).join() === expected.join();
  };
  await holdsWithin(5000, isCounted);
  t.strictSame(counted(text), expected);
  t.equal(head.status, 200);
  const id = head.headers.get("X-Snapshot-Id");
  t.equal(value(text, `snapshot_info{id="${id}"}`), 1);
  t.ok(value(text, "snapshot_newest_price_age_seconds") > 0);
  const ofSource = value(text, 'snapshot_source_newest_price_age_seconds{source="WFP"}');
  t.ok(
    Math.abs(ofSource - value(text, "snapshot_newest_price_age_seconds")) < 5,
    "the only source has the newest price",
  );

  const names = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", kind = ""]) => ({ name, kind }));
  const exported = names.map(({ name, kind }) => {
    const labels = [...seriesIn(text).keys()]
      .filter((series) => series.replace(/\{.*/, "") === (kind === "histogram" ? `${name}_count` : name))
      .flatMap((series) => [...series.matchAll(/(\w+)="/g)].map(([, label]) => label));
    return `${name} ${[...new Set(labels)].sort()}`;
  });
  t.strictSame(exported.sort(), documentedMetrics());

  await t.test("promtool has no remarks", { skip: lacksPromtool }, async (t) => {
    for (const input of [first, text]) {
      const { status, stderr } = spawnSync("promtool", ["check", "metrics"], { input, encoding: "utf8" });
      t.strictSame([status, stderr], [0, ""]);
    }
  });
});

t.test("a thread whose event loop is stuck makes the service unready, until it goes on", async (t) => {
  const { NODE_OPTIONS: received = "" } = process.env;
  process.env["NODE_OPTIONS"] = `${received} --import=${new URL("../../support/block-thread.ts", import.meta.url)}`;
  t.teardown(() => {
    process.env["NODE_OPTIONS"] = received;
  });
  const options = { threadCount: 2, heartbeatMillisecondsMax: 1000 };
  const { adminUrl } = await startPrepared(t, prepareService(await folderWithData(t), options));
  const ready = async (): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`${adminUrl}/ready`);
    return { status: response.status, body: await response.json() };
  };
  t.ok(await holdsWithin(5000, async () => (await ready()).status === 200));

  const gate = new Int32Array(new SharedArrayBuffer(4));
  const open = (): void => {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  };
  t.teardown(open);
  const channel = new BroadcastChannel(blockChannelName);
  t.teardown(() => channel.close());
  channel.postMessage({ thread: 2, gate } satisfies Block);
  t.ok(await holdsWithin(10_000, async () => (await ready()).status === 503));
  t.match((await ready()).body, {
    status: "not ready",
    reason: /^the event loop of server thread 2 has been stuck for \d+\.\d s, expected at most 1 s$/,
  });
  const ages = seriesIn(await (await fetch(`${adminUrl}/metrics`)).text());
  t.ok(Number(ages.get('server_thread_heartbeat_age_seconds{thread="2"}')) > 1);
  t.ok(Number(ages.get('server_thread_heartbeat_age_seconds{thread="1"}')) < 1);
  t.equal((await fetch(`${adminUrl}/live`)).status, 200);

  open();
  t.ok(await holdsWithin(5000, async () => (await ready()).status === 200));
});
