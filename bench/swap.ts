/**
 * The proof of the swap: `npm run bench -- swaps [--swaps 200] [--prices 100000] [--threads 2] [--write]`. A service in
 * a process of its own; clients that ask every endpoint on and on while snapshots are published and taken back.
 *
 * First it counts, on small planted snapshots: requests that failed, answers that mix two snapshots, answers from
 * before an activation that somebody had seen. Each must be 0, and the figure of memory must be level. Then, on
 * generated prices, it times look-ups at half of what the service can do, in alternating windows with and without
 * swaps. Last, it measures the memory of the service over 50 swaps of a million prices. Exits with 1 beyond the gates.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCount } from "./read-count.ts";
import { readOptions } from "./read-options.ts";
import { describedMachine, describeMachine } from "./report/machine.ts";
import { writeFigures } from "./report/write-readme.ts";
import { countSwaps, type SwapCounts } from "./swap/count-swaps.ts";
import { type SwapTimes, timeLookUps } from "./swap/time-look-ups.ts";
import { type SwapWeights, weighSwaps } from "./swap/weigh-swaps.ts";

/** How many times slower the 99th percentile may be while stores are swapped. */
const ratioGoal = 2;
const ratioGate = 5;

/** How far memory may be above that after the first quarter, or the first tenth, of the swaps. */
const growthGate = 1.2;
const weighedPrices = 1_000_000;

const values = readOptions({
  swaps: { type: "string", default: "200" },
  prices: { type: "string", default: "100000" },
  threads: { type: "string", default: "2" },
  clients: { type: "string", default: "6" },
  write: { type: "boolean", default: false },
});
const machine = describeMachine();
const folder = await mkdtemp(join(tmpdir(), "price-swaps-"));
try {
  const threads = Number(values.threads);
  const counts = await countSwaps(join(folder, "count"), {
    swaps: Number(values.swaps),
    clients: Number(values.clients),
    threads,
  });
  process.stdout.write(`${countsText(counts)}\n`);
  const times = await timeLookUps(join(folder, "time"), { prices: readCount(values.prices), threads });
  process.stdout.write(`${timesText(times)}\n`);
  const weights = await weighSwaps(join(folder, "weight"), { prices: weighedPrices, threads });
  process.stdout.write(`${weightsText(weights)}\n`);
  if (values.write) {
    const report = [describedMachine(machine, []), countsText(counts), timesText(times), weightsText(weights)];
    // Each line stands for itself.
    await writeFigures("swaps", report.join("\n").replaceAll("\n", "\n\n"));
  }
  const isWrong = counts.failed + counts.mixed + counts.goneBack > 0;
  const [, tenth = 0, ...later] = weights.resident;
  const grows =
    counts.residentAfter > counts.residentQuarter * growthGate ||
    (later.at(-1) ?? 0) > Math.max(tenth, ...later.slice(0, -1)) * growthGate;
  if (isWrong || grows || times.medianRatio > ratioGate) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

function weightsText({ prices, swaps, resident: [before = 0, ...later] }: SwapWeights): string {
  return (
    `${swaps} swaps of ${prices} prices: resident ${megabytes(before)} before, then ` +
    `${later.map(megabytes).join(", ")}`
  );
}

function countsText(counts: SwapCounts): string {
  const { publications, rollbacks, answers, failed, mixed, goneBack } = counts;
  const { residentBefore, residentQuarter, residentAfter } = counts;
  return [
    `${publications} publications, ${rollbacks} rollbacks, ${answers} answers: ${failed} failed, ${mixed} mixed, ` +
      `${goneBack} gone back`,
    `resident: ${megabytes(residentBefore)} before, ${megabytes(residentQuarter)} after a quarter, ` +
      `${megabytes(residentAfter)} at the end`,
    ...counts.examples,
  ].join("\n");
}

function timesText({
  capacityPerSecond,
  offeredPerSecond,
  quietP99,
  swappingP99,
  swaps,
  medianRatio,
}: SwapTimes): string {
  const list = (milliseconds: readonly number[]): string => milliseconds.map((value) => value.toFixed(2)).join(" ");
  return [
    `look-ups: ${Math.round(capacityPerSecond)} a second at most, ${Math.round(offeredPerSecond)} asked for`,
    `p99 in ms, quiet: ${list(quietP99)}`,
    `p99 in ms, with ${swaps} swaps in all: ${list(swappingP99)}`,
    `median ratio ${medianRatio.toFixed(2)}, goal ${ratioGoal}, gate ${ratioGate}`,
  ].join("\n");
}
