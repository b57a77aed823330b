import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import t, { type Test } from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { KeyRing } from "../../../src/service/auth/key-ring.ts";
import { keysDocumentText } from "../../../src/service/auth/keys-document.ts";
import { addLastUse, readLastUse } from "../../../src/service/auth/last-use.ts";
import { LastUseRecorder } from "../../../src/service/auth/record-last-use.ts";
import { keyRecord, useKey } from "../../support/key-rings.ts";
import { holdsWithin } from "../../support/start-process.ts";

const intervalMilliseconds = 20;

const ringOf = (...ids: readonly string[]): KeyRing => new KeyRing(ids.map(keyRecord));

interface Recording {
  readonly keysFile: string;
  readonly recorder: LastUseRecorder;
  readonly problems: string[];
  /** Moves the clock of the recorder. */
  setTime(time: number): void;
}

function record(t: Test): Recording {
  const keysFile = join(t.testdir({ "keys.json": keysDocumentText([]) }), "keys.json");
  const problems: string[] = [];
  let time = Date.UTC(2026, 10, 22, 12);
  const recorder = new LastUseRecorder({
    keysFile,
    now: () => time as Instant,
    onProblem: ({ message }) => problems.push(message),
    intervalMilliseconds,
  });
  t.teardown(() => recorder.stop());
  const setTime = (next: number): void => {
    time = next;
  };
  return { keysFile, recorder, problems, setTime };
}

t.test("a use is written with the day of the clock, and again on another day", async (t) => {
  const { keysFile, recorder, setTime } = record(t);
  const ring = ringOf("key_a", "key_b");
  recorder.follow(ring);
  useKey(ring, "key_a");
  t.ok(await holdsWithin(5000, async () => (await readLastUse(keysFile)).get("key_a") === "2026-11-22"));
  t.same([...(await readLastUse(keysFile)).keys()], ["key_a"]);
  setTime(Date.UTC(2026, 10, 23, 1));
  useKey(ring, "key_a");
  t.ok(await holdsWithin(5000, async () => (await readLastUse(keysFile)).get("key_a") === "2026-11-23"));
});

t.test("nothing is written while no key has its first use of a day", async (t) => {
  const { keysFile, recorder } = record(t);
  const ring = ringOf("key_a");
  recorder.follow(ring);
  await delay(5 * intervalMilliseconds);
  t.notOk(existsSync(`${keysFile}.use.json`));
  useKey(ring, "key_a");
  t.ok(await holdsWithin(5000, () => existsSync(`${keysFile}.use.json`)));
  // Whatever is written would be written again.
  rmSync(`${keysFile}.use.json`);
  useKey(ring, "key_a");
  await recorder.stop();
  t.same(ring.takeUsed(), [], "it was seen");
  t.notOk(existsSync(`${keysFile}.use.json`), "and it is known");
});

t.test("a use of keys that were just replaced counts, and so does one shortly after", async (t) => {
  const { keysFile, recorder } = record(t);
  const [before, after] = [ringOf("key_a", "key_b"), ringOf("key_b", "key_c")];
  recorder.follow(before);
  useKey(before, "key_a");
  recorder.follow(after);
  useKey(after, "key_c");
  // As a thread does that has not yet received the new keys.
  useKey(before, "key_b");
  await recorder.stop();
  t.same([...(await readLastUse(keysFile)).keys()], ["key_a", "key_b", "key_c"]);
});

t.test("stop writes what was used since the last time, and ends the timer", async (t) => {
  const { keysFile, recorder } = record(t);
  const ring = ringOf("key_a", "key_b");
  recorder.follow(ring);
  useKey(ring, "key_a");
  await recorder.stop();
  t.ok((await readLastUse(keysFile)).has("key_a"));
  useKey(ring, "key_b");
  await delay(5 * intervalMilliseconds);
  t.notOk((await readLastUse(keysFile)).has("key_b"));
});

t.test("days that cannot be written are kept, reported once, and written when they can be", async (t) => {
  const { keysFile, recorder, problems } = record(t);
  writeFileSync(`${keysFile}.use.json`, "spoilt");
  const ring = ringOf("key_a", "key_b");
  recorder.follow(ring);
  useKey(ring, "key_a");
  t.ok(await holdsWithin(5000, () => problems.length > 0));
  useKey(ring, "key_b");
  await delay(5 * intervalMilliseconds);
  t.equal(problems.length, 1);
  t.match(problems[0], /keys\.json\.use\.json: found 6 bytes of another form/);
  rmSync(`${keysFile}.use.json`);
  t.ok(await holdsWithin(5000, async () => (await readLastUse(keysFile).catch(() => new Map())).size === 2));
});

t.test("two services over one keys file lose no day of each other", async (t) => {
  const { keysFile, recorder } = record(t);
  const ring = ringOf("key_a");
  recorder.follow(ring);
  await addLastUse(keysFile, new Map([["key_z", "2026-11-22"]]));
  useKey(ring, "key_a");
  await recorder.stop();
  t.same([...(await readLastUse(keysFile)).keys()].sort(), ["key_a", "key_z"]);
});
