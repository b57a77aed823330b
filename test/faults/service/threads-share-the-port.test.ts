/** Several threads on one port, as one service: the same keys, and no second service beside them. */
import { join } from "node:path";
import t from "tap";
import { freePort } from "../../../scripts/deploy/trial.ts";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { revokeKey } from "../../../src/service/auth/keys-file.ts";
import { ListenError } from "../../../src/service/serve/ports.ts";
import { startService } from "../../../src/service/serve/start-service.ts";
import { shownPublicKey, statusWith } from "../../support/ask-threads.ts";
import { folderWithData, holdsWithin } from "../../support/start-process.ts";
import { prepareService, startPrepared } from "../../support/start-threads.ts";
import { lacksLinux } from "../../support/why-skipped.ts";

/** So many connections that each of two threads gets some, all but surely. */
async function statusesWith(baseUrl: string, key: string): Promise<number[]> {
  const statuses = await Promise.all(Array.from({ length: 40 }, () => statusWith(baseUrl, key)));
  return [...new Set(statuses)];
}

t.jobs = 2;

t.test("keys belong to the service, not to a thread", { buffered: true }, async (t) => {
  const prepared = prepareService(await folderWithData(t), { threadCount: 2 });
  const { baseUrl } = await startPrepared(t, prepared);
  const { entry, key } = shownPublicKey(prepared);
  t.strictSame(await statusesWith(baseUrl, key), [200]);
  await revokeKey(prepared.options.keysFile, entry.id, () => Date.now() as Instant);
  t.ok(await holdsWithin(2000, () => prepared.log.some(({ msg }) => msg === "keys in force")));
  t.ok(await holdsWithin(500, async () => (await statusesWith(baseUrl, key)).join() === "401"));

  await t.test("a thread that takes the place of another refuses a revoked key as well", async (t) => {
    await Promise.all(prepared.workers.map((worker) => worker.terminate()));
    t.ok(await holdsWithin(10_000, async () => (await statusesWith(baseUrl, key)).join() === "401"));
  });
});

t.test("a rate limit is that of the service, not of a thread", { buffered: true }, async (t) => {
  const prepared = prepareService(await folderWithData(t), { threadCount: 2, ratePerMinute: 10 });
  const startedAt = performance.now();
  const { baseUrl, adminUrl } = await startPrepared(t, prepared);
  const { key } = shownPublicKey(prepared);
  const ask = (asked: string): Promise<number[]> =>
    Promise.all(Array.from({ length: 40 }, () => statusWith(baseUrl, asked)));
  const served = (await ask(key)).filter((status) => status === 200).length;
  // A token comes back every six seconds.
  const most = 10 + Math.floor((performance.now() - startedAt) / 6000);
  t.ok(served >= 10 && served <= most, `${served} of 40 are served, at most ${most}`);
  t.strictSame([...new Set(await ask("svc_pub_wrong"))], [401], "wrong keys have a limit of their own");
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  t.match(metrics, new RegExp(`^http_rate_limited_total\\{limit="client"\\} ${40 - served}$`, "m"));
  t.match(metrics, /^http_rate_limited_total\{limit="guess"\} 0$/m);
  t.match(metrics, /^http_rate_limited_total\{limit="keyless"\} 0$/m);
  t.match(metrics, /^http_refused_total\{resource="keyless_answers"\} 0$/m);
  t.match(metrics, /^http_keyless_long_answers 0$/m);
});

t.test("a second service cannot share the port", { buffered: true }, async (t) => {
  const folder = await folderWithData(t);
  const first = prepareService(folder, { threadCount: 2 });
  const { baseUrl } = await startPrepared(t, first);
  const port = Number(new URL(baseUrl).port);
  const keysFile = join(folder, "second.json");
  const second = prepareService(folder, { threadCount: 2, port, keysFile });
  const inUse = `PORT: port ${port} on 127.0.0.1 is in use, expected a free one (0 lets the system choose)`;
  await t.rejects(startService(second.options), new ListenError(inUse));

  await t.test("nor can it while no one listens for a moment", { skip: lacksLinux }, async (t) => {
    await Promise.all(first.workers.map((worker) => worker.terminate()));
    await t.rejects(startService(second.options), new ListenError(inUse));
  });
});

t.test("services that start at once on one port: one starts, the others say so", { buffered: true }, async (t) => {
  const port = await freePort();
  const folder = await folderWithData(t);
  const keysFiles = ["a.json", "b.json", "c.json"].map((name) => join(folder, name));
  const starts = await Promise.allSettled(
    keysFiles.map((keysFile) => startPrepared(t, prepareService(folder, { threadCount: 2, port, keysFile }))),
  );
  t.equal(starts.filter(({ status }) => status === "fulfilled").length, 1);
  for (const start of starts) if (start.status === "rejected") t.type(start.reason, ListenError);
});
