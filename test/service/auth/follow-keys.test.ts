import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import t, { type Test } from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { followKeys, type KeysFollower, keysPollMilliseconds } from "../../../src/service/auth/follow-keys.ts";
import type { KeyRing } from "../../../src/service/auth/key-ring.ts";
import { keysDocumentText } from "../../../src/service/auth/keys-document.ts";
import { type IssuedKey, issueKey, readKeysFile, revokeKey } from "../../../src/service/auth/keys-file.ts";
import { lacksPosix } from "../../support/why-skipped.ts";

const now = (): Instant => Date.now() as Instant;

/** What has its effect within a second may take that long; a wait that goes on longer has failed. */
const effectMillisecondsMax = 1000;

/** Short, because most of the time of these tests is waiting. */
const pollMilliseconds = 50;

/** So long that the file has been looked at once more and, if it was to be read, read. */
const nextPollMilliseconds = 2 * pollMilliseconds;

interface Following {
  readonly path: string;
  readonly first: IssuedKey;
  readonly follower: KeysFollower;
  readonly changes: KeyRing[];
  readonly problems: Error[];
}

async function follow(t: Test): Promise<Following> {
  const path = join(t.testdir(), "keys.json");
  const first = await issueKey(path, { kind: "public", label: "first" }, now);
  return { path, first, ...(await followAt(t, path)) };
}

async function followAt(t: Test, path: string): Promise<Pick<Following, "follower" | "changes" | "problems">> {
  const changes: KeyRing[] = [];
  const problems: Error[] = [];
  const events = { onChange: (ring: KeyRing) => changes.push(ring), onProblem: (error: Error) => problems.push(error) };
  const follower = await followKeys(path, events, pollMilliseconds);
  t.teardown(() => follower.close());
  return { follower, changes, problems };
}

/** Waits until something holds, and answers whether it did within the second. */
async function holdsSoon(holds: () => boolean): Promise<boolean> {
  const end = performance.now() + effectMillisecondsMax;
  while (performance.now() < end) {
    if (holds()) return true;
    await delay(5);
  }
  return holds();
}

/** In one step, as every good writer does; a poll between truncating and writing would find an empty file. */
function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

t.test("a service looks at the file twice within the second that a change may take", async (t) => {
  t.ok(2 * keysPollMilliseconds <= effectMillisecondsMax);
});

t.test("a new key is known within a second, and nothing else is reported", async (t) => {
  const { path, follower, changes, problems } = await follow(t);
  const { key } = await issueKey(path, { kind: "secret", label: "new" }, now);
  t.ok(await holdsSoon(() => follower.current().find(key) !== undefined));
  await delay(nextPollMilliseconds);
  t.equal(changes.length, 1);
  t.equal(changes[0], follower.current());
  t.same(problems, []);
});

t.test("a revocation is known within a second", async (t) => {
  const { path, first, follower } = await follow(t);
  t.equal(follower.current().find(first.key)?.revokedAt, null);
  await revokeKey(path, first.entry.id, now);
  t.ok(await holdsSoon(() => typeof follower.current().find(first.key)?.revokedAt === "number"));
});

t.test("a change of a file that has long been quiet is known within a second", async (t) => {
  const { path, first, follower, changes } = await follow(t);
  await delay(2 * nextPollMilliseconds);
  t.same(changes, []);
  await revokeKey(path, first.entry.id, now);
  t.ok(await holdsSoon(() => typeof follower.current().find(first.key)?.revokedAt === "number"));
});

t.test("a broken file keeps the last good keys and is reported once, each fault again", async (t) => {
  const { path, first, follower, changes, problems } = await follow(t);
  const ring = follower.current();
  const good = keysDocumentText(await readKeysFile(path));
  replaceFile(path, good.slice(0, -10));
  t.ok(await holdsSoon(() => problems.length === 1));
  await delay(nextPollMilliseconds);
  t.equal(problems.length, 1);
  t.match(problems[0], { code: "KEYS_FILE_INVALID" });
  t.equal(follower.current(), ring);
  replaceFile(path, good.replace('"public"', '"admin"'));
  t.ok(await holdsSoon(() => problems.length === 2));
  t.match(problems[1]?.message, /key 1: "kind" is "admin"/);
  t.same(changes, []);
  replaceFile(path, good);
  t.ok(await holdsSoon(() => changes.length === 1), "the file is good again");
  t.equal(follower.current().find(first.key)?.id, first.entry.id);
});

t.test("a file that vanished keeps the last good keys, and is followed again when it is back", async (t) => {
  const { path, first, follower, changes, problems } = await follow(t);
  renameSync(path, `${path}.away`);
  t.ok(await holdsSoon(() => problems.length === 1));
  t.match(problems[0], { code: "KEYS_FILE_MISSING" });
  await delay(nextPollMilliseconds);
  t.equal(problems.length, 1);
  t.equal(follower.current().find(first.key)?.id, first.entry.id);
  renameSync(`${path}.away`, path);
  t.ok(await holdsSoon(() => changes.length === 1));
  rmSync(path);
  t.ok(await holdsSoon(() => problems.length === 2), "the same problem, after it was gone, is reported again");
});

