/** The log goes into a pipe that is not read: the service goes on, and says how many lines of the log were lost. */
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Instant } from "../../src/engine/model/calendar.ts";
import { issueKey } from "../../src/service/auth/keys-file.ts";
import { sendMany } from "../support/send-many.ts";
import { type StalledService, stalledReaders, startStalled } from "../support/stalled-log.ts";
import { folderWithData, holdsWithin } from "../support/start-process.ts";
import { lacksLinux } from "../support/why-skipped.ts";

/** Fill the pipe and what the threads keep. */
const fillingRequests = 6000;

/** So many before memory is measured for the first time, */
const warmUp = 25_000;

/** and so many until it is measured again. */
const requests = 75_000;

/** Less than the 100 MB of log that these make. V8's heap grows by 34 MB in each thread, at some time. */
const growthBytesMax = 80_000_000;

/** Longer than what is waited for takes on a busy machine. */
const effectMilliseconds = 5000;

/** A request that makes as long a line as there is. */
const target = `/api/v1/products?search=${"%78".repeat(200)}&category=${"%79".repeat(200)}`;

const options = { skip: lacksLinux };
const now = (): Instant => Date.now() as Instant;

t.test("lines that is not read are not kept", { ...options }, async (t) => {
  const { service, request } = await start(t, "shell pipe");
  t.same(await sendMany(service.baseUrl, request, warmUp), { 200: warmUp });
  const before = service.memory();
  t.same(await sendMany(service.baseUrl, request, requests), { 200: requests });
  const growth = service.memory() - before;
  t.comment(`memory grew by ${Math.round(growth / 1e6)} MB`);
  t.ok(growth < growthBytesMax, `memory is level, it grew by ${growth} bytes`);
  const counted = await droppedLines(service);
  t.ok(counted > requests, `${counted} lines were dropped`);
  t.equal(await service.stop(), 0);
});

for (const reader of stalledReaders) {
  t.test(`a ${reader} that is read again later`, { ...options }, async (t) => {
    const { service, request, issue } = await start(t, reader);
    t.same(await sendMany(service.baseUrl, request, fillingRequests), { 200: fillingRequests });

    t.equal((await fetch(`${service.adminUrl}/live`)).status, 200);
    t.match(await (await fetch(`${service.adminUrl}/ready`)).json(), { status: "ready" });
    const key = await issue();
    t.ok(await holdsWithin(effectMilliseconds, async () => (await statusWith(service, key)) === 200), "keys followed");

    const counted = await droppedLines(service);
    t.ok(counted > fillingRequests / 2, `${counted} lines were dropped`);
    service.resume();
    const reported = (): number => service.log().reduce((sum, { dropped_lines: lines = 0 }) => sum + Number(lines), 0);
    t.ok(await holdsWithin(effectMilliseconds, () => reported() === counted), `${reported()} of them are in the log`);
    t.equal(await droppedLines(service), counted, "and no further ones");
    t.equal(await statusWith(service, key, "afterwards"), 200);
    const logs = (field: string, value: string): Promise<boolean> =>
      holdsWithin(effectMilliseconds, () => service.log().some((line) => line[field] === value));
    t.ok(await logs("request_id", "afterwards"), "the log goes on");
    t.equal(await service.stop(), 0);
    t.ok(await logs("msg", "stopped"));
  });

  t.test(`a ${reader} that is never read, to the end`, { ...options }, async (t) => {
    const { service, request } = await start(t, reader);
    t.same(await sendMany(service.baseUrl, request, fillingRequests), { 200: fillingRequests });
    t.ok((await droppedLines(service)) > 0);
    t.equal(await service.stop(), 0);
  });
}

async function start(
  t: Test,
  reader: (typeof stalledReaders)[number],
): Promise<{ readonly service: StalledService; readonly request: string; readonly issue: () => Promise<string> }> {
  const folder = await folderWithData(t);
  const issue = async (): Promise<string> =>
    (await issueKey(join(folder, "keys.json"), { kind: "public", label: "client" }, now)).key;
  const key = await issue();
  const service = await startStalled(t, folder, reader);
  return { service, request: `GET ${target} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`, issue };
}

async function statusWith({ baseUrl }: StalledService, key: string, id = "while waiting"): Promise<number> {
  const headers = { "X-API-Key": key, "X-Request-Id": id };
  const response = await fetch(`${baseUrl}/api/v1/crops`, { headers });
  await response.text();
  return response.status;
}

/** What /metrics counts. */
async function droppedLines({ adminUrl }: StalledService): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(/^log_dropped_lines_total (\d+)$/m.exec(text)?.[1]);
}
