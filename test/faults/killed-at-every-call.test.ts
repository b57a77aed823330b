/**
 * Publishing, appending, rolling back and collecting garbage, each killed (SIGKILL) at calls that change the disk: a
 * third of them, which `SEED` draws, or all with `CALLS=all`, and always those around the exchange of `CURRENT`.
 */
import { join } from "node:path";
import t from "tap";
import { callsToTry, checkAfterFault } from "../support/after-fault.ts";
import { scenes } from "../support/fault-scenes.ts";
import { attemptWork, callText, exchangeAmong, forEachTwoAtATime, startWork } from "../support/fault-work.ts";

for (const [name, makeScene] of Object.entries(scenes)) {
  t.test(`${name}, killed at every call`, async (t) => {
    const root = t.testdir({});
    const whole = join(root, "whole");
    const { outcome, calls } = await attemptWork((await makeScene(whole)).work);
    t.equal(outcome, "done");
    t.ok(calls.length > 15, `${calls.length} calls`);
    await forEachTwoAtATime(callsToTry(calls), async (at) => {
      const call = callText(calls, at, whole);
      const scene = await makeScene(join(root, String(at)));
      const ended = await startWork(scene.work, { fault: { kind: "kill", at } }).ended;
      t.equal(ended.signal, "SIGKILL", `${call}: killed`);
      t.equal(ended.calls.at(-1), call, `${call}: and not before`);
      const exchange = exchangeAmong(calls);
      await checkAfterFault(t, scene, call, exchange !== -1 && at > exchange + 1);
    });
  });
}
