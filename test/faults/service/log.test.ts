import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import t, { type Test } from "tap";
import { type LogForm, logForm, openLog, waitingBytesMax } from "../../../src/service/serve/service-log.ts";
import { holdsWithin, type LogLine } from "../../support/start-process.ts";
import { lacksLinux, lacksPosix } from "../../support/why-skipped.ts";

const module = new URL("../../../src/service/serve/service-log.ts", import.meta.url).href;

interface Written {
  readonly stdout: string;
  readonly stderr: string;
  readonly pid: number | undefined;
}

/** What a process writes that creates a log, writes two lines and is gone before anything could be flushed later. */
async function written(level: string, isProduction: boolean, isTTY: boolean): Promise<Written> {
  const code = `
    import { logForm, openLog } from ${JSON.stringify(module)};
    process.stderr.isTTY = ${isTTY};
    const log = await openLog(logForm(${JSON.stringify(level)}, ${isProduction}), { thread: 3 });
    log.info({ answer: 42 }, "hello");
    log.error({ err: new Error("broken") }, "goodbye");
    log.error({ file: "\\u009b\\u202e" }, "crops\\u001b[2J.json\\nforged");
    process.kill(process.pid, "SIGKILL");`;
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { env });
  const [stdout, stderr] = await Promise.all(
    [child.stdout, child.stderr].map(async (stream) => {
      let text = "";
      for await (const chunk of stream) text += chunk;
      return text;
    }),
  );
  return { stdout: stdout ?? "", stderr: stderr ?? "", pid: child.pid };
}

t.jobs = 3;
// Each log writes what waits at the end of the process. A service has one, the tests here have more than ten.
process.setMaxListeners(30);

t.test("a log is JSON lines on stderr, written at once", { buffered: true }, async (t) => {
  const { stdout, stderr, pid } = await written("info", false, false);
  t.equal(stdout, "", "stdout is for others");
  const [hello, goodbye, ...rest] = stderr.trimEnd().split("\n");
  t.equal(rest.length, 1);
  const { time, ...fields } = JSON.parse(hello ?? "") as { time: string };
  t.strictSame(fields, { level: 30, pid, thread: 3, answer: 42, msg: "hello" });
  t.equal(new Date(time).toISOString(), time);
  t.match(JSON.parse(goodbye ?? ""), {
    level: 50,
    msg: "goodbye",
    err: { message: "broken", stack: /^Error: broken/ },
  });
});

t.test("a person at a terminal reads coloured text", { buffered: true }, async (t) => {
  const { stdout, stderr } = await written("info", false, true);
  t.equal(stdout, "");
  t.match(stderr, "\u001b[");
  t.match(stderr, /hello/);
  t.match(stderr, /goodbye/);
  t.match(stderr, "crops\\u001b[2J.json\\nforged", "text of files moves no cursor and makes no lines");
  t.match(stderr, "\\u009b\\u202e");
  for (const raw of ["\u009b", "\u202e", "\u001b[2J", "\nforged"]) t.notMatch(stderr, raw, JSON.stringify(raw));
  t.match(stderr, /^ +at /m, "a stack has its lines");
  t.throws(() => JSON.parse(stderr.split("\n")[0] ?? ""));
});

t.test("in production a terminal gets JSON as well, and the level decides how much", { buffered: true }, async (t) => {
  const { stderr } = await written("error", true, true);
  t.match(stderr, /^\{.*"goodbye".*\}\n\{.*\}\n$/);
});

t.test("a disk that is full costs lines and nothing else", { buffered: true, skip: lacksLinux }, async (t) => {
  const code = `
  import { logForm, openLog } from ${JSON.stringify(module)};
  const log = await openLog(logForm("info", true));
  log.info("one");
  log.info("two");
  process.stdout.write("alive");`;
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const full = openSync("/dev/full", "w");
  t.teardown(() => closeSync(full));
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    env,
    stdio: ["ignore", "pipe", full],
  });
  t.same({ stdout: String(stdout), status }, { stdout: "alive", status: 0 });
});

