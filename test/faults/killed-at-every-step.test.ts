/** Publishing, appending, rolling back and collecting garbage, each killed (SIGKILL) at every step. */
import { join } from "node:path";
import t from "tap";
import { checkAfterFault } from "../support/after-fault.ts";
import { scenes } from "../support/fault-scenes.ts";
import { forEachTwoAtATime, startWork, stepsOfWork, stepTimes, timeText } from "../support/fault-work.ts";

for (const [name, makeScene] of Object.entries(scenes)) {
  t.test(`${name}, killed at every step`, async (t) => {
    const root = t.testdir({});
    const times = stepTimes(await stepsOfWork((await makeScene(join(root, "whole"))).work));
    t.ok(times.length >= 5, `${times.length} steps`);
    await forEachTwoAtATime(times, async (at) => {
      const reported = timeText(at);
      const scene = await makeScene(join(root, reported));
      const { signal, steps } = await startWork(scene.work, { fault: { kind: "kill", at } }).ended;
      t.equal(signal, "SIGKILL", `${reported}: killed`);
      t.equal(steps.at(-1), reported, `${reported}: and not before`);
      await checkAfterFault(t, scene, reported, steps.includes("activated 1"));
    });
  });
}
