/** How every command that publishes goes from its options to its report. */
import type { Instant } from "../../domain/instant.ts";
import type { PublicationReport, PublicationRequest } from "../../publish/run-publication.ts";
import { type Report, runReported } from "../report.ts";
import { makePublishedDownloads } from "./downloads.ts";
import { currentInvocation, type PublicationOptions } from "./snapshot-command.ts";

/** A report, whatever its command calls the outcome. */
type AnyReport = Omit<PublicationReport, "outcome">;

/**
 * Publishes, prints the report, and makes the downloads of a new snapshot unless the options say otherwise.
 *
 * @param publish Publishes what the options say; the command adds its own fields to the request.
 * @param reportOf As in `runReported`.
 */
export async function runPublishing<T extends AnyReport>(
  { dataDir: dataDirectory, json, note, by, strict, dryRun = false, downloads = true }: PublicationOptions,
  publish: (request: PublicationRequest) => Promise<T>,
  reportOf: (report: T, seconds: number) => Report,
): Promise<void> {
  const invocation = currentInvocation(by);
  const request = { dataDirectory, now: Date.now() as Instant, note, strict, dryRun, invocation };
  const report = await runReported(json, async (onBytes) => await publish({ ...request, onBytes }), reportOf);
  const isPublished = report.compilation !== undefined;
  if (isPublished && downloads) await makePublishedDownloads(dataDirectory, report.id);
}
