/**
 * How long it takes until a market day is served: `npm run bench:append [-- --prices 10m] [--day 10000] [--write]`.
 * Publishes generated prices, starts a service on them, appends a day with the command that people use, and waits until
 * every thread of the service answers from the new snapshot. The time counts from the start of the command. Exits with
 * 1 beyond the limit.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { appendStages } from "../src/publish/append-prices.ts";
import { runSnapshot } from "./append/run-snapshot.ts";
import { writeDay } from "./append/write-day.ts";
import { pricesFileName } from "./load/write-sample-snapshot.ts";
import { readCount } from "./read-count.ts";
import { countText } from "./report/figure-text.ts";
import { describedMachine, describeMachine } from "./report/machine.ts";
import { markdownTable } from "./report/markdown-table.ts";
import { writeFigures } from "./report/write-readme.ts";
import { writeSampleFolder } from "./sample/write-sample-folder.ts";
import { startBenchService } from "./swap/service-process.ts";

const secondsMax = 15;

/** What each stage is called, see `appendStages`. */
const stageNames: Readonly<Record<(typeof appendStages)[number], string>> = {
  reading: "reading the day, sharing the other files",
  opening: "opening the current store",
  extending: "adding the day to it",
  checking: "looking for odd prices",
  staging: "writing the manifest, flushing",
  compiling: "writing the compiled store",
  activating: "making it current",
};

const { values } = parseArgs({
  options: {
    prices: { type: "string", default: "10m" },
    day: { type: "string", default: "10000" },
    threads: { type: "string", default: "2" },
    seed: { type: "string", default: "1" },
    write: { type: "boolean", default: false },
  },
});
const prices = readCount(values.prices);
const dayRows = readCount(values.day);
const machine = describeMachine();

const folder = await mkdtemp(join(tmpdir(), "price-append-"));
try {
  const [records, data, day] = [join(folder, "records"), join(folder, "data"), join(folder, "day.ndjson")];
  await writeSampleFolder({ prices, seed: Number(values.seed), outputPath: records });
  await writeDay(join(records, pricesFileName), day, dayRows);
  await runSnapshot(["publish", records, "--no-downloads", "--data-dir", data]);
  await rm(records, { recursive: true });
  const service = await startBenchService(folder, Number(values.threads));
  try {
    const startedAt = performance.now();
    const { report, seconds } = await runSnapshot(["append", day, "--no-downloads", "--data-dir", data]);
    const { id } = await service.reload();
    const total = (performance.now() - startedAt) / 1000;
    if (id !== report["id"]) throw new Error(`the service serves ${id}, expected ${report["id"]}`);
    const text = reportText(report, seconds, total);
    process.stdout.write(`${text}\n`);
    if (values.write) await writeFigures("append", `${describedMachine(machine, [])}\n\n${text}`);
    if (total > secondsMax) process.exitCode = 1;
  } finally {
    await service.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

function reportText(report: Readonly<Record<string, unknown>>, commandSeconds: number, total: number): string {
  const stages = report["stage_seconds"] as Readonly<Record<string, number>>;
  const known = appendStages.map((stage) => stages[stage] ?? 0);
  const rest = commandSeconds - known.reduce((sum, seconds) => sum + seconds, 0);
  const table = markdownTable(
    ["stage", " seconds"],
    [
      ["starting and ending the command", rest.toFixed(2)],
      ...appendStages.map((stage, at) => [stageNames[stage], (known[at] ?? 0).toFixed(2)]),
      ["serving it in every thread", (total - commandSeconds).toFixed(2)],
      ["all", total.toFixed(2)],
    ],
  );
  const counts = `${countText(dayRows)} prices (${report["replaced"]} of them corrections) upon ${countText(prices)}`;
  return `${counts}; at most ${secondsMax} s\n\n${table}`;
}
