import type { Command } from "commander";
import type { Instant } from "../../engine/model/calendar.ts";
import { tableRows } from "../../engine/snapshots/manifest.ts";
import { ProblemList } from "../../engine/snapshots/problem.ts";
import { checkCandidate } from "../../publishing/publish/check-candidate.ts";
import { refusePlan } from "../../publishing/publish/warnings/find-warnings.ts";
import { problemReport, rowsText, warningLines } from "../problem-report.ts";
import { type Report, type ReportOptions, reported } from "../render-report-lines.ts";
import { addCommand, addStrictOption, type PublicationOptions, requireWholeFolder } from "./snapshot-command.ts";

type ValidateOptions = ReportOptions & Pick<PublicationOptions, "strict">;

/** Adds `validate DIR`: checks a directory of record files by itself. */
export function addCommands(program: Command): void {
  const description = "Check a directory of record files completely, without publishing it.";
  addStrictOption(
    addCommand(program, "validate", description, [
      "new-records",
      "new-records --json",
      "new-records --strict suspicious,new-currency",
    ]),
  )
    .argument("<dir>", "directory with the record files")
    .action(reported(validate));
}

async function validate(directory: string, { strict, onBytes, seconds }: ValidateOptions): Promise<Report> {
  await requireWholeFolder(directory);
  const { candidate, warnings } = await checkCandidate(directory, Date.now() as Instant, { onBytes });
  refusePlan(directory, new ProblemList(), warnings, strict);
  const rows = tableRows(candidate.files);
  return {
    json: { rows, warnings: problemReport(warnings), seconds: seconds() },
    problems: warningLines(warnings),
    lines: [`${directory}: in order: ${rowsText(rows)}; checked in ${seconds()} s`],
  };
}
