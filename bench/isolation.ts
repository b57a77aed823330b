/**
 * How much one client slows the others:
 * `npm run bench -- isolation [--prices 1m] [--threads 2] [--only swaps|client] [--short] [--write] [--calibrate]`.
 * Look-ups, a thousand a second, in alternating windows: alone, and while another client asks the most expensive
 * statistics and searches back to back and a snapshot is swapped every two seconds; `--only` leaves out one of these
 * two. The 99th percentile may rise by 1.5 times what was measured: the median of seven pairs of windows. Every request
 * must get 200.
 *
 * Exits with 1 beyond the gates. `--short` is for machines that other work shares: two pairs, and no gate on times.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "simple-statistics";
import { readCount } from "./read-count.ts";
import { readOptions } from "./read-options.ts";
import { calibrate, gateLimit } from "./report/gate-limits.ts";
import { describedMachine, describeMachine } from "./report/machine.ts";
import { writeFigures } from "./report/write-readme.ts";
import type { BenchService } from "./swap/service-process.ts";
import { timeLookUps } from "./swap/time-look-ups.ts";

/**
 * So few that two cores have time for them, for the other client and for the loader: the wait for others is measured.
 */
const lookUpsPerSecond = 1000;

const values = readOptions({
  prices: { type: "string", default: "1m" },
  threads: { type: "string", default: "2" },
  only: { type: "string" },
  short: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
  calibrate: { type: "boolean", default: false },
});
if (values.only !== undefined && values.only !== "swaps" && values.only !== "client") {
  throw new RangeError(`--only is ${values.only}, expected swaps or client`);
}
// Every answer is computed.
process.env["ANSWER_CACHE_MB"] = "0";
const machine = describeMachine();
const folder = await mkdtemp(join(tmpdir(), "price-isolation-"));
try {
  const { quietP99, swappingP99, swaps, offeredPerSecond } = await timeLookUps(folder, {
    prices: readCount(values.short ? "100k" : values.prices),
    threads: Number(values.threads),
    perSecond: lookUpsPerSecond,
    swapsSnapshots: values.only !== "client",
    ...(values.only !== "swaps" && { startBeside }),
    ...(values.short && { windowPairs: 2, windowMilliseconds: 1500 }),
  });
  const rise = median(swappingP99.map((milliseconds, pair) => milliseconds - (quietP99[pair] ?? Number.NaN)));
  if (values.calibrate) await calibrate({ isolation: rise });
  const riseMax = await gateLimit("isolation");
  const report = [
    `look-ups: ${Math.round(offeredPerSecond)} a second`,
    `p99 in ms, alone: ${listText(quietP99)}`,
    `p99 in ms, beside ${values.only === "swaps" ? "" : "the other client and "}${swaps} swaps in all: ` +
      `${listText(swappingP99)}`,
    `median rise ${rise.toFixed(2)} ms, gate ${riseMax} ms`,
  ];
  process.stdout.write(`${report.join("\n")}\n`);
  if (values.write) await writeFigures("isolation", [describedMachine(machine, []), ...report].join("\n\n"));
  if (!values.short && !(rise <= riseMax)) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Starts the other client in a process of its own, and waits until it has asked every question once. */
async function startBeside({ baseUrl, publicKey, secretKey }: BenchService): Promise<() => Promise<void>> {
  const child: ChildProcess = fork(join(import.meta.dirname, "isolation/client-main.ts"), [
    baseUrl,
    publicKey,
    secretKey,
  ]);
  const ended = once(child, "exit");
  const hasEnded = await Promise.race([once(child, "message").then(() => false), ended.then(() => true)]);
  if (hasEnded) throw new Error("the other client has ended, expected it to ask");
  return async () => {
    if (child.exitCode !== null) throw new Error("the other client has ended, expected it to go on");
    child.kill("SIGKILL");
    await ended;
  };
}

function listText(milliseconds: readonly number[]): string {
  return milliseconds.map((value) => value.toFixed(2)).join(" ");
}
