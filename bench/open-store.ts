/**
 * How long it takes to write a built store to its file and to open it again:
 * `npm run bench -- open [--prices 10000000] [--rounds 5] [--json] [--write]`. The file is in a
 * temporary folder and, as it has just been written, in the system's memory: what is measured is the service's work,
 * not the disk's.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { median } from "simple-statistics";
import { readCompiledStore, writeCompiledStore } from "../src/engine/compiled/compiled-file.ts";
import type { StoreSource } from "../src/engine/compiled/file-layout.ts";
import { buildStoreOnThreads } from "../src/engine/store/build-store.ts";
import type { Store } from "../src/engine/store/store.ts";
import { readCount } from "./read-count.ts";
import { readOptions } from "./read-options.ts";
import { bytesText, countText, durationText } from "./report/figure-text.ts";
import { describedMachine, describeMachine } from "./report/machine.ts";
import { markdownTable } from "./report/markdown-table.ts";
import { writeFigures } from "./report/write-readme.ts";
import { generateDataset } from "./sample/generate-dataset.ts";

const values = readOptions({
  prices: { type: "string", default: "10m" },
  rounds: { type: "string", default: "5" },
  seed: { type: "string", default: "1" },
  json: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
});
const prices = readCount(values.prices);
const rounds = Number(values.rounds);
const machine = describeMachine();

const folder = await mkdtemp(join(tmpdir(), "open-store-"));
try {
  const path = join(folder, "sample.store");
  const { bytes, buildSeconds, writeSeconds, snapshot, source } = await buildAndWrite(path);
  await collectGarbage();
  const residentBefore = process.memoryUsage.rss();
  const openSeconds: number[] = [];
  let residentOpen = 0;
  for (let round = 0; round < rounds; round++) {
    openSeconds.push(await openOnce(path, source, snapshot));
    residentOpen = process.memoryUsage.rss();
    await collectGarbage();
  }
  const report = {
    prices,
    bytes,
    buildSeconds,
    writeSeconds: median(writeSeconds),
    openSeconds: median(openSeconds),
    openSecondsAll: openSeconds,
    writeSecondsAll: writeSeconds,
    residentBytesOfStore: residentOpen - residentBefore,
    residentBytesAfterDropping: process.memoryUsage.rss() - residentBefore,
  };
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : `${reportText(report)}\n`);
  if (values.write) await writeFigures("open", `${describedMachine(machine, [])}\n\n${reportText(report)}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** A background thread releases shared buffers, a moment after the collection that found them unreferenced. */
async function collectGarbage(): Promise<void> {
  for (let times = 0; times < 3; times++) {
    globalThis.gc?.();
    await delay(100);
  }
}

interface Written {
  readonly bytes: number;
  readonly buildSeconds: number;
  readonly writeSeconds: readonly number[];
  readonly snapshot: Store["snapshot"];
  readonly source: StoreSource;
}

async function buildAndWrite(path: string): Promise<Written> {
  const dataset = generateDataset({ prices, seed: Number(values.seed) });
  const started = performance.now();
  const store = await buildStoreOnThreads(dataset);
  const buildSeconds = (performance.now() - started) / 1000;
  const { snapshot } = store;
  const { id, timeZone, utcOffset } = snapshot;
  const source = { snapshot: id, contentHash: "", timeZone, utcOffset };
  const writeSeconds: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    bytes = await writeCompiledStore(path, store, source);
    writeSeconds.push((performance.now() - startedAt) / 1000);
  }
  return { bytes, buildSeconds, writeSeconds, snapshot, source };
}

async function openOnce(path: string, source: StoreSource, snapshot: Store["snapshot"]): Promise<number> {
  const startedAt = performance.now();
  const store = await readCompiledStore(path, source, snapshot);
  const seconds = (performance.now() - startedAt) / 1000;
  if (store.prices.rowCount !== prices) throw new Error(`${store.prices.rowCount} prices opened, expected ${prices}`);
  return seconds;
}

interface Figures {
  readonly bytes: number;
  readonly buildSeconds: number;
  readonly writeSeconds: number;
  readonly openSeconds: number;
  readonly residentBytesOfStore: number;
  readonly residentBytesAfterDropping: number;
}

function reportText({ bytes, buildSeconds, ...report }: Figures): string {
  const row = (what: string, seconds: number): string[] => [
    what,
    durationText(seconds * 1e6),
    `${bytesText(bytes / seconds)}/s`,
  ];
  const table = markdownTable(
    ["", "median", "throughput"],
    [
      ["building from columns", durationText(buildSeconds * 1e6), ""],
      row("writing", report.writeSeconds),
      row("opening", report.openSeconds),
    ],
  );
  const memory =
    `An open store takes ${bytesText(report.residentBytesOfStore)}; dropped, ` +
    `${bytesText(report.residentBytesAfterDropping)} of it stay.`;
  return `${countText(prices)} prices, a file of ${bytesText(bytes)}\n\n${table}\n\n${memory}`;
}
