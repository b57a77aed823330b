/** Every command that publishes goes this way from its options to its report. */
import { counted } from "../../engine/model/counted.ts";
import type {
  PublicationOutcome,
  PublicationReport,
  PublicationRequest,
} from "../../publishing/publish/publication.ts";
import { problemReport, warningLines } from "../problem-report.ts";
import type { Report } from "../render-report-lines.ts";
import { changesLines, changesReport, shownMaxShort } from "./changes-report.ts";
import { makePublishedDownloads } from "./downloads-command.ts";
import { changedDirectory, compilationWarnings, type PublicationOptions } from "./snapshot-command.ts";

/** Verbs for what a publication has done with a snapshot, by outcome; without one it has left it as it was. */
const outcomeVerbs: Readonly<Partial<Record<PublicationOutcome, string>>> = {
  published: "published",
  drafted: "drafted",
  "would-publish": "would publish",
};

/** A command adds this to the report on a publication. */
export interface PublicationDetails {
  /** Fields of the JSON, after the rows of the tables; its own word for the outcome as well. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Fields that end the JSON. */
  readonly jsonEnd?: Readonly<Record<string, unknown>>;
  /** Text that follows the outcome in the first line; undefined where `lines` say all. */
  readonly summary: string | undefined;
  readonly lines: readonly string[];
  /** Lines for stderr before and after the warnings. */
  readonly problemsBefore?: readonly string[];
  readonly problemsAfter?: readonly string[];
  readonly refusal?: string | undefined;
}

/**
 * Publishes and reports it; the downloads of a new snapshot are made afterwards, unless the options say otherwise.
 *
 * @param publish Publishes what the options say; the command adds its own fields to the request.
 */
export async function runPublishing<T extends PublicationReport>(
  options: PublicationOptions,
  publish: (request: PublicationRequest) => Promise<T>,
  detailsOf: (report: T) => PublicationDetails,
): Promise<Report> {
  const {
    dataDir,
    note,
    by,
    strict,
    allowClock,
    dryRun = false,
    draft: isDraft = false,
    downloads = true,
    onBytes,
  } = options;
  const request = { ...changedDirectory(options, by), note, strict, allowClock, dryRun, isDraft, onBytes };
  const published = await publish(request);
  const { outcome, id, parent, rows, warnings, changes, compilation } = published;
  const seconds = options.seconds();
  const { json, jsonEnd, summary, lines, problemsBefore = [], problemsAfter = [], refusal } = detailsOf(published);
  const compiled = compilation?.written ?? false;
  const common = { warnings: problemReport(warnings), changes: changesReport(changes), seconds };
  const next = `nothing serves it: look at it with report --draft ${id}, then approve ${id} or reject ${id}`;
  const verb = outcomeVerbs[outcome];
  const headline = verb === undefined ? `${id} is current already, nothing published` : `${verb} ${id}`;
  const isServed = compilation !== undefined && outcome !== "drafted";
  return {
    json: { outcome, id, parent, compiled, rows, ...json, ...common, ...jsonEnd },
    problems: [...problemsBefore, ...warningLines(warnings), ...problemsAfter, ...compilationWarnings(compilation)],
    lines: [
      ...(summary === undefined ? [] : [`${headline} in ${seconds} s: ${summary}`]),
      ...lines,
      ...changesLines(changes, outcome === "published" ? shownMaxShort : undefined),
      ...(outcome === "drafted" ? [next] : []),
    ],
    refusal,
    afterwards: isServed && downloads ? () => makePublishedDownloads(dataDir, id) : undefined,
  };
}

/** A line that counts the prices left out because they are withdrawn; none where there are none. */
export function withheldLines(withheld: number): string[] {
  return withheld === 0
    ? []
    : [`withheld because ${withheld === 1 ? "it is" : "they are"} withdrawn: ${counted(withheld, "price")}`];
}
