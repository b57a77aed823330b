/**
 * Our service over HTTP beside bare servers and databases behind Fastify: `npm run bench -- http`. README.md says what
 * is measured and how to read it.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bundledName, dataDirectoryOf } from "./http/http-data.ts";
import { runHttpGate } from "./http/http-gate.ts";
import { type HttpRaceResult, runHttpRace, warmUpSecondsUsual } from "./http/http-race.ts";
import { type HttpReport, httpReportText } from "./http/http-report.ts";
import { type ServerName, serverNames } from "./http/server-names.ts";
import { installPeers } from "./install-peers.ts";
import { AnswersDifferError } from "./race/compare-answers.ts";
import { describeMachine } from "./report/machine.ts";
import { stageProgress } from "./report/stage-progress.ts";
import { writeFigures } from "./report/write-readme.ts";

const usage = `Usage: npm run bench -- http [options]

Measures the service over HTTP beside bare node:http, bare Koa, Fastify + SQLite and Fastify + PostgreSQL.

  --prices LIST      numbers of prices, or ${bundledName} (default ${bundledName},1m)
  --only LIST        only these servers: ${serverNames.join(", ")} (default: all but limited)
  --questions NAME   only questions whose name contains this; may be repeated
  --seconds N        how long a turn is timed (default 1)
  --rounds N         turns of each server at each question (default 5)
  --no-latency       without p50 and p99 at half of the capacity
  --data FOLDER      keep generated prices here for the next run
  --checkout FOLDER  the checkout whose service is ours (default: this one)
  --gate             only our processor time beside bare Koa, with the bundled prices; exits with 1 above
                     http-limits.json
  --calibrate        with --gate: write new limits
  --json FILE        write all figures as JSON
  --write            write the tables into bench/FIGURES.md
`;

const { values } = parseArgs({
  options: {
    prices: { type: "string", default: `${bundledName},1m` },
    only: { type: "string", default: serverNames.filter((name) => name !== "limited").join(",") },
    questions: { type: "string", multiple: true, default: [] },
    seconds: { type: "string", default: "1" },
    rounds: { type: "string", default: "5" },
    latency: { type: "boolean", default: true },
    data: { type: "string" },
    checkout: { type: "string", default: join(import.meta.dirname, "..") },
    gate: { type: "boolean", default: false },
    calibrate: { type: "boolean", default: false },
    json: { type: "string" },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
  allowNegative: true,
});
if (values.help) process.stdout.write(usage);
else if (values.gate) await inFolder(gate);
else await inFolder(race);

type Progress = ReturnType<typeof stageProgress>;

/**
 * Runs something in a temporary folder, with progress on stderr; servers that do not agree are a failure of the run.
 */
async function inFolder(work: (folder: string, progress: Progress) => Promise<void>): Promise<void> {
  const progress = stageProgress();
  const folder = await mkdtemp(join(tmpdir(), "price-http-"));
  try {
    await work(folder, progress);
  } catch (error) {
    if (!(error instanceof AnswersDifferError)) throw error;
    process.stderr.write(`The servers do not agree; nothing was timed.\n${error.message}\n`);
    process.exitCode = 1;
  } finally {
    progress.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function gate(folder: string, progress: Progress): Promise<void> {
  const dataDirectory = await dataDirectoryOf(folder, bundledName);
  const checkout = resolve(values.checkout);
  const { text, failures } = await runHttpGate(
    { dataDirectory, folder, checkout, onProgress: progress.show },
    values.calibrate,
  );
  progress.stop();
  process.stdout.write(`${text}\n`);
  if (failures.length === 0) return;
  process.stderr.write(`${failures.join("\n")}\n`);
  process.exitCode = 1;
}

async function race(folder: string, progress: Progress): Promise<void> {
  const servers = values.only.split(",").map(serverNamed);
  if (servers.some((name) => name === "sqlite" || name === "postgres")) installPeers();
  const machine = describeMachine();
  const races: HttpRaceResult[] = [];
  for (const prices of values.prices.split(",")) {
    const raceFolder = join(folder, prices);
    await mkdir(raceFolder);
    progress.show(`${prices} prices, writing`, 0, 1);
    races.push(
      await runHttpRace({
        dataDirectory: await dataDirectoryOf(values.data ?? folder, prices),
        folder: raceFolder,
        checkout: resolve(values.checkout),
        servers,
        questionNames: values.questions,
        rounds: Number(values.rounds),
        seconds: Number(values.seconds),
        warmUpSeconds: warmUpSecondsUsual,
        measuresLatency: values.latency,
        onProgress: (stage, done, total) => progress.show(`${prices} prices, ${stage}`, done, total),
      }),
    );
  }
  progress.stop();
  await publish({ machine, races });
}

function serverNamed(text: string): ServerName {
  const name = serverNames.find((known) => known === text);
  if (name === undefined) throw new RangeError(`server is "${text}", expected one of ${serverNames.join(", ")}`);
  return name;
}

async function publish(report: HttpReport): Promise<void> {
  const text = httpReportText(report);
  process.stdout.write(`${text}\n`);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
  if (values.write) await writeFigures("http", text);
}
