import { globSync, readFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { join } from "node:path";
import t, { type Test } from "tap";
import { entryFile } from "../../../src/engine/threads/entry-file.ts";
import { WorkerClient, WorkerEndedError } from "../../../src/engine/threads/worker-client.ts";
import { projectFolder } from "../../support/test-files.ts";
import type { Exercise } from "./exercise-worker.ts";

function startWorker(t: Test, resourceLimits = {}): WorkerClient<Exercise, number> {
  const script = new URL("./exercise-worker.ts", import.meta.url);
  const client = new WorkerClient<Exercise, number>(script, "a thread that counts", { resourceLimits });
  t.teardown(() => client.end());
  return client;
}

t.test("requests are answered one after another, in order", async (t) => {
  const client = startWorker(t);
  const slow = client.request({ kind: "wait", milliseconds: 30 });
  const quick = client.request({ kind: "wait", milliseconds: 0 });
  t.equal(client.pendingCount, 2);
  t.same(await Promise.all([slow, quick]), [1, 2]);
  t.equal(client.pendingCount, 0);
});

t.test("notices come before the answer, in order; the worker has the compile cache of the process", async (t) => {
  const notices: string[] = [];
  const script = new URL("./exercise-worker.ts", import.meta.url);
  const client = new WorkerClient<Exercise, number, string>(script, "a thread that counts", {
    onNotice: (notice) => notices.push(notice),
  });
  t.teardown(() => client.end());
  t.equal(await client.request({ kind: "notify", notices: ["a", "b"] }), 1);
  t.same(notices, ["a", "b"]);
  notices.splice(0);
  await client.request({ kind: "name compile cache" });
  t.type(getCompileCacheDir(), "string");
  t.same(notices, [getCompileCacheDir()], "the compile cache is that of the process");
});

t.test("what a worker throws is the cause of every request that it leaves, and of later ones", async (t) => {
  const client = startWorker(t);
  const failing = client.request({ kind: "throw", message: "no more numbers" });
  const behind = client.request({ kind: "wait", milliseconds: 0 });
  const error = await failing.catch((reason: unknown) => reason);
  t.type(error, WorkerEndedError);
  t.match(error, { message: "a thread that counts failed: no more numbers", cause: { message: "no more numbers" } });
  await t.rejects(behind, WorkerEndedError);
  await t.rejects(client.request({ kind: "wait", milliseconds: 0 }), WorkerEndedError);
});

t.test("a worker that exits or is ended leaves no request without an answer", async (t) => {
  await t.rejects(startWorker(t).request({ kind: "exit" }), {
    name: "WorkerEndedError",
    message: "a thread that counts ended early, with code 3",
  });
  const client = startWorker(t);
  const waiting = client.request({ kind: "wait", milliseconds: 60_000 });
  const end = client.end();
  await t.rejects(waiting, { name: "WorkerEndedError", message: "a thread that counts was ended" });
  await end;
});

t.test("a worker out of memory ends with that as its cause", async (t) => {
  const client = startWorker(t, { maxOldGenerationSizeMb: 8 });
  await t.rejects(client.request({ kind: "fill" }), { cause: { code: "ERR_WORKER_OUT_OF_MEMORY" } });
});

t.test("an entry file has the extension of the module that starts it, in a folder with any name", async (t) => {
  t.equal(entryFile("./a-thread", "file:///a%20b/c.d/main.ts").href, "file:///a%20b/c.d/a-thread.ts");
  t.equal(entryFile("./a-thread", "file:///a%20b/c.d/main.js").href, "file:///a%20b/c.d/a-thread.js");
  t.equal(entryFile("./a-thread", "file:///a/main.js?hot=1.2").href, "file:///a/a-thread.js");
});

t.test("no module names a file of TypeScript in another way", async (t) => {
  const files = globSync("src/**/*.ts", { cwd: projectFolder, exclude: ["src/client/**"] });
  t.ok(files.length > 500);
  const naming = files.filter((file) => /new URL\("[^"]*\.ts"/.test(readFileSync(join(projectFolder, file), "utf8")));
  t.same(naming, []);
});
