import type { Command } from "commander";
import { tableRows } from "../../dataset/manifest.ts";
import type { Instant } from "../../domain/instant.ts";
import { checkCandidate } from "../../publish/check-candidate.ts";
import { withGivenOrigins } from "../../publish/find-origins.ts";
import { refuseStrict } from "../../publish/warnings/find-warnings.ts";
import { problemReport, rowsText, warningLines } from "../problem-report.ts";
import { runReported } from "../report.ts";
import { addCommand, addStrictOption, type PublicationOptions, requireDirectory } from "./snapshot-command.ts";

/** Adds `validate DIR`: checks a directory of record files by itself. */
export function addValidateCommand(program: Command): void {
  const description = "Check a directory of record files completely, without publishing it.";
  addStrictOption(
    addCommand(program, "validate", description, [
      "new-records",
      "new-records --json",
      "new-records --strict decimal-slip,unit-slip,new-currency",
    ]),
  )
    .argument("<dir>", "directory with the record files")
    .action(validate);
}

async function validate(
  directory: string,
  { json, strict }: Pick<PublicationOptions, "json" | "strict">,
): Promise<void> {
  await requireDirectory(directory);
  await runReported(
    json,
    async (onBytes) =>
      await withGivenOrigins([directory], async () => {
        const checked = await checkCandidate(directory, Date.now() as Instant, { onBytes });
        refuseStrict(checked.warnings, strict, directory);
        return checked;
      }),
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
