/**
 * The race against the databases people would use instead: `npm run bench -- race [--sizes 100k,1m,10m] [--json FILE]
 * [--write] [--questions NAME…]`. README.md says what is measured and how to read it.
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { ContenderName } from "./contenders/contender.ts";
import { installPeers } from "./install-peers.ts";
import { runLoadRace } from "./load/run-load-race.ts";
import { AnswersDifferError } from "./race/compare-answers.ts";
import { type RaceResult, runRace } from "./race/run-race.ts";
import { readCount } from "./read-count.ts";
import { describeMachine } from "./report/machine.ts";
import { type BenchReport, reportText } from "./report/report-text.ts";
import { stageProgress } from "./report/stage-progress.ts";
import { writeFigures } from "./report/write-readme.ts";

const usage = `Usage: npm run bench -- race [options]

Races the service against DuckDB, SQLite and plain JavaScript on generated prices.

  --sizes LIST       numbers of prices (default 100k,1m,10m)
  --questions NAME   only questions whose name contains this; may be repeated
  --no-load          without the race of loading a million lines of NDJSON
  --rounds N         turns of each contender at each question (default 5)
  --json FILE        write all figures as JSON
  --write            write the tables into bench/FIGURES.md
`;

/** Above this many, objects of plain JavaScript no longer fit in a process of ordinary size. */
const plainJavaScriptPricesMax = 1e6;

const seed = 1;
const variants = 12;
const turnMilliseconds = 150;
const loadedPrices = 1e6;

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "100k,1m,10m" },
    questions: { type: "string", multiple: true, default: [] },
    load: { type: "boolean", default: true },
    rounds: { type: "string", default: "5" },
    json: { type: "string" },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
  allowNegative: true,
});
if (values.help) process.stdout.write(usage);
else await run();

async function run(): Promise<void> {
  const sizes = values.sizes.split(",").map(readCount);
  installPeers();
  const machine = describeMachine();
  const progress = stageProgress();
  try {
    const races: RaceResult[] = [];
    for (const prices of sizes) races.push(await raceOf(prices, progress.show));
    const load = values.load ? await runLoadRace({ prices: loadedPrices, seed }, progress.show) : null;
    progress.stop();
    await publish({ machine, races, load });
  } catch (error) {
    progress.stop();
    if (!(error instanceof AnswersDifferError)) throw error;
    process.stderr.write(`The contenders do not agree; nothing was timed.\n${error.message}\n`);
    process.exitCode = 1;
  }
}

async function raceOf(prices: number, onProgress: ReturnType<typeof stageProgress>["show"]): Promise<RaceResult> {
  const peers: ContenderName[] = ["duckdb", "sqlite"];
  if (prices <= plainJavaScriptPricesMax) peers.push("javascript");
  return await runRace({
    sample: { prices, seed },
    contenders: ["ours", ...peers],
    variants,
    rounds: Number(values.rounds),
    turnMilliseconds,
    questionNames: values.questions,
    loadsTogether: false,
    examinesOurs: true,
    onProgress: (stage, done, total) => onProgress(`${prices} prices, ${stage}`, done, total),
  });
}

async function publish(report: BenchReport): Promise<void> {
  const text = reportText(report);
  process.stdout.write(`${text}\n`);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
  if (values.write) await writeFigures("race", text);
}
