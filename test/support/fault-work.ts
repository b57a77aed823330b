/** Work on a dataset directory that is killed on the way, in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type AppendRequest, appendPrices } from "../../src/publish/append-prices.ts";
import { collectGarbage, type GarbageRequest } from "../../src/publish/collect-garbage.ts";
import { type PublishRequest, publishSnapshot } from "../../src/publish/publish-snapshot.ts";
import type { PublishStep } from "../../src/publish/publish-step.ts";
import { type RollbackRequest, rollbackSnapshot } from "../../src/publish/rollback-snapshot.ts";

/** What is to be done. */
export type FaultWork =
  | { readonly kind: "publish"; readonly request: PublishRequest }
  | { readonly kind: "append"; readonly request: AppendRequest }
  | { readonly kind: "rollback"; readonly request: RollbackRequest }
  | { readonly kind: "gc"; readonly request: GarbageRequest };

/** The step, and which time it is come to, at which the process ends. */
export interface KillPoint {
  readonly step: PublishStep;
  /** Counted from 1. */
  readonly time: number;
}

export type KilledWork = FaultWork & { readonly killAt: KillPoint | null };

const script = fileURLToPath(new URL("killed-publisher.ts", import.meta.url));

/**
 * Does the work in another process that kills itself at a step.
 *
 * @returns The signal that ended it, and the steps it came to.
 */
export async function killWork(
  work: FaultWork,
  killAt: KillPoint,
): Promise<{ readonly signal: NodeJS.Signals | null; readonly steps: readonly string[] }> {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const argument = JSON.stringify({ ...work, killAt } satisfies KilledWork);
  const child = spawn(process.execPath, [script, argument], { env, stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  const steps = (await text(child.stdout)).trimEnd().split("\n");
  return { signal: (await closed)[1], steps };
}

/** Does the work in this process. @returns Every step, the same step as often as it is come to. */
export async function stepsOfWork(work: FaultWork): Promise<PublishStep[]> {
  const steps: PublishStep[] = [];
  const onStep = (step: PublishStep): void => {
    steps.push(step);
  };
  switch (work.kind) {
    case "publish":
      await publishSnapshot({ ...work.request, onStep });
      break;
    case "append":
      await appendPrices({ ...work.request, onStep });
      break;
    case "rollback":
      await rollbackSnapshot({ ...work.request, onStep });
      break;
    case "gc":
      await collectGarbage({ ...work.request, onStep });
      break;
  }
  return steps;
}

/** Each step once, at its first and, if it is come to more often, at its last time. */
export function killPoints(steps: readonly PublishStep[]): KillPoint[] {
  return [...new Set(steps)].flatMap((step) => {
    const times = steps.filter((one) => one === step).length;
    return times === 1
      ? [{ step, time: 1 }]
      : [
          { step, time: 1 },
          { step, time: times },
        ];
  });
}
