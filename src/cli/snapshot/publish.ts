import type { Command } from "commander";
import { ProblemList } from "../../dataset/problem.ts";
import { rejectedFileName } from "../../dataset/snapshot-layout.ts";
import type { Instant } from "../../domain/instant.ts";
import { type PublishReport, publishSnapshot } from "../../publish/publish-snapshot.ts";
import type { RejectedRow } from "../../publish/rejected-rows.ts";
import { examplesText } from "../command.ts";
import { printProblem, printReport } from "../output.ts";
import { problemLines, problemReport } from "../problem-report.ts";
import {
  reportRefusal,
  requireDirectory,
  rowsText,
  writeCompilation,
  writeJson,
  writeWarnings,
} from "./candidate-report.ts";
import { changesLines, changesReport } from "./changes-report.ts";
import { secondsSince } from "./figure-text.ts";
import { withReadingProgress } from "./reading-progress.ts";
import { checkedNote, type DirectoryOptions, dataDirectoryOption, jsonOption, noteOption } from "./snapshot-options.ts";

interface PublishOptions extends DirectoryOptions {
  readonly note?: string;
  readonly allowShrink?: true;
  readonly quarantine?: true;
  readonly dryRun?: true;
}

/** Adds `publish DIR`: make a directory of record files the current snapshot. */
export function addPublishCommand(program: Command): void {
  program
    .command("publish")
    .description("Check a directory of record files and make it the current snapshot.")
    .argument("<dir>", "directory with the record files")
    .addOption(dataDirectoryOption())
    .addOption(noteOption())
    .option("--allow-shrink", "publish although a table lost more than 5 % of its rows, or nobody can tell")
    .option("--quarantine", "set bad price rows aside, at most 0.1 % of them, instead of refusing all")
    .option("--dry-run", "check, show what readers would see change, write nothing")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examplesText([
        "npm run snapshot -- publish new-records --dry-run",
        'npm run snapshot -- publish new-records --note "WFP export of July"',
        "npm run snapshot -- publish new-records --quarantine --dry-run",
      ]),
    )
    .action(publish);
}

async function publish(directory: string, options: PublishOptions): Promise<void> {
  await requireDirectory(directory);
  const note = checkedNote(options.note);
  const started = performance.now();
  const json = options.json ?? false;
  const report = await reportRefusal(json, () =>
    withReadingProgress(!json, (onBytes) =>
      publishSnapshot({
        dataDirectory: options.dataDir,
        candidateDirectory: directory,
        now: Date.now() as Instant,
        note,
        allowShrink: options.allowShrink ?? false,
        quarantine: options.quarantine ?? false,
        dryRun: options.dryRun ?? false,
        onBytes,
      }),
    ),
  );
  const { outcome, id, parent, rows, rejected, warnings, changes } = report;
  const seconds = secondsSince(started);
  if (json) {
    const changed = changes === undefined ? {} : { changes: changesReport(changes) };
    const compiled = report.compilation?.written ?? false;
    writeJson({
      ok: true,
      outcome,
      id,
      parent,
      compiled,
      rows,
      rejected: rejected.length,
      warnings: problemReport(warnings),
      ...changed,
      seconds,
    });
    return;
  }
  const setAside = outcome === "would-publish" ? "would be set aside" : "set aside";
  for (const line of rejectedLines(rejected)) printProblem(`${setAside}: ${line}\n`);
  writeWarnings(warnings);
  writeCompilation(report.compilation);
  printReport(`${outcomeText(report)} in ${seconds} s: ${rowsText(rows)}\n`);
  if (rejected.length > 0) {
    const where = outcome === "published" ? `, see ${rejectedFileName}` : "";
    printReport(`${rejected.length} price rows ${setAside}${where}\n`);
  }
  if (changes !== undefined) printReport(`${changesLines(changes).join("\n")}\n`);
}

/** The first rows that were set aside, one a line for each of their problems. */
function rejectedLines(rejected: readonly RejectedRow[]): string[] {
  const list = new ProblemList();
  for (const { file, line, problems } of rejected) for (const problem of problems) list.add({ file, line, ...problem });
  return [...problemLines(list)];
}

function outcomeText({ outcome, id }: PublishReport): string {
  switch (outcome) {
    case "published":
      return `published ${id}`;
    case "already-current":
      return `${id} is current already, nothing published`;
    case "would-publish":
      return `would publish ${id}`;
  }
}
