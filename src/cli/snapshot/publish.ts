import { type Command, Option } from "commander";
import type { FeedPreference } from "../../publishing/publish/merge-feed.ts";
import type { PublicationRequest } from "../../publishing/publish/publication.ts";
import { type PublishReport, publishSnapshot } from "../../publishing/publish/publish-snapshot.ts";
import { type ReplaceReport, type ReplaceRequest, replaceSource } from "../../publishing/publish/replace-source.ts";
import { WrongUseError } from "../command.ts";
import { rowsText } from "../problem-report.ts";
import type { Report } from "../render-report-lines.ts";
import { conflictLines } from "./feed-report.ts";
import { onAnnouncedDirectory } from "./push-after.ts";
import { type PublicationMessages, runPublishing } from "./run-publishing.ts";
import {
  addPublicationCommand,
  type PublicationOptions,
  requireDirectory,
  requireWholeFolder,
} from "./snapshot-command.ts";

interface PublishOptions extends PublicationOptions {
  readonly replaceSource?: string;
  readonly prefer?: FeedPreference;
  readonly allowShrink?: boolean;
  readonly allowLoss?: boolean;
}

const sides: readonly FeedPreference[] = ["own", "feed"];

/** Adds `publish DIR`: makes a directory of record files the current snapshot. */
export function addCommands(program: Command): void {
  addPublicationCommand(program, "publish", "Check a directory of record files and make it the current snapshot.", [
    "new-records --dry-run",
    'new-records --note "WFP export of July"',
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
    .action(onAnnouncedDirectory(publish, true));
}

async function publish(candidateDirectory: string, options: PublishOptions): Promise<Report> {
  await requireDirectory(candidateDirectory);
  const { replaceSource: source, prefer, allowShrink = false, allowLoss = false } = options;
  if (source === undefined) {
    if (prefer !== undefined) throw new WrongUseError("--prefer is given without --replace-source, expected both");
    await requireWholeFolder(candidateDirectory);
    const own = { candidateDirectory, allowShrink, allowLoss };
    const publish = (request: PublicationRequest) => publishSnapshot({ ...request, ...own });
    return await runPublishing(options, publish, messages);
  }
  if (allowLoss) throw new WrongUseError("--allow-loss is given with --replace-source, expected one of them");
  const feed = { candidateDirectory, allowShrink, source, prefer };
  const replace = (request: PublicationRequest) => replaceSource({ ...request, ...feed });
  return await runPublishing(options, replace, feedMessages(feed));
}

/** Messages of the publication of a whole folder. */
const messages: PublicationMessages<PublishReport> = {
  summary: ({ rows }) => rowsText(rows),
  isOfRows: true,
  values: ({ withheld, changes }) => ({ withheld, sources: changes?.sources ?? [] }),
};

/** Messages of the publication of a feed. */
function feedMessages({
  source,
  prefer,
}: Pick<ReplaceRequest, "source" | "prefer">): PublicationMessages<ReplaceReport> {
  return {
    summary: ({ rows }) => rowsText(rows),
    isOfRows: true,
    values({ counts, conflicts, tableChanges, keptRecords, changes }) {
      const tables = { table_changes: tableChanges, kept_records: keptRecords };
      return { source, prefer: prefer ?? null, feed: counts, conflicts, ...tables, sources: changes?.sources ?? [] };
    },
    problemsAfter: ({ conflicts, counts }) => conflictLines(conflicts, counts.conflicts, prefer),
    refusal({ outcome, counts }) {
      if (outcome !== "conflicts") return undefined;
      const remedy = "--prefer own keeps what was appended, --prefer feed takes what the feed says";
      return `conflicts: ${counts.conflicts}, nothing published; ${remedy}`;
    },
  };
}

function checkedSource(text: string): string {
  if (text.trim() === text && text !== "") return text;
  throw new WrongUseError("--replace-source is empty or has spaces around it, expected the name of a source");
}
