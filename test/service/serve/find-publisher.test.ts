import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import t, { type Test } from "tap";
import { findPublisher } from "../../../src/service/serve/find-publisher.ts";

const id = "20261120T083000Z-0123456789ab";
const version = { version: "1.0.0", commit: "unknown" };
const publisher = { version: "1.1.0", commit: "0123456789abcdef" };

// Waiting for an announcement alone does not keep a process alive.
const alive = setInterval(() => {}, 60_000);
t.teardown(() => clearInterval(alive));

function find(t: Test, signal: AbortSignal = new AbortController().signal) {
  const dataDirectory = t.testdir();
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  let isServed = true;
  const found = findPublisher(
    { dataDirectory, version, log, isServed: () => isServed, pollMilliseconds: 20, signal },
    id,
  );
  const announce = (by: object | undefined): void =>
    writeFileSync(join(dataDirectory, "announcement.json"), JSON.stringify({ snapshot: id, publisher: by }));
  const replace = (): void => {
    isServed = false;
  };
  return { lines, found, announce, replace };
}

t.test("a snapshot of another version is logged once its announcement is there", async (t) => {
  const { lines, found, announce } = find(t);
  await delay(30);
  announce(publisher);
  t.same(await found, publisher);
  t.match(lines, [
    {
      level: 40,
      snapshot: id,
      publisher,
      msg: "published by version 1.1.0 (0123456789ab), served by version 1.0.0 (commit unknown)",
    },
  ]);
});

t.test("a snapshot of the same version is not", async (t) => {
  const { lines, found, announce } = find(t);
  const same = { ...publisher, version: "1.0.0" };
  announce(same);
  t.same([await found, lines], [same, []]);
});

t.test("an announcement that comes late is found, and one that does not say it is none", async (t) => {
  const { found, announce } = find(t);
  announce(undefined);
  await delay(300);
  announce(publisher);
  t.same(await found, publisher);
});

t.test("a stop, and a snapshot that takes the place of this one, end the waiting", async (t) => {
  const stopping = new AbortController();
  const stopped = find(t, stopping.signal);
  stopping.abort();
  t.equal(await stopped.found, undefined);
  const replaced = find(t);
  replaced.replace();
  t.equal(await replaced.found, undefined);
  t.same([stopped.lines, replaced.lines], [[], []]);
});
