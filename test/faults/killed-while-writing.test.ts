/**
 * Publishing, appending and rolling back, each killed in the middle of writing a file. The system itself ends the
 * process, at the write that goes beyond the greatest size a file may have (SIGXFSZ): no step is reported there.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { checkAfterFault } from "../support/after-fault.ts";
import { startWork } from "../support/fault-work.ts";
import { writeLimits } from "../support/write-limits.ts";

t.test(
  "killed while writing",
  { skip: process.platform === "win32" && "Windows lacks what this needs of POSIX" },
  async (t) => {
    for (const [name, { makeScene, bytes, unfinished }] of Object.entries(writeLimits)) {
      await t.test(name, async (t) => {
        const scene = await makeScene(t.testdir({}));
        const { signal } = await startWork(scene.work, { sizeLimit: { bytes, isDeadly: true } }).ended;
        t.equal(signal, "SIGXFSZ");
        const names = (await readdir(scene.data, { recursive: true })).filter((name) => unfinished.test(name));
        t.equal(names.length, 1, `${names} is unfinished`);
        t.equal((await stat(join(scene.data, names[0] ?? ""))).size, bytes);
        await checkAfterFault(t, scene, name, false);
      });
    }
  },
);
