import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { LockHeldError, LockUnusableError, takeExclusiveLock } from "../../../src/engine/files/exclusive-lock.ts";
import { lacksPosix } from "../../support/why-skipped.ts";

const module = new URL("../../../src/engine/files/exclusive-lock.ts", import.meta.url).href;

/** Does some work under a lock. */
async function withLock<T>(path: string, waitMilliseconds: number, work: () => Promise<T>): Promise<T> {
  using _lock = await takeExclusiveLock(path, waitMilliseconds);
  return await work();
}

/** Starts another process on a program text in which `takeExclusiveLock` is known and `path` is the lock. */
function startProcess(path: string, program: string): ChildProcess {
  const code = `import { takeExclusiveLock } from ${JSON.stringify(module)}; const path = process.argv[1]; ${program}`;
  const { NODE_OPTIONS: _options, ...env } = process.env;
  return spawn(process.execPath, ["--input-type=module", "-e", code, path], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
}

/** Starts a process that holds the lock until its standard input ends, and waits until it does hold it. */
async function startHolder(path: string): Promise<ChildProcess> {
  const hold = `using lock = await takeExclusiveLock(path, 5000);
    console.log("held");
    await new Promise((resolve) => process.stdin.on("end", resolve).resume());`;
  const holder = startProcess(path, hold);
  await once(holder.stdout as NonNullable<typeof holder.stdout>, "data");
  return holder;
}

t.test("the lock hands on what the work returns or throws, and is free afterwards", async (t) => {
  const path = join(t.testdir(), "lock");
  t.equal(await withLock(path, 0, async () => 7), 7);
  const failure = new Error("work failed");
  await t.rejects(
    withLock(path, 0, () => Promise.reject(failure)),
    failure,
  );
  t.equal(await withLock(path, 0, async () => 8), 8);
});

t.test("a lock that another process holds is not given, and the error says which", async (t) => {
  const path = join(t.testdir(), "lock");
  const holder = await startHolder(path);
  let worked = false;
  const attempt = withLock(path, 50, async () => {
    worked = true;
  });
  await t.rejects(attempt, LockHeldError);
  await t.rejects(attempt, {
    message: `${path}: held by another process for more than 50 ms, expected it to be free`,
  });
  t.notOk(worked);
  holder.stdin?.end();
  t.same(await once(holder, "exit"), [0, null]);
  t.equal(await withLock(path, 0, async () => "free"), "free");
});

t.test("a holder that is killed lets go, and leaves nothing but the empty lock", async (t) => {
  const folder = t.testdir();
  const path = join(folder, "lock");
  const holder = await startHolder(path);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  t.same(readdirSync(folder), ["lock"]);
  t.equal(await withLock(path, 0, async () => "free"), "free");
  t.equal(readFileSync(path).length, 0);
});

t.test("processes that work at the same time follow one another", async (t) => {
  const folder = t.testdir({ count: "0" });
  const count = join(folder, "count");
  const add = `import { readFileSync, writeFileSync } from "node:fs";
    for (let time = 0; time < 5; time++) {
      using lock = await takeExclusiveLock(path, 5000);
      const before = Number(readFileSync(process.argv[1] + "/../count", "utf8"));
      await new Promise((resolve) => setTimeout(resolve, 2));
      writeFileSync(process.argv[1] + "/../count", String(before + 1));
    }`.replaceAll('process.argv[1] + "/../count"', JSON.stringify(count));
  const processes = Array.from({ length: 4 }, () => startProcess(join(folder, "lock"), add));
  for (const exit of await Promise.all(processes.map((process) => once(process, "exit")))) t.same(exit, [0, null]);
  t.equal(readFileSync(count, "utf8"), "20");
});

t.test("a lock in a folder that does not exist is unusable", async (t) => {
  const path = join(t.testdir(), "none", "lock");
  const attempt = withLock(path, 0, async () => t.fail("worked without a lock"));
  await t.rejects(attempt, LockUnusableError);
  await t.rejects(attempt, { message: /lock: cannot be opened for writing \(ENOENT\), expected a file/ });
});

t.test("a lock file that this user may only read is unusable, for it would keep no one out", async (t) => {
  const path = join(t.testdir(), "lock");
  writeFileSync(path, "");
  chmodSync(path, 0o444);
  const attempt = `if (process.getuid?.() === 0) process.setuid(65534); // root may write everything
    try {
      using lock = await takeExclusiveLock(path, 0);
      console.log("held");
    } catch (error) {
      console.log(error.name);
    }
    process.kill(process.pid, "SIGKILL"); // tap's exit hooks could not write as that user`;
  const process = startProcess(path, attempt);
  const [output] = await once(process.stdout as NonNullable<typeof process.stdout>, "data");
  t.equal(String(output), "LockUnusableError\n");
  t.ok(existsSync(path));
});

t.test("an error that has nothing to do with the lock being held stays what it is", async (t) => {
  const path = join(t.testdir({ lock: "this is no database" }), "lock");
  await t.rejects(
    withLock(path, 0, async () => {}),
    { code: "ERR_SQLITE_ERROR", errcode: 26 },
  );
});

t.test("a FIFO or a directory in place of the lock is named, no one waits at it", { skip: lacksPosix }, async (t) => {
  const folder = t.testdir({ folder: {} });
  execFileSync("mkfifo", [join(folder, "fifo")]);
  for (const [name, found] of [
    ["fifo", "a FIFO"],
    ["folder", "a directory"],
  ] as const) {
    const path = join(folder, name);
    const error: unknown = await withLock(path, 1000, async () => t.fail("held")).catch((thrown) => thrown);
    t.type(error, LockUnusableError);
    t.match((error as Error).message, `${path}: found ${found}, expected a file this user may write`);
  }
});
