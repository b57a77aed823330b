/** Commands that announce push as well, where PUSH_TO names a place. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import t from "tap";
import { readPendingPush } from "../../src/engine/snapshots/push-pending.ts";
import { readAnnouncement } from "../../src/publishing/transfer/announcement.ts";
import { writeFollowedOrigin } from "../../src/publishing/transfer/followed-origin.ts";
import { daysLater, publishedData } from "../support/published-data.ts";
import { ndjson, priceRows, testUuid } from "../support/snapshot-files.ts";
import { runCommand } from "./run-command.ts";
import type { ScriptResult } from "./run-script.ts";

type Run = (...args: string[]) => Promise<ScriptResult>;

/** A dataset directory, and commands on it with a place to push to. */
async function office(root: string, place: string | undefined, more: Readonly<Record<string, string>> = {}) {
  const { data, ids } = await publishedData(root, 2);
  let day = 5;
  const runTo =
    (to: string | undefined): Run =>
    (...args) =>
      runCommand("snapshot", args, root, { DATA_DIR: data, ...more, ...(to && { PUSH_TO: to }) }, daysLater(day++));
  return { data, ids, run: runTo(place), runTo, origin: join(root, "origin") };
}

t.test("each command that announces pushes, and nothing else does", async (t) => {
  const root = t.testdir();
  const { data, run, runTo, origin } = await office(root, "origin");
  writeFileSync(join(root, "day.ndjson"), ndjson(priceRows(2, 900)));
  const isPushed = async (): Promise<boolean> =>
    (await readAnnouncement(origin))?.sequence === (await readAnnouncement(data))?.sequence;
  t.match(await run("append", "day.ndjson", "--dry-run"), { code: 0 });
  const drafted = JSON.parse((await run("append", "day.ndjson", "--draft", "--json")).stdout) as { id: string };
  t.match(await run("pin", drafted.id), { code: 1 });
  t.match(await run("reject", drafted.id), { code: 0 });
  t.notOk(existsSync(origin), "neither dry runs nor drafts nor pins push");

  t.match(await run("append", "day.ndjson", "--no-downloads"), { code: 0, stdout: /^pushed \S+ to origin: /m });
  t.ok(await isPushed());
  const price = testUuid(900);
  const commands: readonly (readonly string[])[] = [
    ["withdraw", price, "--reason", "x", "--no-downloads"],
    ["reinstate", price, "--no-downloads"],
    ["rollback"],
    ["publish", "candidate", "--allow-loss", "--allow-shrink", "--no-downloads"],
  ];
  for (const [command = "", ...args] of commands) {
    const report = await run(command, ...args, "--json");
    t.match(JSON.parse(report.stdout), { ok: true, push: { outcome: "pushed", target: "origin" } }, command);
    t.ok(await isPushed(), command);
  }
  const next = JSON.parse((await runTo(undefined)("append", "day.ndjson", "--draft", "--json")).stdout);
  t.match(await run("approve", next.id, "--by", "Akinyi", "--no-downloads"), { code: 0, stdout: /^pushed /m });
  t.match(await runTo(undefined)("rollback"), { code: 0 });
  t.notOk(await isPushed());
  t.match(await run("gc"), { code: 0, stdout: /^pushed /m });
  t.ok(await isPushed());
  t.match(await run("announce", "--above", "80"), { code: 0, stdout: /^pushed /m });
  t.match(await run("append", "day.ndjson", "--no-downloads"), { code: 0 });
  t.equal(await readPendingPush(data), undefined);
});

t.test("a publication whose push fails exits with 3, and what waits is named until it is pushed", async (t) => {
  const root = t.testdir();
  const { data, run, runTo, origin } = await office(root, "file");
  writeFileSync(join(root, "file"), "");
  writeFileSync(join(root, "day.ndjson"), ndjson(priceRows(2, 900)));
  const failed = await run("append", "day.ndjson");
  t.match(failed, {
    code: 3,
    stdout: /^published /,
    stderr: /^published \S+, not pushed to file: ENOTDIR.*snapshot push$/m,
  });
  t.equal(readdirSync(join(data, "downloads")).length, 1, "its downloads are made");
  const cause = /ENOTDIR/;
  const json = JSON.parse((await run("rollback", "--json")).stdout);
  const push = { outcome: "failed", target: "file", cause };
  t.match(json, { ok: false, outcome: "rolled-back", push, unfinished: ["push"] });
  t.match(await run("gc"), { code: 1, stderr: /^collected, not pushed to file: ENOTDIR/ }, "it publishes nothing");
  const waits = { destination: join(root, "file"), sequence: 4, since: /Z$/, cause };
  for (const command of ["list", "verify"]) {
    t.match(await run(command), { code: 0, stderr: /^warning: announcement 4 waits since .* pushed to .*file: ENOT/m });
    t.match(JSON.parse((await run(command, "--json")).stdout), { ok: true, push_pending: waits }, command);
  }
  t.match(await run("push"), { code: 1, stderr: /^not pushed to file: ENOTDIR/ });
  t.match(await runTo("origin")("push"), { code: 0, stdout: /^pushed / });
  t.equal((await readAnnouncement(origin))?.sequence, 4);
  t.match(JSON.parse((await run("list", "--json")).stdout), { push_pending: null });
  t.match(await runTo(undefined)("push"), { code: 2, stderr: /expected one, or PUSH_TO$/m });
});

