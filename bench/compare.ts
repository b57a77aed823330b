/**
 * Asks two checkouts of the service the same random questions over HTTP, of endpoints, pages and documents, and
 * compares their answers byte for byte: what a change of the code must not change. Averages and deviations may differ
 * by 1e-6, as sums may be added up in another order.
 *
 *     npm run compare -- --with ../before --questions 20000 --seed 1
 *     npm run compare -- --with ../before --data ../before/data --endpoints --added refugee_camps,refugee_camp_samples
 */
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Command } from "commander";
import type { Instant } from "../src/engine/model/calendar.ts";
import { publishSnapshot } from "../src/publishing/publish/publish-snapshot.ts";
import { compareAnswers, type Difference } from "./compare/compare-answers.ts";
import { makeQuestions, readFacts } from "./compare/random-requests.ts";
import { readCount } from "./read-count.ts";
import { sampleDefaults } from "./sample/sample-options.ts";
import { writeSampleFolder } from "./sample/write-sample-folder.ts";
import { startBenchService } from "./swap/service-process.ts";

/** No entries, no statistics, or no body. */
const emptyAnswer = /"data":\[\]|"statistics":\[\]|^$/;
const root = resolve(import.meta.dirname, "..");

const program = new Command("npm run compare --")
  .description("Asks two checkouts of the service the same random questions and compares their answers.")
  .requiredOption("--with <DIR>", "the other checkout, with its packages installed")
  .option("--data <DIR>", "a dataset that both can read, in place of that of this checkout", join(root, "data"))
  .option("--questions <N>", "questions over all data sets", readCount, 20_000)
  .option("--seed <N>", "seed of the questions", readCount, 1)
  .option("--endpoints", "questions of endpoints alone", false)
  .option("--added <NAMES>", "members that the answers of one of them have alone", (text) => text.split(","), [])
  .option("--show <N>", "differences to print of each data set", readCount, 10)
  .parse();
const options = program.opts<{
  with: string;
  data: string;
  questions: number;
  seed: number;
  endpoints: boolean;
  added: string[];
  show: number;
}>();

const folder = await mkdtemp(join(tmpdir(), "compare-"));
let differenceCount = 0;
try {
  const dataSets = [
    ["bundled", resolve(options.data)],
    ["100,000 generated prices", await generate("large", 100_000, 1)],
    ["3,000 generated prices", await generate("small", 3000, 2)],
  ] as const;
  const share = Math.ceil(options.questions / dataSets.length);
  for (const [at, [name, data]] of dataSets.entries()) {
    const { differences, answered, pages } = await compareOver(data, share, options.seed + at);
    differenceCount += differences.length;
    const shares = `${share} questions, ${answered} answered with data and ${pages} with a page or document`;
    process.stdout.write(`${name}: ${shares}, ${differences.length} answers differ\n`);
    for (const { question, field, ours, other } of differences.slice(0, options.show)) {
      process.stdout.write(`  ${question}\n    ${field}: here ${ours}\n    ${field}: there ${other}\n`);
    }
  }
} finally {
  await rm(folder, { recursive: true });
}
process.exitCode = differenceCount === 0 ? 0 : 1;

/** Publishes generated prices. @returns The dataset directory. */
async function generate(name: string, prices: number, seed: number): Promise<string> {
  const candidateDirectory = join(folder, `${name}-records`);
  await writeSampleFolder({ ...sampleDefaults, prices, seed, outputPath: candidateDirectory });
  const dataDirectory = join(folder, name);
  await mkdir(dataDirectory);
  await publishSnapshot({
    dataDirectory,
    candidateDirectory,
    now: Date.now() as Instant,
    allowShrink: false,
    dryRun: false,
  });
  return dataDirectory;
}

async function compareOver(
  data: string,
  questionCount: number,
  seed: number,
): Promise<{ readonly differences: Difference[]; readonly answered: number; readonly pages: number }> {
  const [ours, other] = await Promise.all([serve("here", root, data), serve("there", resolve(options.with), data)]);
  try {
    const questions = makeQuestions(await readFacts(ours), questionCount, seed, options.endpoints);
    const differences: Difference[] = [];
    let answered = 0;
    let pages = 0;
    for (const question of questions) {
      const answers = await Promise.all([question.ask(ours), question.ask(other)]);
      differences.push(...compareAnswers(question.text, ...answers, options.added));
      if (answers[0].status !== 200 || emptyAnswer.test(answers[0].text)) continue;
      if (question.isOfEndpoint) answered++;
      else pages++;
    }
    return { differences, answered, pages };
  } finally {
    await Promise.all([ours.stop(), other.stop()]);
  }
}

/** Each has a copy of its own, because compiled stores are those of one version of the code. */
async function serve(name: string, checkout: string, data: string): ReturnType<typeof startBenchService> {
  const home = await mkdtemp(join(folder, `${name}-`));
  await cp(data, join(home, "data"), {
    recursive: true,
    filter: (path) => !path.includes(`${data}/compiled`) && !path.includes(`${data}/reference`),
  });
  // Older versions know `public` and not `on`. Behind a proxy, each request can come from another address.
  return startBenchService(home, 1, checkout, { EXPLORER: "public", TRUST_PROXY: "1" });
}
