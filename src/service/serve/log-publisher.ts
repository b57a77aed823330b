import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { type ProgramVersion, versionText } from "../../engine/files/program-version.ts";
import { readPublisherVersion } from "../../engine/snapshots/publisher-version.ts";

/** A publishing command announces a snapshot some milliseconds after `CURRENT` names it. */
const triesMax = 10;

export interface PublisherOptions {
  readonly dataDirectory: string;
  /** The version of the service. */
  readonly version: ProgramVersion;
  readonly log: Logger;
  /** Between two looks for the announcement. */
  readonly pollMilliseconds: number;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/**
 * Logs a warning where a snapshot was published by another version than serves it. Where no announcement of the
 * snapshot appears, it logs nothing.
 */
export async function logPublisher(options: PublisherOptions, snapshot: string): Promise<void> {
  const { dataDirectory, version, log, pollMilliseconds, signal } = options;
  for (let tries = 0; tries < triesMax && !signal.aborted; tries++) {
    const publisher = await readPublisherVersion(dataDirectory, snapshot);
    if (publisher !== undefined) {
      if (publisher.version === version.version) return;
      const message = `published by version ${versionText(publisher)}, served by version ${versionText(version)}`;
      log.warn({ snapshot, publisher, version: version.version, commit: version.commit }, message);
      return;
    }
    await delay(pollMilliseconds, undefined, { ref: false, signal }).catch(() => undefined);
  }
}
