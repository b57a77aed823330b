/**
 * Sends broken and odd requests to the service, and has it read damaged files: `npm run fuzz [-- --requests 20000]
 * [--files N] [--seed S] [--only N]`. The seed is a new one unless given, and printed; a failure names the number of
 * its case, which `--only` does again alone.
 *
 * Exits with 1 when the service did what it must not.
 */
import { randomInt } from "node:crypto";
import { readOptions } from "../../bench/read-options.ts";
import { runFileFuzz } from "./files/run-file-fuzz.ts";
import { runFuzz } from "./run-fuzz.ts";

const values = readOptions({
  requests: { type: "string" },
  files: { type: "string" },
  seed: { type: "string", default: String(randomInt(2 ** 31)) },
  only: { type: "string" },
});
const seed = Number(values.seed);
const only = values.only === undefined ? {} : { only: Number(values.only) };
const requests = Number(values.requests ?? (values.files === undefined ? 20_000 : 0));
const files = Number(values.files ?? 0);
process.stdout.write(`seed ${seed}\n`);
const failures: string[] = [];
if (requests > 0) failures.push(...(await fuzzRequests()));
if (files > 0) failures.push(...(await fuzzFiles()));
if (failures.length > 0) {
  process.stderr.write(`${failures.join("\n\n")}\n\n${failures.length} failures with seed ${seed}\n`);
  process.exitCode = 1;
}

async function fuzzRequests(): Promise<readonly string[]> {
  const report = await runFuzz({
    requests,
    seed,
    ...only,
    onProgress: (done) => process.stdout.write(`${done} cases\n`),
  });
  process.stdout.write(`${report.seconds.toFixed(0)} s; answers by status: ${countsText(report.statuses)}
late or preempted among others: ${report.retried}
resident MiB after each tenth, and at last: ${report.resident.map((bytes) => (bytes / 2 ** 20).toFixed(0)).join(" ")}
`);
  return report.failures;
}

async function fuzzFiles(): Promise<readonly string[]> {
  const report = await runFileFuzz({ files, seed, ...only });
  process.stdout.write(`files: ${countsText(report.outcomes)}\n`);
  return report.failures;
}

function countsText(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .toSorted()
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}
