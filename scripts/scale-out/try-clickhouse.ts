/**
 * Loads two snapshots after one another into two shards of ClickHouse with two replicas each, on this machine, the
 * second with corrections and a withdrawal, and compares what they and the service answer to random questions of four
 * kinds. A reader that asks all the time sees one snapshot or the other; a replica that is killed is not missed.
 * Everything is started here, on ports and in a folder of its own, and ended here. Skips where ClickHouse is missing.
 *
 * `--prices 10m` takes so many generated prices instead of the bundled ones, `--questions 200` so many of each kind,
 * `--seed 7` other ones, `--replicas 1` no second replicas.
 */
import assert from "node:assert/strict";
import { open, readFile, writeFile } from "node:fs/promises";
import { delimiter } from "node:path";
import { parseArgs } from "node:util";
import { SeededRandom } from "../../bench/sample/seeded-random.ts";
import { createSignedClient } from "../../src/client/signed.ts";
import { endProcess, freePort, hasProgram, report, runNode, Trial } from "../deploy/trial.ts";
import { type ClusterServer, startCluster } from "./clickhouse-cluster.ts";
import { compareAnswers, type QuestionFile, questionFiles, type Sides } from "./clickhouse-questions.ts";
import type { ClickHouseServer } from "./clickhouse-server.ts";
import { readAllTheTime, sumOf } from "./steady-reader.ts";

const options = parseArgs({
  options: {
    prices: { type: "string" },
    replicas: { type: "string", default: "2" },
    questions: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
  },
}).values;
const correctedPrices = 20;

// Debian has the server where users without rights of administration do not look.
process.env["PATH"] = [process.env["PATH"], "/usr/sbin"].join(delimiter);
if (hasProgram("clickhouse-server", "clickhouse-server")) await Trial.run(tryClickHouse);

async function tryClickHouse(trial: Trial): Promise<void> {
  const environment = await trial.environment();
  const snapshot = async (...args: string[]): Promise<Record<string, unknown>> =>
    JSON.parse(await runNode(["scripts/snapshot.ts", ...args, "--json"], environment)) as Record<string, unknown>;
  if (options.prices === undefined) await trial.copyData();
  else {
    const sample = trial.path("sample");
    await runNode(["scripts/generate.ts", "--prices", options.prices, "--out", sample], environment);
    await snapshot("publish", sample, "--no-downloads");
  }
  const servers = await startCluster(trial, options.replicas === "1" ? 1 : 2);
  const [first, last] = [servers[0] as ClusterServer, servers.at(-1) as ClusterServer];
  const asked = first.server;
  const urls = servers.flatMap(({ url }) => ["--url", url]);
  const load = async (): Promise<string> =>
    await runNode(["scripts/scale-out/load-clickhouse.ts", ...urls, "--data-dir", trial.path("data")], environment);
  report((await load()).trimEnd());
  const before = await sumOf(asked);
  await correctPrices(trial, snapshot);
  const reader = readAllTheTime(asked);
  const loaded = (await load()).trimEnd().split("\n");
  const after = await sumOf(asked);
  const seen = await reader.stop();
  assert.notEqual(after, before, "the snapshots differ");
  for (const sum of seen) assert.ok(sum === before || sum === after, `a reader saw ${sum}: part of a snapshot`);
  report(`the next snapshot, while a reader asked and saw one or the other: ${loaded[1]}`);

  const apiKey = await trial.issueKey("secret");
  const variables = { THREADS: "1", RATE_LIMIT_PER_MINUTE: "0" };
  const { port } = await trial.startInstance(variables, await freePort(), await freePort());
  const client = createSignedClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey });
  const random = new SeededRandom(Number(options.seed), "prices");
  const askAll = async (server: ClickHouseServer): Promise<void> => {
    const sides = { client, asked: server, random: () => random.fraction() };
    for (const file of questionFiles) await reportAnswers(sides, file);
  };
  await askAll(asked);
  if (servers.length > 2) {
    await endProcess(first.child, "SIGKILL");
    report("a replica of the first shard is killed; a server of the other is asked:");
    await askAll(last.server);
  }
  report("ClickHouse: all as expected");
}

async function reportAnswers(sides: Sides, file: QuestionFile): Promise<void> {
  const { questions, rows, milliseconds } = await compareAnswers(sides, file, Number(options.questions));
  const at = (share: number): string => (milliseconds[Math.ceil(share * questions) - 1] ?? 0).toFixed(0);
  report(`${file}: ${questions} questions, ${rows} rows are equal; p50 ${at(0.5)} ms, longest ${at(1)} ms`);
}

/** Appends corrections of some prices of the first file, and withdraws another. */
async function correctPrices(
  trial: Trial,
  snapshot: (...args: string[]) => Promise<Record<string, unknown>>,
): Promise<void> {
  const current = (await readFile(trial.path("data/CURRENT"), "utf8")).trim();
  await using file = await open(trial.path("data/snapshots", current, "prices.ndjson"));
  const lines: { uuid: string; price: number }[] = [];
  for await (const line of file.readLines()) {
    lines.push(JSON.parse(line) as { uuid: string; price: number });
    if (lines.length > correctedPrices) break;
  }
  const withdrawn = lines.pop()?.uuid ?? "";
  const corrected = trial.path("corrections.ndjson");
  await writeFile(corrected, lines.map((line) => `${JSON.stringify({ ...line, price: line.price * 2 })}\n`).join(""));
  await snapshot("append", corrected, "--no-downloads");
  await snapshot("withdraw", withdrawn, "--reason", "entered twice", "--no-downloads");
}
