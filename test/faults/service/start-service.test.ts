import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import t from "tap";
import { freePort } from "../../../scripts/deploy/trial.ts";
import { programVersion } from "../../../src/engine/files/program-version.ts";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { ForeseenError } from "../../../src/engine/model/foreseen-error.ts";
import { KeysFileError } from "../../../src/service/auth/keys-document.ts";
import { issueKey } from "../../../src/service/auth/keys-file.ts";
import { readLastUse } from "../../../src/service/auth/last-use.ts";
import { ListenError } from "../../../src/service/serve/ports.ts";
import { startService } from "../../../src/service/serve/start-service.ts";
import { listenOn } from "../../support/listen-on.ts";
import { folderWithData, holdsWithin, type LogLine } from "../../support/start-process.ts";
import { prepareService as prepare, startPrepared as start } from "../../support/start-threads.ts";
import { lacksPosix } from "../../support/why-skipped.ts";

async function statusWith(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/counties`, { headers: { "X-API-Key": key } });
  await response.text();
  return response.status;
}

t.test("a service that has started answers, and shows the keys it has made", async (t) => {
  const prepared = prepare(await folderWithData(t));
  const { baseUrl, adminUrl, stop } = await start(t, prepared);
  const { shown, printed, log } = prepared;
  t.equal(shown.length, 1);
  t.equal(shown[0]?.baseUrl, baseUrl);
  t.equal(await statusWith(baseUrl, shown[0]?.keys.public.key ?? ""), 200);
  t.equal((await fetch(`${adminUrl}/ready`)).status, 200);
  t.strictSame(printed, [`listening on ${baseUrl}\n`]);
  t.match(log.slice(0, 2), [
    { msg: "snapshot loaded", prices: 1, products: 1, markets: 1 },
    { msg: "listening", url: baseUrl, admin_url: adminUrl },
  ]);

  await t.test("a stopped service refuses connections, and stopping again is the same stop", async (t) => {
    const stopped = stop();
    t.equal(stop(), stopped);
    await stopped;
    for (const url of [baseUrl, adminUrl]) {
      await t.rejects(fetch(url), { cause: { code: "ECONNREFUSED" } });
    }
  });
});

t.test("the pages for people are where the operator wants them", async (t) => {
  const folder = await folderWithData(t);
  for (const [servesExplorer, onPublic, onAdmin] of [
    [true, 200, 404],
    [false, 404, 404],
  ] as const) {
    const prepared = prepare(folder, { servesExplorer });
    const { baseUrl, adminUrl, stop } = await start(t, prepared);
    const statusOf = async (url: string): Promise<number> => (await fetch(`${url}/explore`)).status;
    t.strictSame([await statusOf(baseUrl), await statusOf(adminUrl)], [onPublic, onAdmin]);
    const announced = prepared.printed.filter((text) => text.startsWith("prices for people"));
    t.strictSame(announced, servesExplorer ? [`prices for people at ${baseUrl}/explore\n`] : []);
    if (servesExplorer) t.equal((await fetch(baseUrl)).url, `${baseUrl}/explore`, "the start leads there");
    await stop();
  }
});

t.test(
  "the use of keys in all threads is written while the service runs; where it cannot be, that is a warning",
  async (t) => {
    const folder = await folderWithData(t);
    const prepared = prepare(folder, { threadCount: 2, lastUseMilliseconds: 50 });
    const { keysFile } = prepared.options;
    const { baseUrl } = await start(t, prepared);
    const [shown] = prepared.shown;
    if (shown === undefined) throw new Error("no keys were shown");
    const { public: used, secret } = shown.keys;
    t.equal(await statusWith(baseUrl, used.key), 200);
    t.ok(await holdsWithin(5000, async () => (await readLastUse(keysFile)).has(used.entry.id)));
    t.notOk((await readLastUse(keysFile)).has(secret.entry.id));
    const warnings = () => prepared.log.filter(({ level }) => level === 40);
    t.same(warnings(), []);

    rmSync(`${keysFile}.use.json`);
    mkdirSync(`${keysFile}.use.json`);
    t.equal(await statusWith(baseUrl, secret.key), 401, "it is not signed");
    t.ok(await holdsWithin(5000, () => warnings().length > 0));
    t.match(warnings(), [
      { keys_file: keysFile, msg: /keys\.json\.use\.json: cannot be read: .*; days of last use are not written$/ },
    ]);
    t.equal(await statusWith(baseUrl, used.key), 200);
  },
);

t.test("a keys file that other users may read is warned about at the start", { skip: lacksPosix }, async (t) => {
  const prepared = prepare(await folderWithData(t), { showFirstKeys: undefined });
  const { keysFile } = prepared.options;
  const { key } = await issueKey(keysFile, { kind: "public", label: "first" }, () => Date.now() as Instant);
  chmodSync(keysFile, 0o644);
  const { baseUrl } = await start(t, prepared);
  t.equal(await statusWith(baseUrl, key), 200);
  t.match(
    prepared.log.filter(({ level }) => Number(level) >= 40),
    [{ level: 40, keys_file: keysFile, msg: /: found mode 0644, which lets other users read it, expected 0600$/ }],
  );
});

t.test("a snapshot is read from its records the first time, and from its compiled store afterwards", async (t) => {
  const folder = await folderWithData(t);
  const compiled = join(folder, "data", "compiled");
  const loaded = async (): Promise<LogLine[]> => {
    const prepared = prepare(folder);
    const service = await startService(prepared.options);
    await service.stop();
    return prepared.log.filter(({ msg }) => msg !== "listening" && msg !== "keys in force");
  };
  const ofRecords = { msg: "snapshot loaded", origin: "records", prices: 1, read_ms: Number, build_ms: Number };
  t.match(await loaded(), [{ ...ofRecords, compiled_store: "missing", compile_ms: Number }]);
  const [line, ...others] = await loaded();
  t.match(line, { msg: "snapshot loaded", origin: "compiled", prices: 1, read_ms: Number });
  t.notOk("build_ms" in (line ?? {}));
  t.same(others, []);

  const [name = ""] = readdirSync(compiled);
  writeFileSync(join(compiled, name), "spoilt");
  t.match(await loaded(), [
    { level: 40, code: "foreign", msg: /\.store: found another kind of file, .*; reading the records$/ },
    { ...ofRecords, compiled_store: "foreign", compile_ms: Number },
  ]);
  t.match(await loaded(), [{ origin: "compiled" }]);

  rmSync(compiled, { recursive: true });
  writeFileSync(compiled, "a file where the folder would be");
  const lines = await loaded();
  t.match(lines, [{ origin: "records", compiled_store: "missing", not_compiled: /^E/ }]);
  t.equal(lines.length, 1, "a folder that cannot be written is nothing to complain about");
});

t.test("before a thread has the store, requests are asked to try again", async (t) => {
  const folder = await folderWithData(t);
  const [port, adminPort] = [await freePort(), await freePort()];
  const held = Promise.withResolvers<void>();
  const prepared = prepare(folder, {
    port,
    adminPort,
    onThread(worker) {
      const post = worker.postMessage.bind(worker);
      worker.postMessage = (message: unknown) => void held.promise.then(() => post(message));
    },
  });
  const starting = startService(prepared.options);
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  t.ok(
    await holdsWithin(3000, () =>
      fetch(adminUrl).then(
        () => true,
        () => false,
      ),
    ),
    "the ports are bound",
  );

  const ready = await fetch(`${adminUrl}/ready`);
  const notReady = { status: "not ready", reason: "no snapshot is served yet", ...programVersion() };
  t.strictSame([ready.status, await ready.json()], [503, notReady]);
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/counties`, {
    headers: { "X-API-Key": goodKey, traceparent },
  });
  t.equal(response.status, 503);
  t.match(
    prepared.log.find(({ msg }) => msg === "request"),
    { status: 503, trace_id: "4bf92f3577b34da6a3ce929d0e0e4736", parent_id: "00f067aa0ba902b7", trace_flags: "01" },
  );
  t.equal(response.headers.get("Retry-After"), "5");
  t.match(await response.json(), { error: "unavailable", code: "SERVICE_UNAVAILABLE", message: /starting/ });
  t.strictSame(prepared.printed, []);

  held.resolve();
  const { baseUrl, stop } = await starting;
  t.teardown(stop);
  t.equal((await fetch(`${adminUrl}/ready`)).status, 200);
  t.equal(await statusWith(baseUrl, goodKey), 401);
});