t.test("downloads that cannot be made are a warning, and hide no push that failed", async (t) => {
  const root = t.testdir();
  const { data, run } = await office(root, "file");
  writeFileSync(join(root, "file"), "");
  writeFileSync(join(root, "day.ndjson"), ndjson(priceRows(2, 900)));
  const { id } = JSON.parse((await run("append", "day.ndjson", "--draft", "--json")).stdout) as { id: string };
  mkdirSync(join(data, "downloads", id), { recursive: true });
  writeFileSync(join(data, "downloads", id, "notes.txt"), "");
  t.match(await run("approve", id, "--by", "Akinyi"), {
    code: 3,
    stdout: /^approved /,
    stderr: /^warning: the downloads could not be made \(.*holds "notes\.txt".*\); .*\npublished \S+, not pushed .*\n$/,
  });
});

t.test("a place that cannot be pushed to is refused before anything is published", async (t) => {
  const root = t.testdir();
  const { data, ids, runTo } = await office(root, undefined);
  for (const place of ["http://127.0.0.1/prices", "s3://prices", "s3://key:secret@prices"]) {
    t.match(await runTo(place)("rollback"), { code: 2, stderr: /^PUSH_TO is "[a-z3]+:/ }, place);
  }
  symlinkSync(data, join(root, "link"));
  for (const place of [data, "link", `${data}/snapshots/..`]) {
    t.match(await runTo(place)("rollback"), { code: 2, stderr: /^PUSH_TO is .* the dataset directory itself/ }, place);
  }
  const own = { code: 2, stderr: /^the target is "link", the dataset directory itself/ };
  t.match(await runTo(undefined)("push", "link", "--keep", "1"), own);
  t.match(await runTo(undefined)("list"), { code: 0, stdout: new RegExp(`${ids[1]} .* current`) });
  await writeFollowedOrigin(data, "https://origin.example");
  for (const command of ["rollback", "push"]) {
    t.match(await runTo("origin")(command), { code: 1, stderr: /follows https:/ }, command);
  }
  t.match(await runTo("origin")("gc"), { code: 0, stdout: /^kept 2 snapshots\n$/ }, "gc has nothing to push");
});

const isOther = process.platform !== "linux" && "/proc is Linux";

t.test("a place where no folder can be made is named, and is not waited for", { skip: isOther }, async (t) => {
  const { data, run } = await office(t.testdir(), "/proc/prices");
  const cause = "ENOENT: no such file or directory, mkdir '/proc/prices'";
  t.match(await run("rollback"), { code: 3, stderr: `, not pushed to /proc/prices: ${cause}` });
  t.match(await readPendingPush(data), { destination: "/proc/prices", cause });
  const refused = { code: 1, stderr: `a file cannot be read or written: ${cause}\n` };
  t.match(await run("export", "--format", "csv", "--out", "/proc/prices/all.csv"), refused);
});

t.test("a bucket that cuts its answers, or answers anything, is a push that failed", async (t) => {
  const answers: Record<string, Parameters<typeof createServer>[1]> = {
    "cut answer": (_request, response) => {
      response.writeHead(200, { "content-length": 100 }).write("half");
      setImmediate(() => response.destroy());
    },
    "error 500": (_request, response) => void response.writeHead(500).end("<Error><Code>Broken</Code></Error>"),
    "no announcement": (_request, response) => void response.end("<html>a page for everything</html>"),
  };
  for (const [name, answer] of Object.entries(answers)) {
    const server = createServer(answer as never);
    const port = await listening(server);
    const keys = { S3_ENDPOINT: `http://127.0.0.1:${port}`, AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
    const { data, run } = await office(join(t.testdir({ [name]: {} }), name), "s3://prices/kenya", keys);
    t.match(await run("rollback"), { code: 3, stderr: /^published \S+, not pushed to s3:\/\/prices\/kenya: / }, name);
    t.match(await readPendingPush(data), { destination: "s3://prices/kenya", sequence: 3 }, name);
    server.close();
  }
});

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}
