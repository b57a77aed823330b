/**
 * How one client's work affects the others: `npm run bench -- fairness [--with ../before] [--prices 1m] [--only NAME]`.
 * Each scene runs on a service of its own, with two threads, of this checkout and of the one that `--with` names, in
 * turns. Clients with different addresses use different addresses of loopback.
 *
 * Exits with 1 where a scene of this checkout misses a limit, or where its other clients held and were answered
 * nothing. Times are those of this machine; other work on it makes them longer.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pointTo } from "../test/support/watch-swaps.ts";
import { type Scene, scenes } from "./fairness/scenes.ts";
import { readCount } from "./read-count.ts";
import { readOptions } from "./read-options.ts";
import { describedMachine, describeMachine } from "./report/machine.ts";
import { startBenchService } from "./swap/service-process.ts";
import { writeNamedSample } from "./swap/time-look-ups.ts";

const values = readOptions({
  with: { type: "string" },
  prices: { type: "string", default: "1m" },
  only: { type: "string" },
});
const wanted = values.only === undefined ? scenes : [sceneNamed(values.only)];
const folder = await mkdtemp(join(tmpdir(), "price-fairness-"));
try {
  const machine = describeMachine();
  process.stdout.write(`${describedMachine(machine, [])}\n`);
  const data = join(folder, "data");
  await pointTo(data, await writeNamedSample(data, readCount(values.prices), 1));
  const here = resolve(import.meta.dirname, "..");
  const checkouts = values.with === undefined ? [here] : [resolve(values.with), here];
  for (const { name, title, variables, run } of wanted) {
    process.stdout.write(`${name}: ${title}\n`);
    for (const checkout of checkouts) {
      const service = await startBenchService(folder, 2, checkout, { EXPLORER: "on", ...variables });
      const { text, misses } = await run(service).finally(() => service.stop());
      const isHere = checkout === here;
      process.stdout.write(`  ${isHere ? "this checkout" : "the other"}: ${text}\n`);
      for (const miss of misses) process.stdout.write(`    beyond its limit: ${miss}\n`);
      if (isHere && misses.length > 0) process.exitCode = 1;
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

function sceneNamed(text: string): Scene {
  const scene = scenes.find(({ name }) => name === text);
  if (scene !== undefined) return scene;
  const names = scenes.map(({ name }) => name).join(", ");
  throw new RangeError(`scene is "${text}", expected one of ${names}`);
}
