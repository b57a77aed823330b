import { stat } from "node:fs/promises";
import type { Command } from "commander";
import type { SnapshotId } from "../../dataset/snapshot-layout.ts";
import type { Instant } from "../../domain/instant.ts";
import { type AppendReport, appendPrices } from "../../publish/append-prices.ts";
import { WrongUseError } from "../command.ts";
import { rowsText, warningLines } from "../problem-report.ts";
import { type Report, runReported } from "../report.ts";
import { changesLines } from "./changes-report.ts";
import { makePublishedDownloads } from "./downloads.ts";
import {
  addPublicationCommand,
  compilationWarnings,
  type PublicationOptions,
  publicationJson,
} from "./snapshot-command.ts";

const description = "Publish new and corrected prices on top of the current snapshot; a known uuid replaces its price.";

/** Adds `append FILE…`: publishes new and corrected prices on top of the current snapshot. */
export function addAppendCommand(program: Command): void {
  addPublicationCommand(program, "append", description, [
    "2026-11-21.ndjson --dry-run",
    '2026-11-21.ndjson --note "Market day of 21 November"',
  ])
    .argument("<file...>", "files of prices, .ndjson or .ndjson.gz; their names must be new to the snapshot")
    .action(append);
}

async function append(files: readonly string[], options: PublicationOptions): Promise<void> {
  for (const file of files) {
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFile() !== true) throw new WrongUseError(`${file}: no such file`);
  }
  const { dataDir, json, note, strict, dryRun = false, downloads = true } = options;
  const request = { dataDirectory: dataDir, files, now: Date.now() as Instant, note, strict, dryRun };
  let published: SnapshotId | undefined;
  await runReported(
    json,
    async (onBytes) => {
      const report = await appendPrices({ ...request, onBytes });
      if (report.outcome === "appended") published = report.id;
      return report;
    },
    reportOf,
  );
  if (published !== undefined && downloads) await makePublishedDownloads(dataDir, published);
}

function reportOf(report: AppendReport, seconds: number): Report {
  const { outcome, id, rows, files, warnings, changes, compilation } = report;
  const replaced = files.reduce((sum, file) => sum + file.replaces, 0);
  const added = files.reduce((sum, file) => sum + file.rows, 0) - replaced;
  const [verb, has] = outcome === "appended" ? ["published", "it has"] : ["would publish", "it would have"];
  return {
    json: { ...publicationJson(report, { added, replaced }, seconds), stage_seconds: report.seconds },
    problems: [...warningLines(warnings), ...compilationWarnings(compilation)],
    lines: [
      `${verb} ${id} in ${seconds} s: ${added} prices added, ${replaced} replaced`,
      `${has} ${rowsText(rows)}`,
      ...changesLines(changes),
    ],
  };
}