/** Well formed, and in no file. */
const goodKey = "svc_pub_UnknownPublicForTestsOnly002EhOuc";

// A broken snapshot without a parent is that of start-refused.test.ts.
/** Puts a file in place of a folder. */
function putFile(path: string): void {
  rmSync(path, { recursive: true });
  writeFileSync(path, "");
}

t.test("a data directory that cannot be served from is reported in one line", async (t) => {
  const absentId = "20260301T083000Z-0123456789ab";
  for (const [name, spoil, line] of [
    [
      "no data directory",
      (data: string) => rmSync(data, { recursive: true }),
      /data: found no such folder, expected the dataset directory, which DATA_DIR or --data-dir names$/,
    ],
    ["a file in its place", (data: string) => putFile(data), /data: found a file, expected the dataset directory/],
    [
      "links in its place",
      (data: string) => {
        rmSync(data, { recursive: true });
        symlinkSync("data", data);
      },
      /data: found links that lead to one another \(ELOOP\), expected the dataset directory/,
    ],
    [
      "a file in place of the snapshots",
      (data: string) => putFile(join(data, "snapshots")),
      /data\/snapshots: found a file, expected a folder of snapshots$/,
    ],
    [
      "a folder in place of CURRENT",
      (data: string) => {
        rmSync(join(data, "CURRENT"));
        mkdirSync(join(data, "CURRENT"));
      },
      /data\/CURRENT: found a directory, expected the id of a snapshot$/,
    ],
    [
      "a folder in place of the pin",
      (data: string) => mkdirSync(join(data, "pin.json")),
      /data\/pin\.json: found a directory, expected a regular file$/,
    ],
    [
      "no CURRENT",
      (data: string) => rmSync(join(data, "CURRENT")),
      /data\/CURRENT: found no such file, expected the id/,
    ],
    [
      "an empty CURRENT",
      (data: string) => writeFileSync(join(data, "CURRENT"), ""),
      /data\/CURRENT: found an empty file, expected one line, the id of a snapshot$/,
    ],
    [
      "a CURRENT that names nothing",
      (data: string) => writeFileSync(join(data, "CURRENT"), `${absentId}\n`),
      new RegExp(`^snapshot ${absentId}: found no folder .*, expected one that list shows$`),
    ],
  ] as const) {
    const folder = await folderWithData(t);
    spoil(join(folder, "data"));
    const { options, printed } = prepare(folder);
    const error = await startService(options).catch((thrown: unknown) => thrown);
    t.type(error, ForeseenError, name);
    t.match((error as Error).message, line, name);
    t.notMatch((error as Error).message, "\n");
    t.strictSame(printed, []);
    t.notOk(existsSync(options.keysFile));
  }
});

