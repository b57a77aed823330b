/**
 * Mixed load for a while: `npm run soak [-- --minutes 10] [--seed S]`. Exits with 1 when an answer was not the expected
 * one, a thread died, the log has an error, or memory grew.
 */
import { randomInt } from "node:crypto";
import { median } from "simple-statistics";
import { readOptions } from "../../bench/read-options.ts";
import { markdownTable } from "../../bench/report/markdown-table.ts";
import { runSoak } from "./run-soak.ts";
import { figuresHeader } from "./soak-figures.ts";

const values = readOptions({
  minutes: { type: "string", default: "10" },
  seed: { type: "string", default: String(randomInt(2 ** 31)) },
});
process.stdout.write(`seed ${values.seed}\n`);
const { failures, figures, resident } = await runSoak({ minutes: Number(values.minutes), seed: Number(values.seed) });
const tenth = Math.max(1, Math.ceil(resident.length / 10));
const levels = Array.from({ length: Math.ceil(resident.length / tenth) }, (_, part) =>
  (median(resident.slice(part * tenth, (part + 1) * tenth)) / 2 ** 20).toFixed(0),
);
process.stdout.write(`${markdownTable(
  figuresHeader,
  figures.map((one) => one.row()),
)}
resident MiB in each tenth of the time: ${levels.join(" ")}
`);
if (failures.length > 0) {
  process.stderr.write(`${failures.join("\n")}\n`);
  process.exitCode = 1;
}
