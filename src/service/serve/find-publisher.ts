import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { type ProgramVersion, versionText } from "../../engine/files/program-version.ts";
import { readPublisherVersion } from "../../engine/snapshots/publisher-version.ts";

export interface PublisherOptions {
  readonly dataDirectory: string;
  /** The version of the service. */
  readonly version: ProgramVersion;
  readonly log: Logger;
  /** Returns false when another load of a snapshot is served instead. */
  readonly isServed: () => boolean;
  /** Between two looks for the announcement. */
  readonly pollMilliseconds: number;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/**
 * Finds which version has published a snapshot: a publishing command announces it some milliseconds after `CURRENT`
 * names it, a person later. Logs a warning where that is another version than serves it.
 *
 * @returns Undefined when another snapshot is served, or the waiting ends, before an announcement says it.
 */
export async function findPublisher(
  { dataDirectory, version, log, isServed, pollMilliseconds, signal }: PublisherOptions,
  snapshot: string,
): Promise<ProgramVersion | undefined> {
  while (!signal.aborted && isServed()) {
    const publisher = await readPublisherVersion(dataDirectory, snapshot);
    if (publisher !== undefined) {
      if (publisher.version !== version.version) {
        const message = `published by version ${versionText(publisher)}, served by version ${versionText(version)}`;
        log.warn({ snapshot, publisher, version: version.version, commit: version.commit }, message);
      }
      return publisher;
    }
    await delay(pollMilliseconds, undefined, { ref: false, signal }).catch(() => undefined);
  }
  return undefined;
}
