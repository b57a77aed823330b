/**
 * What a thread costs in memory: `npm run bench -- threads [--prices 1000000] [--write]`. Starts the service with 1, 2
 * and 4 threads over the same prices, asks each of them, and prints the resident size of the process.
 */
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readManifest } from "../src/engine/snapshots/manifest.ts";
import { pointTo } from "../test/support/watch-swaps.ts";
import { writeSampleSnapshot } from "./load/write-sample-snapshot.ts";
import { readCount } from "./read-count.ts";
import { readOptions } from "./read-options.ts";
import { bytesText, countText } from "./report/figure-text.ts";
import { describedMachine, describeMachine } from "./report/machine.ts";
import { markdownTable } from "./report/markdown-table.ts";
import { writeFigures } from "./report/write-readme.ts";
import { type BenchService, startBenchService } from "./swap/service-process.ts";

const pauseMilliseconds = 2500;

const values = readOptions({
  prices: { type: "string", default: "1000000" },
  write: { type: "boolean", default: false },
});
const machine = describeMachine();
const rows: string[][] = [];
const folder = await mkdtemp(join(tmpdir(), "price-threads-"));
try {
  const unnamed = join(folder, "data", "snapshots", ".unnamed");
  await mkdir(join(folder, "data", "snapshots"), { recursive: true });
  await writeSampleSnapshot(unnamed, { prices: readCount(values.prices), seed: 1 });
  const { id } = await readManifest(unnamed);
  await rename(unnamed, join(folder, "data", "snapshots", id));
  await pointTo(join(folder, "data"), id);
  // The first start builds the store and compiles it, which leaves more behind than reading it.
  await (await startBenchService(folder, 1)).stop();
  for (const threads of [1, 2, 4]) {
    const service = await startBenchService(folder, threads);
    await Promise.all(Array.from({ length: 40 * threads }, () => ask(service)));
    await delay(pauseMilliseconds);
    const { bytes } = (await (await fetch(`${service.adminUrl}/snapshot`)).json()) as { bytes: number };
    const resident = await service.residentBytes();
    process.stdout.write(`${threads} threads: resident ${bytesText(resident)}, of it the store ${bytesText(bytes)}\n`);
    rows.push([String(threads), bytesText(resident), bytesText(bytes)]);
    await service.stop();
  }
  if (values.write) {
    const count = `${countText(readCount(values.prices))} prices`;
    const table = markdownTable(["threads", " resident", " of it the store"], rows);
    await writeFigures("threads", `${describedMachine(machine, [])}\n\n${count}\n\n${table}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function ask({ baseUrl, publicKey }: BenchService): Promise<void> {
  const headers = { "X-API-Key": publicKey, Connection: "close" };
  await (await fetch(`${baseUrl}/api/v1/products?page_size=20`, { headers })).arrayBuffer();
}
