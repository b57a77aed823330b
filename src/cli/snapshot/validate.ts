import type { Command } from "commander";
import { tableRows } from "../../dataset/manifest.ts";
import type { Instant } from "../../domain/instant.ts";
import { checkCandidate } from "../../publish/check-candidate.ts";
import { examplesText } from "../command.ts";
import { printReport } from "../output.ts";
import { problemReport } from "../problem-report.ts";
import { reportRefusal, requireDirectory, rowsText, writeJson, writeWarnings } from "./candidate-report.ts";
import { secondsSince } from "./figure-text.ts";
import { withReadingProgress } from "./reading-progress.ts";
import { jsonOption } from "./snapshot-options.ts";

interface ValidateOptions {
  readonly json?: true;
}

/** Adds `validate DIR`: is a directory of record files in order, by itself? */
export function addValidateCommand(program: Command): void {
  program
    .command("validate")
    .description("Check a directory of record files completely, without publishing it.")
    .argument("<dir>", "directory with the record files")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examplesText([
        "npm run snapshot -- validate new-records",
        "npm run --silent snapshot -- validate new-records --json",
      ]),
    )
    .action(validate);
}

async function validate(directory: string, options: ValidateOptions): Promise<void> {
  await requireDirectory(directory);
  const started = performance.now();
  const json = options.json ?? false;
  const { candidate, warnings } = await reportRefusal(json, () =>
    withReadingProgress(!json, (onBytes) => checkCandidate(directory, Date.now() as Instant, { onBytes })),
  );
  const rows = tableRows(candidate.files);
  const seconds = secondsSince(started);
  if (json) {
    writeJson({ ok: true, rows, warnings: problemReport(warnings), seconds });
    return;
  }
  writeWarnings(warnings);
  printReport(`${directory}: in order: ${rowsText(rows)}; checked in ${seconds} s\n`);
}
