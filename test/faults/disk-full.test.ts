/**
 * Work that comes to the greatest size a file may have in the middle of writing one: the write fails, as on a full
 * disk, or the system ends the process there (SIGXFSZ). A disk that is full from a call on is in the fault table.
 */
import { readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import t from "tap";
import { pushSnapshot } from "../../src/publishing/transfer/push-snapshot.ts";
import { folderTarget } from "../../src/publishing/transfer/push-target.ts";
import { runProcess } from "../cli/run-script.ts";
import { checkAfterFault } from "../support/after-fault.ts";
import { scenes } from "../support/fault-scenes.ts";
import { limited, startWork } from "../support/fault-work.ts";
import { currentOf, daysLater, publishedData } from "../support/published-data.ts";
import { lacksPosix } from "../support/why-skipped.ts";
import { writeLimits } from "../support/write-limits.ts";

t.test("a file that is not written to its end", { skip: lacksPosix }, async (t) => {
  for (const [name, { makeScene, bytes, unfinished, isDispensable }] of Object.entries(writeLimits)) {
    await t.test(name, async (t) => {
      const scene = await makeScene(t.testdir({}));
      const { signal, outcome } = await startWork(scene.work, { sizeLimit: { bytes, isDeadly: false } }).ended;
      t.equal(signal, null);
      t.equal(outcome, isDispensable ? "done" : "EFBIG");
      await checkAfterFault(t, scene, name, isDispensable);
    });
    await t.test(`${name}, killed`, async (t) => {
      const scene = await makeScene(t.testdir({}));
      const { signal } = await startWork(scene.work, { sizeLimit: { bytes, isDeadly: true } }).ended;
      t.equal(signal, "SIGXFSZ");
      const names = (await readdir(scene.data, { recursive: true })).filter((name) => unfinished.test(name));
      t.equal(names.length, 1, `${names} is unfinished`);
      t.equal((await stat(join(scene.data, names[0] ?? ""))).size, bytes);
      await checkAfterFault(t, scene, name, false);
    });
  }
});

t.test("the command says in one line that the disk is full", { skip: lacksPosix }, async (t) => {
  const root = t.testdir({});
  const { data, before } = await scenes.publish(root, 500);
  const script = resolve(import.meta.dirname, "../../scripts/snapshot.ts");
  const publish = [process.execPath, script, "publish", join(root, "candidate"), "--data-dir", data];
  const [file, ...args] = limited(publish, 65_536);
  t.match(await runProcess(file, args, root), {
    code: 1,
    stdout: "",
    stderr: /^a file cannot be read or written: EFBIG: [^\n]*\n$/,
  });
  t.equal(await currentOf(data), before);
});

t.test("a publisher's key that finds no room leaves no file in the way", { skip: lacksPosix }, async (t) => {
  const root = t.testdir({});
  const script = resolve(import.meta.dirname, "../../scripts/snapshot.ts");
  const [file, ...args] = limited([process.execPath, script, "publisher-key", "--out", join(root, "key")], 0);
  t.match(await runProcess(file, args, root), { code: 1, stderr: /key: found EFBIG, expected a new file that can/ });
  t.strictSame(await readdir(root), []);
});

t.test("a temporary folder that finds no room is not told as the place pushed to", { skip: lacksPosix }, async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 1);
  const target = join(root, "target");
  await pushSnapshot({ dataDirectory: data, target: folderTarget(target), now: daysLater(1) });
  await rm(join(target, "announcement.json"));
  await rm(join(target, "snapshots", `${ids[0]}`, "prices.ndjson.zst"));
  const script = resolve(import.meta.dirname, "../../scripts/snapshot.ts");
  const [file, ...args] = limited([process.execPath, script, "push", target, "--data-dir", data], 0);
  const stderr = /^not pushed to .+target: EFBIG: file too large, write '.*push-\w+[/]copy'$/m;
  t.match(await runProcess(file, args, root), { code: 1, stderr });
});
