/** Every command that publishes goes this way from its options to its report. */
import type {
  PublicationOutcome,
  PublicationReport,
  PublicationRequest,
} from "../../publishing/publish/publication.ts";
import type { CommandEnd } from "../command-end.ts";
import { warningLines } from "../problem-report.ts";
import type { Report } from "../render-report-lines.ts";
import { makePublishedDownloads } from "./downloads-command.ts";
import { type PublicationValues, valuesLines, valuesReport } from "./publication-fields.ts";
import { changedDirectory, compilationWarnings, type PublicationOptions } from "./snapshot-command.ts";

/** Verbs for what a publication has done with a snapshot, by outcome; without one it has left it as it was. */
const outcomeVerbs: Readonly<Partial<Record<PublicationOutcome, string>>> = {
  published: "published",
  drafted: "drafted",
  "would-publish": "would publish",
};

/** The messages of a command that publishes. */
export interface PublicationMessages<T> {
  /** Its own words for outcomes in the JSON; other outcomes are called as they are. */
  readonly outcomes?: Readonly<Partial<Record<PublicationOutcome, string>>>;
  /** Follows the outcome in the first line. */
  readonly summary: (report: T) => string;
  /** True if `summary` has the rows of the tables. */
  readonly isOfRows: boolean;
  /** The first line where the current snapshot stays; one with the outcome and `summary` when absent. */
  readonly unchanged?: (report: T) => string;
  /** Words before the number of prices that needed nothing. */
  readonly known?: (count: number) => string;
  /** The fields that it reports, after the rows of the tables. */
  readonly values: (report: T) => PublicationValues;
  /** Lines for stderr after the warnings. */
  readonly problemsAfter?: (report: T) => readonly string[];
  readonly refusal?: (report: T) => string | undefined;
}

/**
 * Publishes and reports it; the downloads of a new snapshot are made afterwards, unless the options say otherwise.
 *
 * @param publish Publishes what the options say; the command adds its own fields to the request.
 */
export async function runPublishing<T extends PublicationReport>(
  options: PublicationOptions,
  publish: (request: PublicationRequest) => Promise<T>,
  messages: PublicationMessages<T>,
): Promise<Report> {
  const { note, by, strict, allowClock, dryRun = false, draft: isDraft = false, onBytes } = options;
  const request = { ...changedDirectory(options, by), note, strict, allowClock, dryRun, isDraft, onBytes };
  const report = await publish(request);
  const { outcome, id, parent, rows, warnings, lapsed, changes, compilation, carriedTexts } = report;
  const values: PublicationValues = {
    outcome: messages.outcomes?.[outcome] ?? outcome,
    id,
    parent,
    compiled: compilation?.written ?? false,
    rows,
    ...messages.values(report),
    lapsed,
    warnings,
    changes,
    seconds: options.seconds(),
  };
  const isServed = compilation !== undefined && outcome !== "drafted";
  return {
    json: valuesReport(values),
    problems: [
      ...warningLines(warnings),
      ...(messages.problemsAfter?.(report) ?? []),
      ...compilationWarnings(compilation),
      ...(carriedTexts === undefined ? [] : [`warning: ${carriedTexts}; carried over, and pages show long texts cut`]),
    ],
    lines: linesOf(report, values, messages),
    refusal: messages.refusal?.(report),
    end: endOf(report),
    afterwards: isServed && options.downloads !== false ? () => makePublishedDownloads(options, id) : undefined,
  };
}

/** What was to be published is served where it is already current, too. */
function endOf({ outcome, id, unfinished: left }: PublicationReport): CommandEnd {
  const isPublished = outcome === "published" || outcome === "already-current";
  return { done: isPublished ? `published ${id}` : `${outcomeVerbs[outcome] ?? outcome} ${id}`, isPublished, left };
}

/** The lines for people: the outcome, then those of the values, and at last the way on from a draft. */
function linesOf<T extends PublicationReport>(
  report: T,
  values: PublicationValues,
  { summary, isOfRows, unchanged, known = () => "" }: PublicationMessages<T>,
): string[] {
  const { outcome, id } = report;
  if (outcome === "conflicts") return [];
  const verb = outcomeVerbs[outcome];
  const done = verb === undefined ? `${id} is current already, nothing published` : `${verb} ${id}`;
  const first =
    outcome === "already-current" && unchanged !== undefined
      ? unchanged(report)
      : `${done} in ${values.seconds} s: ${summary(report)}`;
  const looks = `preview ${id} or report --draft ${id}`;
  const next = `nothing serves it: look at it with ${looks}, then approve ${id} or reject ${id}`;
  return [
    first,
    ...valuesLines(values, { outcome, isOfRows, knownWords: known }),
    ...(outcome === "drafted" ? [next] : []),
  ];
}