t.test("a service that cannot have its ports or keys frees what it had and makes nothing", async (t) => {
  const takenPort = await listenOn(t, createServer());
  const inUse = `port ${takenPort} on 127.0.0.1 is in use, expected a free one (0 lets the system choose)`;
  const folder = await folderWithData(t);
  writeFileSync(join(folder, "broken.json"), "{");
  const port = await freePort();
  for (const [overrides, error] of [
    [{ port: takenPort }, new ListenError(`PORT: ${inUse}`)],
    [{ port, adminPort: takenPort }, new ListenError(`ADMIN_PORT: ${inUse}`)],
    [{ port, adminPort: port }, ListenError],
    [{ port, keysFile: join(folder, "broken.json") }, KeysFileError],
    [{ port, keysFile: join(folder, "nowhere", "keys.json") }, KeysFileError],
  ] as const) {
    const { options, printed, shown } = prepare(folder, overrides);
    await t.rejects(startService(options), error);
    t.strictSame([printed, shown], [[], []]);
    t.notOk(existsSync(join(folder, "keys.json")));
  }
  const { baseUrl } = await start(t, prepare(folder, { port }));
  t.equal(baseUrl, `http://127.0.0.1:${port}`, "the port is free again");
});

t.test("a stop takes no longer than it may, whatever clients of both ports do", async (t) => {
  const stopMillisecondsMax = 1000;
  const prepared = prepare(await folderWithData(t), { stopMillisecondsMax });
  const { baseUrl, adminUrl, stop } = await start(t, prepared);
  // Requests that never end keep their threads and their connections busy.
  const head =
    `POST /api/v1/products/search HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ` +
    `${prepared.shown[0]?.keys.public.key}\r\n`;
  await Promise.all(
    [baseUrl, adminUrl].map(async (url) => {
      const client = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => undefined);
      t.teardown(() => client.destroy());
      await new Promise((resolve) => client.write(`${head}Content-Length: 9\r\n\r\n{`, resolve));
      t.teardown(() => clearInterval(dribbling));
      const dribbling = setInterval(() => client.write(" "), 300);
    }),
  );
  const begin = performance.now();
  await stop();
  const milliseconds = performance.now() - begin;
  t.ok(milliseconds > stopMillisecondsMax * 0.8, `${milliseconds} ms: the requests are waited for`);
  t.ok(milliseconds < stopMillisecondsMax + 500, `${milliseconds} ms`);
});
