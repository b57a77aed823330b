import { sampleDefaults, sampleLimits } from "../bench/sample/sample-options.ts";
import { type SampleReport, writeSampleFolder } from "../bench/sample/write-sample-folder.ts";
import { largeNumber, wholeNumber } from "../src/cli/argument.ts";
import { createProgram, RefusedError, runProgram } from "../src/cli/command.ts";
import { printReport } from "../src/cli/output.ts";
import { startProgress } from "../src/cli/progress.ts";
import { FolderTakenError } from "../src/engine/files/whole-folder.ts";

interface Options {
  readonly prices: number;
  readonly seed: number;
  readonly products: number;
  readonly markets: number;
  readonly years: number;
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

const { products, markets, years } = sampleDefaults;

const program = createProgram(
  "npm run generate --",
  "Writes invented but realistic record files of a snapshot. The same options give the same bytes on every machine.",
  [
    "npm run generate -- --prices 100k --out sample",
    "npm run generate -- --prices 1000000 --seed 2 --out sample --products 300 --markets 500 --years 20 --force",
  ],
)
  .requiredOption("--prices <n>", "how many prices: 100000, 100k, 10m", largeNumber(sampleLimits.prices))
  .option("--seed <n>", "another number gives another sample", wholeNumber(sampleLimits.seed), 1)
  .requiredOption("--out <dir>", "folder to make; new or empty")
  .option("--products <n>", "how many products", wholeNumber(sampleLimits.products), products)
  .option("--markets <n>", "how many markets", wholeNumber(sampleLimits.markets), markets)
  .option("--years <n>", "how many years before November 2026", wholeNumber(sampleLimits.years), years)
  .option("--force", "replace earlier record files in that folder")
  .option("--json", "report as one JSON object")
  .action(async ({ out, force = false, json = false, ...options }: Options) => {
    const started = performance.now();
    const report = await writeWithProgress(options, out, force);
    const seconds = Math.round(performance.now() - started) / 1000;
    printReport(json ? reportJson(report, out, seconds) : reportText(report, out, seconds));
  });

await runProgram(program);

async function writeWithProgress(
  options: Omit<Options, "out" | "force" | "json">,
  out: string,
  force: boolean,
): Promise<SampleReport> {
  const progress = startProgress("generating", options.prices);
  try {
    return await writeSampleFolder({
      ...options,
      outputPath: out,
      replacesSample: force,
      onPrices: (count) => progress.update(count),
    });
  } catch (error) {
    throw error instanceof FolderTakenError ? new RefusedError(error.message, { cause: error }) : error;
  } finally {
    progress.stop();
  }
}

function reportText({ options, dayFirst, dayLast, bytes }: SampleReport, out: string, seconds: number): string {
  const { prices, products, markets, seed } = options;
  const what = `${prices} prices of ${products} products at ${markets} markets`;
  return `Wrote ${what}, ${dayFirst} to ${dayLast}, seed ${seed}: ${bytes} bytes in ${seconds} s\nWritten to ${out}\n`;
}

function reportJson({ options, dayFirst, dayLast, bytes }: SampleReport, out: string, seconds: number): string {
  return `${JSON.stringify({ ...options, day_first: dayFirst, day_last: dayLast, out, bytes, seconds }, null, 2)}\n`;
}