t.test("the level can be any of the configuration", async (t) => {
  const { isTTY } = process.stderr;
  t.teardown(() => Object.assign(process.stderr, { isTTY }));
  for (const onTerminal of [true, false]) {
    Object.assign(process.stderr, { isTTY: onTerminal });
    for (const level of ["fatal", "trace", "silent"]) t.equal((await openLog(logForm(level, false))).level, level);
  }
});

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

interface Pipe {
  readonly path: string;
  readonly writable: number;
  readonly form: LogForm;
  /** Reads all that is in the pipe. */
  read(): void;
  /** What was read; lines that are not whole fail. */
  lines(): LogLine[];
}

/** A pipe that holds 64 KiB and is read only when the test says so. */
function openPipe(t: Test): Pipe {
  const path = join(t.testdir({}), "pipe");
  spawnSync("mkfifo", [path]);
  const readable = openSync(path, O_RDONLY | O_NONBLOCK);
  const writable = openSync(path, O_WRONLY | O_NONBLOCK);
  t.teardown(() => {
    closeSync(readable);
    closeSync(writable);
  });
  const droppedLines = new BigUint64Array(new SharedArrayBuffer(8));
  const chunk = Buffer.alloc(65_536);
  let text = "";
  return {
    path,
    writable,
    form: { level: "info", isForPerson: false, descriptor: writable, droppedLines },
    read() {
      try {
        text += chunk.toString("latin1", 0, readSync(readable, chunk));
      } catch (error) {
        t.equal((error as NodeJS.ErrnoException).code, "EAGAIN");
      }
    },
    lines: () =>
      text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as LogLine),
  };
}

t.test(
  "a pipe that is not read costs lines, which are counted and reported",
  { buffered: true, skip: lacksPosix },
  async (t) => {
    const pipe = openPipe(t);
    const log = await openLog(pipe.form);
    const padding = "x".repeat(900);
    const written = 4000;
    for (let number = 0; number < written; number++) log.info({ number, padding }, "line");
    log.flush();
    const dropped = Number(pipe.form.droppedLines[0]);
    const kept = written - dropped;
    t.ok(kept * 1000 > waitingBytesMax && kept * 1000 < waitingBytesMax + 200_000, `${kept} lines are kept`);
    const reported = (): LogLine[] => pipe.lines().filter(({ dropped_lines }) => dropped_lines !== undefined);
    const readOn = (holds: () => boolean): Promise<boolean> =>
      holdsWithin(5000, () => {
        pipe.read();
        return holds();
      });
    t.ok(await readOn(() => reported().length > 0));
    t.match(reported(), [{ level: 50, dropped_lines: dropped }]);
    t.same(
      pipe.lines().map(({ number }) => number),
      [...Array.from({ length: kept }, (_, number) => number), undefined],
      "those before are whole and in order",
    );

    log.info("afterwards");
    log.flush();
    pipe.read();
    t.match(pipe.lines().at(-1), { msg: "afterwards" });
    for (let number = 0; number < written; number++) log.info({ padding }, "again");
    log.flush();
    t.ok(await readOn(() => reported().length > 1));
    t.equal(
      reported().reduce((sum, line) => sum + Number(line["dropped_lines"]), 0),
      Number(pipe.form.droppedLines[0]),
    );
  },
);

t.test("lines of several threads do not mix, however long", { buffered: true, skip: lacksPosix }, async (t) => {
  const pipe = openPipe(t);
  const logs = await Promise.all([1, 2, 3].map((thread) => openLog(pipe.form, { thread })));
  for (let number = 1; number <= 400; number++) {
    for (const log of logs) log.info({ text: "é\n".repeat(number * 7), more: "x".repeat(number) }, `line ${number}`);
    // 84 KB come where 64 fit, so writes fail time and again.
    if (number % 7 === 0) pipe.read();
  }
  t.ok(
    await holdsWithin(5000, () => {
      pipe.read();
      return pipe.lines().length === 1200;
    }),
  );
  for (const thread of [1, 2, 3]) {
    const messages = pipe.lines().filter((line) => line["thread"] === thread);
    t.same(
      messages.map(({ msg }) => msg),
      Array.from({ length: 400 }, (_, at) => `line ${at + 1}`),
    );
    t.match(messages.at(-1), { more: "x".repeat(400) }, "only texts that are long are cut");
  }
});

