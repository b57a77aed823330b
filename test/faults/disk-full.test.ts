/** The disk is full: from a call on, those of killed-at-every-call, or in the middle of a file. Nothing is published then, and nothing is lost. */
import { join, resolve } from "node:path";
import t from "tap";
import { runProcess } from "../cli/run-script.ts";
import { callsToTry, checkAfterFault } from "../support/after-fault.ts";
import { scenes } from "../support/fault-scenes.ts";
import { attemptWork, callText, limited, startWork } from "../support/fault-work.ts";
import { mountSmallDisk, refusingDisk } from "../support/full-disk.ts";
import { currentOf } from "../support/published-data.ts";
import { writeLimits } from "../support/write-limits.ts";

const systemRefusal = /^(?:ENOSPC|EFBIG)$/;
/** `FULL_DISK=refusing` mounts nothing. */
const makeDisk = (await mayMount()) ? mountSmallDisk : refusingDisk;

async function mayMount(): Promise<boolean> {
  if (process.env["FULL_DISK"] === "refusing") return false;
  return await mountSmallDisk().then(
    async (disk) => {
      await disk.remove();
      return true;
    },
    () => false,
  );
}

for (const [name, makeScene] of Object.entries(scenes)) {
  t.test(`${name}, the disk full from any call on (${makeDisk.name})`, async (t) => {
    const root = t.testdir({});
    const whole = join(root, "whole");
    const { calls } = await attemptWork((await makeScene(whole)).work);
    const refusals = new Set<string>();
    for (const at of callsToTry(calls)) {
      const reported = `full from ${callText(calls, at, whole)}`;
      const disk = await makeDisk(join(root, String(at)));
      try {
        const scene = await makeScene(disk.folder);
        const outcome = await disk.attempt(scene.work, at);
        t.ok(outcome === "done" || systemRefusal.test(outcome), `${reported}: ${outcome}`);
        refusals.add(outcome);
        // Exchanging CURRENT is the last thing that fails.
        await checkAfterFault(t, scene, reported, outcome === "done");
      } finally {
        await disk.remove();
      }
    }
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
