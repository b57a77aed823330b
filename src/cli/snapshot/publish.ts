import { type Command, Option } from "commander";
import { counted } from "../../engine/model/counted.ts";
import { ProblemList } from "../../engine/snapshots/problem.ts";
import { rejectedFileName } from "../../engine/snapshots/snapshot-layout.ts";
import type { FeedPreference } from "../../publishing/publish/merge-feed.ts";
import type { PublicationRequest } from "../../publishing/publish/publication.ts";
import { type PublishReport, publishSnapshot } from "../../publishing/publish/publish-snapshot.ts";
import { replaceSource } from "../../publishing/publish/replace-source.ts";
import { WrongUseError } from "../command.ts";
import { problemLines, rowsText } from "../problem-report.ts";
import type { Report } from "../render-report-lines.ts";
import { feedDetails, sourceLines } from "./feed-report.ts";
import { type PublicationDetails, runPublishing, withheldLines } from "./run-publishing.ts";
import { addPublicationCommand, onDirectory, type PublicationOptions, requireDirectory } from "./snapshot-command.ts";

interface PublishOptions extends PublicationOptions {
  readonly replaceSource?: string;
  readonly prefer?: FeedPreference;
  readonly allowShrink?: boolean;
  readonly allowLoss?: boolean;
  readonly quarantine?: boolean;
}

const sides: readonly FeedPreference[] = ["own", "feed"];

/** Adds `publish DIR`: makes a directory of record files the current snapshot. */
export function addCommands(program: Command): void {
  addPublicationCommand(program, "publish", "Check a directory of record files and make it the current snapshot.", [
    "new-records --dry-run",
    'new-records --note "WFP export of July"',
    "new-records --quarantine --dry-run",
    "new-feed --replace-source WFP --dry-run",
    "new-feed --replace-source WFP --prefer own",
  ])
    .argument("<dir>", "directory with the record files")
    .option(
      "--replace-source <source>",
      "exchange only the prices of this source, and carry all others over",
      checkedSource,
    )
    .addOption(new Option("--prefer <side>", "what stays where appended prices and the feed conflict").choices(sides))
    .option("--allow-shrink", "publish although a table lost more than 5 % of its rows, or that cannot be determined")
    .option("--allow-loss", "publish although a source loses all its prices, or what was appended is lost")
    .option("--quarantine", "reject only bad price rows, at most 0.1 % of them, instead of all")
    .action(onDirectory(publish, true));
}

async function publish(candidateDirectory: string, options: PublishOptions): Promise<Report> {
  await requireDirectory(candidateDirectory);
  const { replaceSource: source, prefer, allowShrink = false, allowLoss = false, quarantine = false } = options;
  if (source === undefined) {
    if (prefer !== undefined) throw new WrongUseError("--prefer is given without --replace-source, expected both");
    const own = { candidateDirectory, allowShrink, allowLoss, quarantine };
    const publish = (request: PublicationRequest) => publishSnapshot({ ...request, ...own });
    return await runPublishing(options, publish, detailsOf);
  }
  for (const [flag, isGiven] of Object.entries({ "--quarantine": quarantine, "--allow-loss": allowLoss })) {
    if (isGiven) throw new WrongUseError(`${flag} is given with --replace-source, expected one of them`);
  }
  const feed = { candidateDirectory, allowShrink, source, prefer };
  const replace = (request: PublicationRequest) => replaceSource({ ...request, ...feed });
  return await runPublishing(options, replace, (report) => feedDetails(report, feed));
}

function detailsOf(report: PublishReport): PublicationDetails {
  const { outcome, rows, rejected, withheld, changes, compilation } = report;
  const verb = outcome === "would-publish" ? "would be rejected" : "rejected";
  const where = compilation !== undefined ? `, see ${rejectedFileName}` : "";
  return {
    json: { rejected: rejected.length, withheld, sources: changes?.sources ?? [] },
    problemsBefore: rejectedLines(report).map((line) => `${verb}: ${line}`),
    summary: rowsText(rows),
    lines: [
      ...(rejected.length > 0 ? [`${counted(rejected.length, "price row")} ${verb}${where}`] : []),
      ...withheldLines(withheld),
      ...sourceLines(changes),
    ],
  };
}

function checkedSource(text: string): string {
  if (text.trim() === text && text !== "") return text;
  throw new WrongUseError("--replace-source is empty or has spaces around it, expected the name of a source");
}

/** The first rejected rows, one a line for each of their problems. */
function rejectedLines({ rejected }: PublishReport): string[] {
  const list = new ProblemList();
  for (const { file, line, problems } of rejected) for (const problem of problems) list.add({ file, line, ...problem });
  return problemLines(list);
}
