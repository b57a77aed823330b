import type { Command } from "commander";
import { tableRows } from "../../dataset/manifest.ts";
import type { Instant } from "../../domain/instant.ts";
import { checkCandidate } from "../../publish/check-candidate.ts";
import { problemReport, rowsText, warningLines } from "../problem-report.ts";
import { runReported } from "../report.ts";
import { addCommand, type DirectoryOptions, requireDirectory } from "./snapshot-command.ts";

/** Adds `validate DIR`: checks a directory of record files by itself. */
export function addValidateCommand(program: Command): void {
  addCommand(program, "validate", "Check a directory of record files completely, without publishing it.", [
    "new-records",
    "new-records --json",
  ])
    .argument("<dir>", "directory with the record files")
    .action(validate);
}

async function validate(directory: string, { json }: Pick<DirectoryOptions, "json">): Promise<void> {
  await requireDirectory(directory);
  await runReported(
    json,
    (onBytes) => checkCandidate(directory, Date.now() as Instant, { onBytes }),
    ({ candidate, warnings }, seconds) => {
      const rows = tableRows(candidate.files);
      return {
        json: { rows, warnings: problemReport(warnings), seconds },
        problems: warningLines(warnings),
        lines: [`${directory}: in order: ${rowsText(rows)}; checked in ${seconds} s`],
      };
    },
  );
}
