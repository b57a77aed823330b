import { stat } from "node:fs/promises";
import type { Command } from "commander";
import type { Instant } from "../../domain/instant.ts";
import { type AppendReport, appendPrices } from "../../publish/append-prices.ts";
import { examplesText, WrongUseError } from "../command.ts";
import { printReport } from "../output.ts";
import { problemReport } from "../problem-report.ts";
import { reportRefusal, rowsText, writeCompilation, writeJson, writeWarnings } from "./candidate-report.ts";
import { changesLines, changesReport } from "./changes-report.ts";
import { secondsSince } from "./figure-text.ts";
import { withReadingProgress } from "./reading-progress.ts";
import { checkedNote, type DirectoryOptions, dataDirectoryOption, jsonOption, noteOption } from "./snapshot-options.ts";

interface AppendOptions extends DirectoryOptions {
  readonly note?: string;
  readonly dryRun?: true;
}

/** Adds `append FILE…`: new and corrected prices on top of the current snapshot. */
export function addAppendCommand(program: Command): void {
  program
    .command("append")
    .description("Publish new and corrected prices on top of the current snapshot; a known uuid replaces its price.")
    .argument("<file...>", "files of prices, .ndjson or .ndjson.gz; their names must be new to the snapshot")
    .addOption(dataDirectoryOption())
    .addOption(noteOption())
    .option("--dry-run", "check, show what readers would see change, write nothing")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examplesText([
        "npm run snapshot -- append 2026-11-21.ndjson --dry-run",
        'npm run snapshot -- append 2026-11-21.ndjson --note "Market day of 21 November"',
      ]),
    )
    .action(append);
}

async function append(files: readonly string[], options: AppendOptions): Promise<void> {
  const started = performance.now();
  for (const file of files) {
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFile() !== true) throw new WrongUseError(`${file}: no such file`);
  }
  const json = options.json ?? false;
  const report = await reportRefusal(json, () =>
    withReadingProgress(!json, (onBytes) =>
      appendPrices({
        dataDirectory: options.dataDir,
        files,
        now: Date.now() as Instant,
        note: checkedNote(options.note),
        dryRun: options.dryRun ?? false,
        onBytes,
      }),
    ),
  );
  const { outcome, id, parent, rows, warnings, changes } = report;
  const { added, replaced } = countsOf(report);
  const seconds = secondsSince(started);
  if (json) {
    const changed = changes === undefined ? {} : { changes: changesReport(changes) };
    const counts = { rows, added, replaced };
    const compiled = report.compilation?.written ?? false;
    writeJson({
      ok: true,
      outcome,
      id,
      parent,
      compiled,
      ...counts,
      warnings: problemReport(warnings),
      ...changed,
      seconds,
      stage_seconds: report.seconds,
    });
    return;
  }
  writeWarnings(warnings);
  writeCompilation(report.compilation);
  const verb = outcome === "appended" ? "published" : "would publish";
  printReport(`${verb} ${id} in ${seconds} s: ${added} prices added, ${replaced} replaced\n`);
  printReport(`${verb === "published" ? "it has" : "it would have"} ${rowsText(rows)}\n`);
  if (changes !== undefined) printReport(`${changesLines(changes).join("\n")}\n`);
}

function countsOf({ files }: AppendReport): { readonly added: number; readonly replaced: number } {
  const replaced = files.reduce((sum, file) => sum + file.replaces, 0);
  return { added: files.reduce((sum, file) => sum + file.rows, 0) - replaced, replaced };
}
