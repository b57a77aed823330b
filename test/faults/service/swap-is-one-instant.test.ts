/** Swaps under load; `npm run bench -- swaps` does the same for much longer. */
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { issueKey } from "../../../src/service/auth/keys-file.ts";
import { askWithoutReading } from "../../support/long-answer.ts";
import { serveFolder } from "../../support/served-folder.ts";
import { priceRows } from "../../support/snapshot-files.ts";
import { folderWithData, holdsWithin, startProcess } from "../../support/start-process.ts";
import { plantSnapshot, pointTo, SwapWatch } from "../../support/watch-swaps.ts";

const swapCount = 3;
const clientCount = 6;

t.test(`${swapCount} swaps under load: every answer is of one snapshot, and no one goes back`, async (t) => {
  const folder = await folderWithData(t);
  const data = join(folder, "data");
  const keysFile = join(folder, "keys.json");
  const numbers = new Map<string, number>();
  for (let number = 1; number <= swapCount; number++) numbers.set(await plantSnapshot(data, number), number);
  const ids = [...numbers.keys()];
  const [first = ""] = ids;
  await pointTo(data, first);

  const now = (): Instant => Date.now() as Instant;
  const publicOne = await issueKey(keysFile, { kind: "public", label: "test" }, now);
  const secretOne = await issueKey(keysFile, { kind: "secret", label: "test" }, now);
  const keys = { publicKey: publicOne.key, secretKey: secretOne.key };
  const { process, baseUrl, adminUrl } = await startProcess(t, folder, { THREADS: "3" });
  // As that of the loader: where other tests take the processor, clients that ask faster than it loads only delay it.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const watch = new SwapWatch(baseUrl, keys, numbers, first);
  const clients = Array.from({ length: clientCount }, () => watch.askOnAndOn(5));

  for (let swap = 1; swap <= swapCount; swap++) {
    const id = ids[swap % ids.length] ?? "";
    watch.activationBegins(id);
    await pointTo(data, id);
    const response = await fetch(`${adminUrl}/reload`, { method: "POST" });
    const answer = await response.json();
    watch.activationIsDone();
    t.match(answer, { id, milliseconds: Number }, `${response.status}`);
  }
  watch.end();
  await Promise.all(clients);

  const { answers, examples, ...wrong } = watch.sightings;
  t.strictSame(wrong, { failed: 0, mixed: 0, goneBack: 0 }, examples.join("\n"));
  t.ok(answers > 100, `${answers} answers`);
  const snapshot = await (await fetch(`${adminUrl}/snapshot`)).json();
  t.match(snapshot, { generation: swapCount + 1, threads: { wanted: 3, listening: 3, deaths: 0 } });

  process.child.kill("SIGTERM");
  t.strictSame(await process.ended, { code: 0, signal: null });
  t.strictSame(process.complaints, [], "no line of the log is broken by another thread's");
  const lines = process.logged("request");
  t.equal(lines.length, answers, "one line a request");
  t.strictSame([...new Set(lines.map(({ thread }) => thread))].sort(), [1, 2, 3], "every thread has answered");
});

t.test("an export outlives one swap, and is cut by a reset at the second", async (t) => {
  // 20 MB of NDJSON: more than the system takes for a client that does not read.
  const folder = await folderWithData(t, { tables: { prices: priceRows(40_000) } });
  const { service, data, reload, served, prepared } = await serveFolder(t, folder, { exportAccess: "public" });
  const key = prepared.shown[0]?.keys.public.key ?? "";
  const socket = await askWithoutReading(Number(new URL(service.baseUrl).port), "/api/v1/exports/prices.ndjson", {
    key,
  });
  const errors: (string | undefined)[] = [];
  socket.on("error", ({ code }: NodeJS.ErrnoException) => errors.push(code));
  const held = async (): Promise<boolean> => {
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    return /^http_long_answers 1$/m.test(metrics);
  };
  t.ok(await holdsWithin(5000, held));
  for (const number of [2, 3]) {
    const id = await plantSnapshot(data, number);
    t.match(await reload(), { status: 200, body: { id } });
    t.equal((await served()).id, id);
    t.ok(await holdsWithin(5000, async () => (await held()) === (number === 2)), `after ${number - 1} swaps`);
  }
  socket.resume();
  t.ok(await holdsWithin(5000, () => socket.closed));
  t.strictSame(errors, ["ECONNRESET"]);
});
