/** How every command that publishes goes from its options to its report. */
import { withGivenOrigins } from "../../publish/find-origins.ts";
import type { PublicationRequest } from "../../publish/run-publication.ts";
import { type Report, runReported } from "../report.ts";
import { makePublishedDownloads } from "./downloads.ts";
import { type AnyReport, changedDirectory, type PublicationOptions } from "./snapshot-command.ts";

/**
 * Publishes, prints the report, and makes the downloads of a new snapshot unless the options say otherwise.
 *
 * @param inputs The record files that are handed in, and folders of these.
 * @param publish Publishes what the options say; the command adds its own fields to the request.
 * @param reportOf As in `runReported`.
 */
export async function runPublishing<T extends AnyReport>(
  options: PublicationOptions,
  inputs: readonly string[],
  publish: (request: PublicationRequest) => Promise<T>,
  reportOf: (report: T, seconds: number) => Report,
): Promise<void> {
  const { dataDir, json, note, by, strict, dryRun = false, draft: isDraft = false, downloads = true } = options;
  const request = { ...changedDirectory(options, by), note, strict, dryRun, isDraft };
  const report = await runReported(
    json,
    async (onBytes) => await withGivenOrigins(inputs, async () => await publish({ ...request, onBytes })),
    (published, seconds) => withDraftLine(published, reportOf(published, seconds)),
  );
  const isServed = report.compilation !== undefined && report.outcome !== "drafted";
  if (isServed && downloads) await makePublishedDownloads(dataDir, report.id);
}

function withDraftLine({ outcome, id }: AnyReport, report: Report): Report {
  if (outcome !== "drafted") return report;
  const next = `nothing serves it: look at it with report --draft ${id}, then approve ${id} or reject ${id}`;
  return { ...report, lines: [...report.lines, next] };
}