t.test("a file that became a folder is a problem like any other", async (t) => {
  const { path, problems } = await follow(t);
  rmSync(path);
  mkdirSync(path);
  t.ok(await holdsSoon(() => /found a directory, expected a regular file/.test(String(problems.at(-1)))));
});

t.test("after close nothing changes and nothing is reported", async (t) => {
  const { path, follower, changes, problems } = await follow(t);
  const ring = follower.current();
  follower.close();
  await issueKey(path, { kind: "public", label: "late" }, now);
  await delay(nextPollMilliseconds);
  replaceFile(path, "broken");
  await delay(nextPollMilliseconds);
  t.equal(follower.current(), ring);
  t.same([changes, problems], [[], []]);
});

t.test("what a look finds that was under way at close is dropped", async (t) => {
  for (const content of [keysDocumentText([]), "broken"]) {
    const path = join(t.testdir(), `${content.length}.json`);
    const { key } = await issueKey(path, { kind: "public", label: "a" }, now);
    const events = { onChange: () => t.fail("changed"), onProblem: (error: Error) => t.fail(error.message) };
    const startTimer = globalThis.setTimeout;
    // The look has begun at close: both happen in one call of the timer.
    const closing = (poll: () => void, milliseconds?: number): NodeJS.Timeout =>
      startTimer(() => {
        poll();
        follower.close();
      }, milliseconds);
    globalThis.setTimeout = closing as typeof setTimeout;
    const follower = await followKeys(path, events, pollMilliseconds).finally(() => {
      globalThis.setTimeout = startTimer;
    });
    replaceFile(path, content);
    await delay(nextPollMilliseconds);
    t.ok(follower.current().find(key));
  }
});

t.test("a follower may be closed by what it calls", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const { entry } = await issueKey(path, { kind: "public", label: "a" }, now);
  let changes = 0;
  const onChange = (): void => {
    changes++;
    follower.close();
  };
  const follower = await followKeys(path, { onChange, onProblem: (error) => t.fail(error.message) }, pollMilliseconds);
  await revokeKey(path, entry.id, now);
  t.ok(await holdsSoon(() => changes === 1));
  replaceFile(path, "broken");
  await delay(nextPollMilliseconds);
  t.equal(changes, 1);
});

t.test("a file that cannot be used at first is an error, for there is nothing to fall back on", async (t) => {
  const folder = t.testdir({ "broken.json": "{" });
  const events = { onChange: () => t.fail("changed"), onProblem: (error: Error) => t.fail(error.message) };
  await t.rejects(followKeys(join(folder, "broken.json"), events), { code: "KEYS_FILE_INVALID" });
  await t.rejects(followKeys(folder, events), { code: "KEYS_FILE_UNREADABLE" });
});

t.test("a file that is not there at first means no keys, and is followed once it is made", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const { follower, changes, problems } = await followAt(t, path);
  t.equal(follower.startedWithoutFile, true);
  t.equal(follower.current().records.length, 0);
  await delay(nextPollMilliseconds);
  t.same([changes, problems], [[], []], "that it is missing is known already");
  const { key } = await issueKey(path, { kind: "public", label: "a" }, now);
  t.ok(await holdsSoon(() => follower.current().find(key) !== undefined));
  t.equal(changes.length, 1);
});

t.test("a FIFO in place of the file keeps the last good keys, and blocks nothing", { skip: lacksPosix }, async (t) => {
  const { path, first, follower, problems } = await follow(t);
  const good = keysDocumentText([]);
  rmSync(path);
  execFileSync("mkfifo", [path]);
  t.ok(await holdsSoon(() => problems.length === 1));
  t.match(problems[0], { code: "KEYS_FILE_UNREADABLE", message: `${path}: found a FIFO, expected a regular file` });
  t.ok(follower.current().find(first.key));
  rmSync(path);
  replaceFile(path, good);
  t.ok(await holdsSoon(() => follower.current().find(first.key) === undefined), "a key that is gone is gone");
});

t.test("following alone does not keep a process alive", async (t) => {
  const path = join(t.testdir(), "keys.json");
  await issueKey(path, { kind: "public", label: "a" }, now);
  const module = new URL("../../../src/service/auth/follow-keys.ts", import.meta.url).href;
  const code = `import { followKeys } from ${JSON.stringify(module)};
    await followKeys(process.argv[1], { onChange() {}, onProblem() {} });`;
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code, path], { env, stdio: "inherit" });
  t.teardown(() => child.kill());
  t.same(await once(child, "exit"), [0, null]);
});
