/**
 * What a price costs in memory: `npm run bench -- memory [--prices 10m] [--json] [--write]`. Builds a store of
 * generated prices and lists every typed array in it, by the path on which it is found.
 */
import { buildStoreOnThreads } from "../src/engine/store/build-store.ts";
import { columnsOf, type MemoryColumn } from "./memory/columns-of.ts";
import { readCount } from "./read-count.ts";
import { readOptions } from "./read-options.ts";
import { bytesText, countText, durationText } from "./report/figure-text.ts";
import { describedMachine, describeMachine } from "./report/machine.ts";
import { markdownTable } from "./report/markdown-table.ts";
import { writeFigures } from "./report/write-readme.ts";
import { generateDataset } from "./sample/generate-dataset.ts";

const values = readOptions({
  prices: { type: "string", default: "10m" },
  seed: { type: "string", default: "1" },
  json: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
});
const prices = readCount(values.prices);
const machine = describeMachine();

const started = performance.now();
let dataset = generateDataset({ prices, seed: Number(values.seed) }) as ReturnType<typeof generateDataset> | null;
const generated = performance.now();
const store = await buildStoreOnThreads(dataset as NonNullable<typeof dataset>);
const built = performance.now();
const peakBytes = process.resourceUsage().maxRSS * 1024;
dataset = null;
globalThis.gc?.();
const columns = columnsOf(store);
const report = {
  prices,
  generateSeconds: (generated - started) / 1000,
  buildSeconds: (built - generated) / 1000,
  bytes: columns.reduce((sum, { bytes }) => sum + bytes, 0),
  residentBytes: process.memoryUsage.rss(),
  peakBytes,
  columns,
};
process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : `${memoryText(report)}\n`);
if (values.write) await writeFigures("memory", `${describedMachine(machine, [])}\n\n${memoryText(report)}`);

function memoryText({ bytes, buildSeconds, generateSeconds, residentBytes, peakBytes: peak }: typeof report): string {
  const perRow = (size: number): string => (size / prices).toFixed(2);
  const rows = columns.map(({ path, kind, bytes: size }: MemoryColumn) => [path, kind, perRow(size), bytesText(size)]);
  const table = markdownTable(
    ["column or index", "of", " bytes a price", " in all"],
    [...rows, ["all of them", "", perRow(bytes), bytesText(bytes)]],
  );
  const times =
    `Generated in ${durationText(generateSeconds * 1e6)}, from columns to a ready store in ` +
    `${durationText(buildSeconds * 1e6)}.`;
  const resident = `Resident: ${bytesText(residentBytes)} with the store, ${bytesText(peak)} at the peak of the build.`;
  return `${countText(prices)} prices\n\n${table}\n\n${times} ${resident}`;
}
