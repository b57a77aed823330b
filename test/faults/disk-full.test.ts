/** The disk is full: from a step on, or in the middle of a file. Nothing is published then, and nothing is lost. */
import { join, resolve } from "node:path";
import t from "tap";
import { runProcess } from "../cli/run-script.ts";
import { checkAfterFault } from "../support/after-fault.ts";
import { scenes } from "../support/fault-scenes.ts";
import { forEachTwoAtATime, limited, startWork, stepsOfWork, stepTimes, timeText } from "../support/fault-work.ts";
import { limitedFolder, mountSmallDisk, wayToFill } from "../support/full-disk.ts";
import { currentOf } from "../support/published-data.ts";
import { writeLimits } from "../support/write-limits.ts";

const systemRefusal = /^(?:ENOSPC|EFBIG)$/;
const way = await wayToFill(t.testdir({}));

for (const [name, makeScene] of Object.entries(scenes)) {
  const skip = way === undefined && "this system can neither mount a small disk nor limit a process that runs";
  t.test(`${name}, the disk full from any step on (${way})`, { skip }, async (t) => {
    const root = t.testdir({});
    const times = stepTimes(await stepsOfWork((await makeScene(join(root, "whole"))).work));
    const refusals = new Set<string | undefined>();
    await forEachTwoAtATime(times, async (at) => {
      const reported = `full from ${timeText(at)}`;
      const disk = await (way === "tmpfs" ? mountSmallDisk : limitedFolder)(join(root, reported));
      try {
        const scene = await makeScene(disk.folder);
        const { outcome = "", steps } = await disk.attempt(scene.work, at);
        t.ok(outcome === "done" || systemRefusal.test(outcome), `${reported}: ${outcome}`);
        refusals.add(outcome);
        await checkAfterFault(t, scene, reported, steps.includes("activated 1"));
      } finally {
        await disk.remove();
      }
    });
    // Removing takes no room, so that room can be made on a full disk.
    t.equal(
      [...refusals].some((outcome) => outcome !== "done"),
      name !== "gc",
      [...refusals].join(),
    );
  });
}

t.test(
  "a file that cannot be written to its end",
  { skip: process.platform === "win32" && "Windows lacks what this needs of POSIX" },
  async (t) => {
    for (const [name, { makeScene, bytes, isDispensable }] of Object.entries(writeLimits)) {
      await t.test(name, async (t) => {
        const scene = await makeScene(t.testdir({}));
        const { signal, outcome } = await startWork(scene.work, { sizeLimit: { bytes, isDeadly: false } }).ended;
        t.equal(signal, null);
        t.equal(outcome, isDispensable ? "done" : "EFBIG");
        await checkAfterFault(t, scene, name, isDispensable);
      });
    }
  },
);

t.test(
  "the command says in one line that the disk is full",
  { skip: process.platform === "win32" && "Windows lacks what this needs of POSIX" },
  async (t) => {
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
  },
);
