/**
 * A process that publishes, appends, rolls back or collects garbage, and kills itself at a step: run as
 * `node killed-publisher.ts <work as JSON>`. It prints every step it has come to.
 */
import { writeSync } from "node:fs";
import { appendPrices } from "../../src/publish/append-prices.ts";
import { collectGarbage } from "../../src/publish/collect-garbage.ts";
import { publishSnapshot } from "../../src/publish/publish-snapshot.ts";
import type { PublishStep } from "../../src/publish/publish-step.ts";
import { rollbackSnapshot } from "../../src/publish/rollback-snapshot.ts";
import type { KilledWork } from "./fault-work.ts";

const { kind, request, killAt } = JSON.parse(process.argv[2] ?? "") as KilledWork;
const seen = new Map<PublishStep, number>();

function onStep(step: PublishStep): void {
  const time = (seen.get(step) ?? 0) + 1;
  seen.set(step, time);
  writeSync(1, `${step} ${time}\n`);
  if (step === killAt?.step && time === killAt.time) process.kill(process.pid, "SIGKILL");
}

switch (kind) {
  case "publish":
    await publishSnapshot({ ...request, onStep });
    break;
  case "append":
    await appendPrices({ ...request, onStep });
    break;
  case "rollback":
    await rollbackSnapshot({ ...request, onStep });
    break;
  case "gc":
    await collectGarbage({ ...request, onStep });
    break;
}
