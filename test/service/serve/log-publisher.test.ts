import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import t, { type Test } from "tap";
import { logPublisher } from "../../../src/service/serve/log-publisher.ts";

const id = "20261120T083000Z-0123456789ab";
const version = { version: "1.0.0", commit: "unknown" };
const publisher = { version: "1.1.0", commit: "0123456789abcdef" };

// Waiting for an announcement alone does not keep a process alive.
const alive = setInterval(() => {}, 60_000);
t.teardown(() => clearInterval(alive));

function follow(t: Test, signal: AbortSignal = new AbortController().signal) {
  const dataDirectory = t.testdir();
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const done = logPublisher({ dataDirectory, version, log, pollMilliseconds: 20, signal }, id);
  const announce = (by: object | undefined): void =>
    writeFileSync(join(dataDirectory, "announcement.json"), JSON.stringify({ snapshot: id, publisher: by }));
  return { lines, done, announce };
}

t.test("a snapshot of another version is logged once its announcement is there", async (t) => {
  const { lines, done, announce } = follow(t);
  await delay(30);
  announce(publisher);
  await done;
  t.match(lines, [
    {
      level: 40,
      snapshot: id,
      publisher,
      msg: "published by version 1.1.0 (0123456789ab), served by version 1.0.0 (commit unknown)",
    },
  ]);
});

t.test("a snapshot of the same version is not, nor one of which nobody says it", async (t) => {
  const same = follow(t);
  same.announce({ ...publisher, version: "1.0.0" });
  await same.done;
  const none = follow(t);
  await none.done;
  t.same([same.lines, none.lines], [[], []]);
});

t.test("a stop ends the waiting", async (t) => {
  const stopping = new AbortController();
  const { lines, done, announce } = follow(t, stopping.signal);
  stopping.abort();
  await done;
  announce(publisher);
  t.same(lines, []);
});
