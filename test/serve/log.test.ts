import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import t from "tap";
import { logForm, openLog } from "../../src/serve/log.ts";

const module = new URL("../../src/serve/log.ts", import.meta.url).href;

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

t.test(
  "a disk that is full costs lines and nothing else",
  { buffered: true, skip: !existsSync("/dev/full") },
  async (t) => {
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
  },
);

t.test("the level can be any of the configuration", async (t) => {
  const { isTTY } = process.stderr;
  t.teardown(() => Object.assign(process.stderr, { isTTY }));
  for (const onTerminal of [true, false]) {
    Object.assign(process.stderr, { isTTY: onTerminal });
    for (const level of ["fatal", "trace", "silent"]) t.equal((await openLog(logForm(level, false))).level, level);
  }
});
