import { stat } from "node:fs/promises";
import { createProgram, runProgram } from "../src/cli/command.ts";
import { problemReport, warningLines } from "../src/cli/problem-report.ts";
import { type Report, type ReportOptions, reported } from "../src/cli/render-report-lines.ts";
import { addStrictOption, dataDirectoryOption } from "../src/cli/snapshot/snapshot-command.ts";
import { commandLine } from "../src/contract/command-line.ts";
import type { Instant } from "../src/engine/model/calendar.ts";
import { snakeCased } from "../src/engine/model/snake-case.ts";
import { ProblemList } from "../src/engine/snapshots/problem.ts";
import { type FeedWarningKind, feedWarningNames } from "../src/publishing/importers/wfp/check-feed.ts";
import { importWfp } from "../src/publishing/importers/wfp/import-wfp.ts";
import { reportText } from "../src/publishing/importers/wfp/wfp-report.ts";
import { refusePlan } from "../src/publishing/publish/warnings/find-warnings.ts";

interface Options extends ReportOptions {
  readonly out: string;
  readonly dataDir: string;
  readonly force?: boolean;
  readonly strict?: ReadonlySet<FeedWarningKind>;
}

const importWfpLine = commandLine("import wfp");

const program = createProgram(
  importWfpLine,
  "Turns a CSV export of WFP food prices for Kenya into the record files of a snapshot and reports what it kept, " +
    "converted and left out.",
  [
    `${importWfpLine} wfp_food_prices_ken.csv --out import`,
    `${importWfpLine} wfp_food_prices_ken.csv --out import --strict rate-jump,point-outside-county`,
    `${commandLine("import wfp", { isPiped: true })} wfp_food_prices_ken.csv --out import --force --json`,
  ],
)
  .argument("<prices.csv>", 'the export "Kenya - Food Prices" of the Humanitarian Data Exchange')
  .requiredOption("--out <dir>", "folder to make; new or empty")
  .addOption(dataDirectoryOption("dataset directory whose current snapshot names and rates are compared with"))
  .option("--force", "replace an earlier import in that folder")
  .option("--json", "report as one JSON object")
  .action(reported(read));
const kinds = Object.keys(feedWarningNames);
addStrictOption(program, kinds);

await runProgram(program);

async function read(csvPath: string, options: Options): Promise<Report> {
  const { out, dataDir, force = false, strict, onBytes, seconds } = options;
  // The import reports a file that cannot be read.
  const { size } = await stat(csvPath).catch(() => ({ size: 0 }));
  let warnings = new ProblemList<FeedWarningKind>();
  const report = await importWfp({
    csvPath,
    outputPath: out,
    replacesImport: force,
    dataDirectory: dataDir,
    now: Date.now() as Instant,
    onWarnings: (found) => {
      refusePlan(csvPath, new ProblemList(), found, strict);
      warnings = found;
    },
    onBytes: (done) => onBytes?.(done, size),
  });
  return {
    json: { ...(snakeCased(report) as object), warnings: problemReport(warnings), seconds: seconds() },
    problems: warningLines(warnings),
    lines: [`${reportText(report)}\nWritten to ${out}`],
  };
}
