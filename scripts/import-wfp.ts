import { stat } from "node:fs/promises";
import { createProgram, RefusedError, runProgram } from "../src/cli/command.ts";
import { printReport } from "../src/cli/output.ts";
import { startProgress } from "../src/cli/progress.ts";
import { FolderTakenError } from "../src/engine/files/whole-folder.ts";
import type { Instant } from "../src/engine/model/calendar.ts";
import { DatasetError } from "../src/engine/snapshots/problem.ts";
import { ImportRefusedError } from "../src/publishing/importers/import-refused.ts";
import { importWfp } from "../src/publishing/importers/wfp/import-wfp.ts";
import { type ImportReport, reportJson, reportText } from "../src/publishing/importers/wfp/wfp-report.ts";

interface Options {
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

const program = createProgram(
  "npm run import:wfp --",
  "Turns a CSV export of WFP food prices for Kenya into the record files of a snapshot and reports what it kept, " +
    "converted and left out.",
  [
    "npm run import:wfp -- wfp_food_prices_ken.csv --out import",
    "npm run import:wfp -- wfp_food_prices_ken.csv --out import --force --json",
  ],
)
  .argument("<prices.csv>", 'the export "Kenya - Food Prices" of the Humanitarian Data Exchange')
  .requiredOption("--out <dir>", "folder to make; new or empty")
  .option("--force", "replace an earlier import in that folder")
  .option("--json", "report as one JSON object")
  .action(async (csvPath: string, { out, force = false, json = false }: Options) => {
    const report = await importWithProgress(csvPath, out, force);
    printReport(json ? reportJson(report) : `${reportText(report)}\nWritten to ${out}\n`);
  });

await runProgram(program);

async function importWithProgress(csvPath: string, out: string, force: boolean): Promise<ImportReport> {
  // The import reports a file that cannot be read.
  const bytes = await stat(csvPath).then(
    ({ size }) => size,
    () => 0,
  );
  const progress = startProgress("reading", bytes);
  try {
    return await importWfp({
      csvPath,
      outputPath: out,
      replacesImport: force,
      now: Date.now() as Instant,
      onBytes: (done) => progress.update(done),
    });
  } catch (error) {
    const isRefusal = [ImportRefusedError, FolderTakenError, DatasetError].some((kind) => error instanceof kind);
    throw isRefusal ? new RefusedError((error as Error).message, { cause: error }) : error;
  } finally {
    progress.stop();
  }
}
