/** Server threads that die: the others answer, another takes the place, and the end waits for what is left. */
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import t from "tap";
import { shownPublicKey, statusWith } from "../support/ask-threads.ts";
import { valuesOf } from "../support/fields-of.ts";
import { folderWithData, holdsWithin } from "../support/start-process.ts";
import { type PreparedService, prepareService, startPrepared } from "../support/start-threads.ts";
import { plantSnapshot } from "../support/watch-swaps.ts";

function deathsIn({ log }: PreparedService): number {
  return log.filter(({ msg }) => String(msg).startsWith("server thread died")).length;
}

t.jobs = 2;

t.test("a thread that dies is replaced while the others answer", { buffered: true }, async (t) => {
  const folder = await folderWithData(t);
  const prepared = prepareService(folder, { threadCount: 2 });
  const { baseUrl, adminUrl } = await startPrepared(t, prepared);
  const { key } = shownPublicKey(prepared);
  const listening = async (): Promise<number> => {
    const { threads } = (await (await fetch(`${adminUrl}/snapshot`)).json()) as { threads: { listening: number } };
    return threads.listening;
  };

  // Keys that are none are an exception that nothing catches.
  prepared.workers[0]?.postMessage({ kind: "keys", records: "nonsense" });
  t.ok(await holdsWithin(5000, () => deathsIn(prepared) === 1));
  t.match(
    prepared.log.find(({ level }) => level === 50),
    { thread: 1, err: { type: "TypeError", message: /is not a function/ } },
  );
  t.equal((await fetch(`${adminUrl}/ready`)).status, 200, "the other thread answers");
  t.equal(await statusWith(baseUrl, key), 200);
  t.ok(await holdsWithin(10_000, async () => (await listening()) === 2), "it is replaced");

  await t.test("one that is just taking over gets what is served, and does not hold up a swap", async (t) => {
    const id = await plantSnapshot(join(folder, "data"), 2);
    const ended = Promise.all(prepared.workers.map((worker) => worker.terminate()));
    const response = await fetch(`${adminUrl}/reload`, { method: "POST" });
    // Changed already, if the service has looked at CURRENT before it was asked.
    t.match(await response.json(), { id });
    await ended;
    t.ok(await holdsWithin(10_000, async () => (await listening()) === 2));
    for (let asked = 0; asked < 20; asked++) {
      const answer = await fetch(`${baseUrl}/api/v1/counties`, {
        headers: { "X-API-Key": key, Connection: "close" },
      });
      t.equal(answer.headers.get("X-Snapshot-Id"), id);
    }
  });

  await t.test("figures of a dead thread are kept", async (t) => {
    const text = await (await fetch(`${adminUrl}/metrics`)).text();
    t.match(text, /^server_thread_deaths_total [3-9]$/m);
    const counted = /^http_request_duration_seconds_count\{endpoint="GET \/counties",status="200"\} (\d+)$/m.exec(text);
    t.equal(Number(counted?.[1]), 21);
  });
});

t.test("threads that die at every start are tried less and less often", { buffered: true }, async (t) => {
  const folder = await folderWithData(t);
  let isDeadly = false;
  const prepared = prepareService(folder, {
    onThread: (worker) => {
      threads.push(worker);
      if (isDeadly) worker.terminate();
    },
  });
  const threads: Worker[] = [];
  const { adminUrl, stop } = await startPrepared(t, prepared);
  isDeadly = true;
  threads[0]?.terminate();
  t.ok(await holdsWithin(15_000, () => deathsIn(prepared) >= 4));
  const deaths = prepared.log.filter(({ msg }) => String(msg).startsWith("server thread died"));
  t.strictSame(valuesOf(deaths.slice(0, 4), "pause_ms"), [0, 100, 200, 400]);
  t.equal((await fetch(`${adminUrl}/live`)).status, 200, "the process stays up");
  t.equal((await fetch(`${adminUrl}/ready`)).status, 503, "and says that no one is answered");
  await stop();
  const deathsAtStop = deathsIn(prepared);
  await delay(1000);
  t.equal(deathsIn(prepared), deathsAtStop, "a stopped service replaces no one");
});

t.test("stopping waits for requests of every thread, also while a thread dies", { buffered: true }, async (t) => {
  const prepared = prepareService(await folderWithData(t), { threadCount: 2 });
  const { baseUrl, stop } = await startPrepared(t, prepared);
  const { key } = shownPublicKey(prepared);
  // Some on every thread, all but surely.
  const sockets = await Promise.all(Array.from({ length: 24 }, () => openRequest(Number(new URL(baseUrl).port), key)));
  await prepared.workers[1]?.terminate();
  const stopped = stop();
  let isStopped = false;
  stopped.then(() => {
    isStopped = true;
  });
  await delay(200);
  t.notOk(isStopped, "requests are under way");
  const answers = await Promise.all(sockets.map((socket) => finish(socket)));
  await stopped;
  const answered = answers.filter((text) => /^HTTP\/1\.1 200 OK/.test(text)).length;
  t.ok(answered > 0 && answered < 24, `${answered} answers; the dead thread's requests were lost with it`);
  t.equal(answers.filter((text) => text === "").length, 24 - answered);

  /** A request whose body is still to come, and which its thread has taken up. */
  async function openRequest(port: number, apiKey: string): Promise<ReturnType<typeof connect>> {
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    const headers = `Host: x\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n`;
    socket.write(`POST /api/v1/products/search HTTP/1.1\r\n${headers}Expect: 100-continue\r\n\r\n`);
    await once(socket, "data");
    return socket;
  }

  async function finish(socket: ReturnType<typeof connect>): Promise<string> {
    let text = "";
    socket.write("{}");
    try {
      for await (const piece of socket) text += piece;
    } catch {
      return "";
    }
    return text;
  }
});
