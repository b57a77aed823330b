/** More connections than the process may open files. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import t from "tap";
import type { Instant } from "../../src/engine/model/calendar.ts";
import { issueKey } from "../../src/service/auth/keys-file.ts";
import { folderWithData, startProcess } from "../support/start-process.ts";
import { plantSnapshot } from "../support/watch-swaps.ts";

const skip = process.platform === "linux" ? false : "the limit of open files is set with prlimit, on Linux";

async function openConnections(port: number, count: number, addresses: number): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const socket = connect({ port, host: "127.0.0.1", localAddress: `127.0.0.${2 + (at % addresses)}` });
      socket.on("error", () => undefined).resume();
      await Promise.race([once(socket, "connect"), once(socket, "close")]);
      return socket;
    }),
  );
}

for (const [name, addresses] of [
  ["from one address", 1],
  ["from many addresses", 50],
] as const) {
  t.test(`300 idle connections ${name} keep no one out`, { skip }, async (t) => {
    const folder = await folderWithData(t);
    const keysFile = join(folder, "keys.json");
    const { key } = await issueKey(keysFile, { kind: "public", label: "other" }, () => Date.now() as Instant);
    const service = await startProcess(t, folder, { KEYS_FILE: keysFile, THREADS: "2" }, { filesMax: 240 });
    const headers = { "X-API-Key": key, Connection: "close" };
    const statusOf = async (url: string, method = "GET"): Promise<number> =>
      (await fetch(url, { method, headers })).status;

    const idle = await openConnections(Number(new URL(service.baseUrl).port), 300, addresses);
    const idleAdmin = await openConnections(Number(new URL(service.adminUrl).port), 300, addresses);
    for (let round = 0; round < 20; round++) {
      t.equal(await statusOf(`${service.baseUrl}/api/v1/counties`), 200);
      t.equal(await statusOf(`${service.adminUrl}/ready`), 200);
    }
    const id = await plantSnapshot(join(folder, "data"), 2);
    const reload = await fetch(`${service.adminUrl}/reload`, { method: "POST" });
    t.strictSame([reload.status, ((await reload.json()) as { id: string }).id], [200, id]);
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    t.match(metrics, /^server_thread_deaths_total 0$/m);
    t.match(metrics, /^http_refused_total\{resource="connections"\} 0$/m);
    for (const socket of [...idle, ...idleAdmin]) socket.destroy();
  });
}

t.test("a limit that leaves no room ends the start with one line", { skip }, async (t) => {
  const folder = await folderWithData(t);
  await t.rejects(startProcess(t, folder, {}, { filesMax: 60 }), {
    message: /stderr: the process may open 60 files, expected at least \d+: 8 connections/,
  });
  await t.rejects(startProcess(t, folder, { MAX_CONNECTIONS: "5000" }, { filesMax: 1000 }), {
    message: /the process may open 1000 files, expected at least \d+: 5000 connections/,
  });
});
