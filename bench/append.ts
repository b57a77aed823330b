/**
 * How long it takes until a change is served: `npm run bench -- append [--prices 10m] [--day 10000] [--write]`.
 * Publishes generated prices, starts a service on them, appends a day, withdraws 100 prices and replaces a source, each
 * with the command that people use, and waits until every thread of the service answers from the new snapshot. The time
 * counts from the start of the command. Exits with 1 beyond a limit.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runSnapshot, type SnapshotRun } from "./append/run-snapshot.ts";
import { writeDay } from "./append/write-day.ts";
import { writeFeed } from "./append/write-feed.ts";
import { pricesFileName } from "./load/write-sample-snapshot.ts";
import { readCount } from "./read-count.ts";
import { readOptions } from "./read-options.ts";
import { bytesText, countText } from "./report/figure-text.ts";
import { describedMachine, describeMachine } from "./report/machine.ts";
import { markdownTable } from "./report/markdown-table.ts";
import { writeFigures } from "./report/write-readme.ts";
import { writeSampleFolder } from "./sample/write-sample-folder.ts";
import { startBenchService } from "./swap/service-process.ts";

const changeSecondsMax = 15;
const replaceSecondsMax = 100;
const peakBytesMax = 3 * 2 ** 30;
const withdrawnRows = 100;

const values = readOptions({
  prices: { type: "string", default: "10m" },
  day: { type: "string", default: "10000" },
  threads: { type: "string", default: "2" },
  seed: { type: "string", default: "1" },
  write: { type: "boolean", default: false },
});
const prices = readCount(values.prices);
const dayRows = readCount(values.day);
const machine = describeMachine();

/** What was done, and how long it took. */
interface Change extends SnapshotRun {
  readonly name: string;
  /** From the start of the command until every thread serves the snapshot. */
  readonly total: number;
  readonly secondsMax: number;
}

const folder = await mkdtemp(join(tmpdir(), "price-append-"));
try {
  const [records, data, day] = [join(folder, "records"), join(folder, "data"), join(folder, "day.ndjson")];
  const feedFolder = join(folder, "feed");
  await writeSampleFolder({ prices, seed: Number(values.seed), outputPath: records });
  const pricesPath = join(records, pricesFileName);
  const appended = await writeDay(pricesPath, day, dayRows);
  const feed = await writeFeed(pricesPath, feedFolder);
  await runSnapshot(["publish", records, "--no-downloads", "--data-dir", data]);
  await rm(records, { recursive: true });
  const service = await startBenchService(folder, Number(values.threads));
  try {
    const change = async (name: string, secondsMax: number, args: readonly string[]): Promise<Change> => {
      const startedAt = performance.now();
      const run = await runSnapshot([...args, "--no-downloads", "--data-dir", data]);
      const { id } = await service.reload();
      const total = (performance.now() - startedAt) / 1000;
      if (id !== run.report["id"]) throw new Error(`the service serves ${id}, expected ${run.report["id"]}`);
      return { ...run, name, total, secondsMax };
    };
    const append = await change(`append ${countText(dayRows)} prices`, changeSecondsMax, ["append", day]);
    const uuids = appended.slice(0, withdrawnRows);
    const withdrawal = ["withdraw", ...uuids, "--reason", "a benchmark"];
    const replacement = ["publish", feedFolder, "--replace-source", feed.source, "--prefer", "own"];
    const changes = [
      append,
      await change(`withdraw ${uuids.length} prices`, changeSecondsMax, withdrawal),
      await change(`replace a source: ${feed.text}`, replaceSecondsMax, replacement),
    ];
    const text = changesText(changes);
    process.stdout.write(`${text}\n`);
    if (values.write) await writeFigures("append", `${describedMachine(machine, [])}\n\n${text}`);
    const isBeyond = changes.some((one) => one.total > one.secondsMax || one.peakBytes > peakBytesMax);
    if (isBeyond) process.exitCode = 1;
  } finally {
    await service.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

function changesText(changes: readonly Change[]): string {
  const table = markdownTable(
    ["change", " until the last thread serves it", " at most", " peak memory of the command"],
    changes.map(({ name, total, secondsMax, peakBytes }) => {
      return [name, `${total.toFixed(1)} s`, `${secondsMax} s`, bytesText(peakBytes)];
    }),
  );
  return `Upon ${countText(prices)} prices; peak memory at most ${bytesText(peakBytesMax)}.\n\n${table}`;
}
