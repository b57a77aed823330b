import type { Command } from "commander";
import type { Instant } from "../../domain/instant.ts";
import { type PublishReport, publishSnapshot } from "../../publish/publish-snapshot.ts";
import { WrongUseError } from "../command.ts";
import { problemReport } from "../problem-report.ts";
import { reportRefusal, requireDirectory, rowsText, writeJson, writeWarnings } from "./candidate-report.ts";

interface PublishOptions {
  readonly dataDir: string;
  readonly note?: string;
  readonly allowShrink?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

const dataDirectoryDefault = "data";

/** Adds `publish DIR`: make a directory of record files the current snapshot. */
export function addPublishCommand(program: Command): void {
  program
    .command("publish")
    .description("Check a directory of record files and make it the current snapshot.")
    .argument("<dir>", "directory with the record files")
    .option("--data-dir <dir>", "dataset directory", process.env["DATA_DIR"] || dataDirectoryDefault)
    .option("--note <text>", "what this snapshot is, in a line")
    .option("--allow-shrink", "publish although a table lost more than 5 % of its rows")
    .option("--dry-run", "check and compare, write nothing")
    .option("--json", "print the report as one JSON object")
    .action(publish);
}

async function publish(directory: string, options: PublishOptions): Promise<void> {
  await requireDirectory(directory);
  const note = options.note?.trim();
  if (note === "" || note?.isWellFormed() === false) throw new WrongUseError("--note is empty, expected a text");
  const json = options.json ?? false;
  const report = await reportRefusal(json, () =>
    publishSnapshot({
      dataDirectory: options.dataDir,
      candidateDirectory: directory,
      now: Date.now() as Instant,
      note,
      allowShrink: options.allowShrink ?? false,
      dryRun: options.dryRun ?? false,
    }),
  );
  const { outcome, id, parent, rows, warnings } = report;
  if (json) {
    writeJson({ ok: true, outcome, id, parent, rows, warnings: problemReport(warnings) });
    return;
  }
  writeWarnings(warnings);
  process.stdout.write(`${outcomeText(report)}: ${rowsText(rows)}\n`);
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
