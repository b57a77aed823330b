import type { Command } from "commander";
import { ProblemList } from "../../dataset/problem.ts";
import { rejectedFileName, type SnapshotId } from "../../dataset/snapshot-layout.ts";
import type { Instant } from "../../domain/instant.ts";
import { type PublishReport, publishSnapshot } from "../../publish/publish-snapshot.ts";
import { problemLines, rowsText, warningLines } from "../problem-report.ts";
import { type Report, runReported } from "../report.ts";
import { changesLines } from "./changes-report.ts";
import { makePublishedDownloads } from "./downloads.ts";
import {
  addPublicationCommand,
  compilationWarnings,
  type PublicationOptions,
  publicationJson,
  requireDirectory,
} from "./snapshot-command.ts";

interface PublishOptions extends PublicationOptions {
  readonly allowShrink?: boolean;
  readonly quarantine?: boolean;
}

/** Adds `publish DIR`: makes a directory of record files the current snapshot. */
export function addPublishCommand(program: Command): void {
  addPublicationCommand(program, "publish", "Check a directory of record files and make it the current snapshot.", [
    "new-records --dry-run",
    'new-records --note "WFP export of July"',
    "new-records --quarantine --dry-run",
  ])
    .argument("<dir>", "directory with the record files")
    .option("--allow-shrink", "publish although a table lost more than 5 % of its rows, or that cannot be determined")
    .option("--quarantine", "reject only bad price rows, at most 0.1 % of them, instead of all")
    .action(publish);
}

async function publish(candidateDirectory: string, options: PublishOptions): Promise<void> {
  await requireDirectory(candidateDirectory);
  const { dataDir, json, note, strict, downloads = true } = options;
  const { allowShrink = false, quarantine = false, dryRun = false } = options;
  const now = Date.now() as Instant;
  const request = { dataDirectory: dataDir, candidateDirectory, now, note, allowShrink, quarantine, strict, dryRun };
  let published: SnapshotId | undefined;
  await runReported(
    json,
    async (onBytes) => {
      const report = await publishSnapshot({ ...request, onBytes });
      if (report.outcome === "published") published = report.id;
      return report;
    },
    reportOf,
  );
  if (published !== undefined && downloads) await makePublishedDownloads(dataDir, published);
}

function reportOf(report: PublishReport, seconds: number): Report {
  const { outcome, rows, rejected, warnings, changes, compilation } = report;
  const verb = outcome === "would-publish" ? "would be rejected" : "rejected";
  const where = outcome === "published" ? `, see ${rejectedFileName}` : "";
  return {
    json: publicationJson(report, { rejected: rejected.length }, seconds),
    problems: [
      ...rejectedLines(report).map((line) => `${verb}: ${line}`),
      ...warningLines(warnings),
      ...compilationWarnings(compilation),
    ],
    lines: [
      `${outcomeText(report)} in ${seconds} s: ${rowsText(rows)}`,
      ...(rejected.length > 0 ? [`${rejected.length} price rows ${verb}${where}`] : []),
      ...changesLines(changes),
    ],
  };
}

/** The first rejected rows, one a line for each of their problems. */
function rejectedLines({ rejected }: PublishReport): string[] {
  const list = new ProblemList();
  for (const { file, line, problems } of rejected) for (const problem of problems) list.add({ file, line, ...problem });
  return problemLines(list);
}

function outcomeText({ outcome, id }: PublishReport): string {
  if (outcome === "already-current") return `${id} is current already, nothing published`;
  return `${outcome === "published" ? "published" : "would publish"} ${id}`;
}
