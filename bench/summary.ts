/**
 * The page that people cite: `npm run bench -- summary [--write]`. It runs the race, the requests over HTTP and the
 * starts, one after the other, keeps the figures of each, and makes the tables of FIGURES.md.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { HttpReport } from "./http/http-report.ts";
import type { BenchReport } from "./report/report-text.ts";
import { stageProgress } from "./report/stage-progress.ts";
import { writeFigures } from "./report/write-readme.ts";
import { measureStarts, type StartReport } from "./summary/measure-starts.ts";
import { summaryText } from "./summary/summary-text.ts";

const usage = `Usage: npm run bench -- summary [options]

Makes the page to cite of bench/FIGURES.md: the race, requests over HTTP, starts and memory. Run it on a quiet machine.

  --sizes LIST       numbers of prices (default 100k,1m,10m)
  --http-sizes LIST  the same for the requests over HTTP (default: as --sizes)
  --rounds N         turns of each at each question (default 3)
  --folder FOLDER    keeps prices and figures; a part whose figures are there is not run again
  --only LIST        only these parts: race, http, start
  --write            write the tables into bench/FIGURES.md
`;

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "100k,1m,10m" },
    "http-sizes": { type: "string" },
    rounds: { type: "string", default: "3" },
    folder: { type: "string" },
    only: { type: "string", default: "race,http,start" },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) process.stdout.write(usage);
else await run();

async function run(): Promise<void> {
  const folder = values.folder === undefined ? await mkdtemp(join(tmpdir(), "price-summary-")) : resolve(values.folder);
  await mkdir(folder, { recursive: true });
  try {
    const { sizes, rounds, "http-sizes": httpSizes = sizes } = values;
    const parts = {
      race: await partOf<BenchReport>(folder, "race", async (file) =>
        runProgram("race.ts", ["--sizes", sizes, "--no-load", "--rounds", rounds, "--json", file]),
      ),
      http: await partOf<HttpReport>(folder, "http", async (file) =>
        runProgram("http.ts", [
          ...["--prices", httpSizes, "--only", "ours,sqlite,postgres", "--rounds", rounds],
          ...["--data", folder, "--json", file],
        ]),
      ),
      start: await partOf<StartReport>(folder, "start", async (file) => {
        const progress = stageProgress();
        const report = await measureStarts(folder, sizes.split(","), progress.show);
        progress.stop();
        await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
      }),
    };
    const text = summaryText(parts);
    process.stdout.write(`${text}\n`);
    if (values.write) await writeFigures("summary", text);
  } finally {
    if (values.folder === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** The figures of a part: those that are there, or of a run; undefined for one that is neither there nor wanted. */
async function partOf<T>(
  folder: string,
  name: string,
  measure: (file: string) => Promise<void>,
): Promise<T | undefined> {
  const file = join(folder, `${name}.json`);
  if (!existsSync(file)) {
    if (!values.only.split(",").includes(name)) return undefined;
    await measure(file);
  }
  return JSON.parse(await readFile(file, "utf8")) as T;
}

/** Runs a benchmark as a process of its own, so that nothing of another is in its memory. */
function runProgram(name: string, args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, name), ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`bench/${name} ended with exit status ${status}`);
}