t.test("a reader that goes costs lines until another comes", { buffered: true, skip: lacksPosix }, async (t) => {
  const path = join(t.testdir({}), "pipe");
  spawnSync("mkfifo", [path]);
  const reader = openSync(path, O_RDONLY | O_NONBLOCK);
  const descriptor = openSync(path, O_WRONLY | O_NONBLOCK);
  t.teardown(() => closeSync(descriptor));
  closeSync(reader);
  const droppedLines = new BigUint64Array(new SharedArrayBuffer(8));
  const log = await openLog({ level: "info", isForPerson: false, descriptor, droppedLines });
  for (let number = 0; number < 2000; number++) log.info("x".repeat(1000));
  log.flush();
  t.ok(Number(droppedLines[0]) > 0);
  const next = new Socket({ fd: openSync(path, O_RDONLY | O_NONBLOCK) }).setEncoding("utf8");
  t.teardown(() => next.destroy());
  let text = "";
  next.on("data", (chunk: string) => {
    text += chunk;
  });
  t.ok(await holdsWithin(5000, () => text.includes(`"dropped_lines":${droppedLines[0]}`)));
});

t.test("what waits is written at the end, as far as it fits", { buffered: true, skip: lacksPosix }, async (t) => {
  const { path, writable } = openPipe(t);
  const code = `
    import { logForm, openLog } from ${JSON.stringify(module)};
    const log = await openLog(logForm("info", true));
    for (let number = 0; number < 100; number++) log.info({ padding: "x".repeat(800) }, "line");
    process.stdout.write("written");
    // No timer runs meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    process.exit();`;
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const stdio = ["ignore", "pipe", writable] as const;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { env, stdio: [...stdio] });
  const ended = once(child, "close");
  await once(child.stdout as NonNullable<typeof child.stdout>, "data");
  const reader = new Socket({ fd: openSync(path, O_RDONLY | O_NONBLOCK) }).setEncoding("utf8");
  t.teardown(() => reader.destroy());
  let text = "";
  reader.on("data", (chunk: string) => {
    text += chunk;
  });
  t.same(await ended, [0, null]);
  t.ok(await holdsWithin(5000, () => text.split("\n").length === 101));
});

t.test("the line of a request is the one that pino writes", { buffered: true, skip: lacksPosix }, async (t) => {
  const pipe = openPipe(t);
  const log = await openLog(pipe.form, { thread: 2 });
  const entry = {
    request_id: "a-b.c_1",
    method: "GET",
    target: '/api/v1/prices?"\\\u00e9=\u001b',
    status: 404,
    code: "NOT_FOUND" as const,
    bytes: 12,
    duration_ms: 0.125,
    aborted: true as const,
    key: "key_1",
    snapshot: "20261120T083000Z-0123456789ab",
    client: "::ffff:127.0.0.1",
  };
  const none = { status: undefined, code: undefined, bytes: undefined, aborted: undefined, key: undefined };
  const trace = { trace_id: "4bf92f3577b34da6a3ce929d0e0e4736", parent_id: "00f067aa0ba902b7", trace_flags: "01" };
  for (const fields of [
    { ...entry, ...trace },
    { ...entry, ...none, snapshot: undefined, client: undefined },
  ]) {
    log.request(fields);
    log.info(fields, "request");
  }
  t.ok(
    await holdsWithin(5000, () => {
      pipe.read();
      return pipe.lines().length === 4;
    }),
  );
  const [ours, pinos, oursOfFew, pinosOfFew] = pipe.lines().map(({ time, ...line }) => ({ ...line, at: typeof time }));
  t.strictSame(ours, pinos);
  t.strictSame(oursOfFew, pinosOfFew);
  t.strictSame(Object.keys(ours ?? {}), Object.keys(pinos ?? {}), "in the same order");
});
