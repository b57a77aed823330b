/**
 * Publishing, appending, rolling back and collecting garbage, each killed (SIGKILL) at random instants, beside a
 * running service that clients ask all the time. `KILLS=100` kills each kind of work so many times.
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import t from "tap";
import { listSnapshots } from "../../src/publishing/publish/list-snapshots.ts";
import { checkAfterFault } from "../support/after-fault.ts";
import { scenes } from "../support/fault-scenes.ts";
import { startWork } from "../support/fault-work.ts";
import { currentOf } from "../support/published-data.ts";
import { serveFolder } from "../support/served-folder.ts";

const kills = Number(process.env["KILLS"] ?? 3);
/** Enough for the work to take a while. */
const rows = 1500;

// Half of the time they wait, for the disk and for the processes that are killed.
t.jobs = 2;

for (const [name, makeScene] of Object.entries(scenes)) {
  t.test(`${name}, killed at ${kills} random instants`, { buffered: true }, async (t) => {
    const root = t.testdir({});
    const whole = await startWork((await makeScene(join(root, "whole"), rows)).work).ended;
    t.equal(whole.outcome, "done");
    for (let kill = 0; kill < kills; kill++) {
      // One instant in each of as many equal parts of the time that the whole work takes.
      const wait = ((kill + Math.random()) / kills) * whole.milliseconds;
      const reported = `${wait.toFixed(1)} of ${whole.milliseconds.toFixed(0)} ms`;
      await t.test(reported, async (t) => {
        const folder = join(root, String(kill));
        const scene = await makeScene(folder, rows);
        const service = await serveFolder(t, folder);
        const answers: Awaited<ReturnType<typeof service.served>>[] = [];
        let isOver = false;
        const asking = (async () => {
          while (!isOver) {
            answers.push(await service.served());
            await delay(2);
          }
        })();

        const { child, begun, ended } = startWork(scene.work);
        await begun;
        await delay(wait);
        child.kill("SIGKILL");
        const { signal, calls, outcome } = await ended;
        t.ok(signal === "SIGKILL" || outcome === "done", `${signal ?? outcome} after ${calls.at(-1) ?? "nothing"}`);

        t.match(await service.reload(), { status: 200, body: { id: await currentOf(scene.data) } });
        answers.push(await service.served());
        isOver = true;
        await asking;
        t.equal(answers.at(-1)?.id, await currentOf(scene.data), "the service serves what CURRENT names");
        const { snapshots } = await listSnapshots(scene.data);
        const pricesOf = new Map<string | null, number>(snapshots.map(({ id, rows }) => [id, rows?.prices ?? 0]));
        const odd = answers.filter(({ status, id, prices }) => status !== 200 || pricesOf.get(id) !== prices);
        t.same(odd, [], `each of ${answers.length} answers is of one whole snapshot`);

        const exchange = calls.findIndex((call) => call.endsWith(" rename data/CURRENT.tmp"));
        const isDone = exchange === -1 ? false : exchange < calls.length - 1 || undefined;
        await checkAfterFault(t, scene, reported, isDone);
      });
    }
  });
}
