/** Commands that announce push as well, where PUSH_TO names a place. */
import { faultText } from "../../engine/files/with-file.ts";
import type { Instant } from "../../engine/model/calendar.ts";
import { instantText } from "../../engine/model/calendar.ts";
import { counted } from "../../engine/model/counted.ts";
import { type PendingPush, PendingPushError, readPendingPush } from "../../engine/snapshots/push-pending.ts";
import type { Finished } from "../../publishing/publish/publish-lock.ts";
import { PushFailedError, pushAnnounced } from "../../publishing/publish/push-announced.ts";
import { readAnnouncement } from "../../publishing/transfer/announcement.ts";
import { readFollowedOrigin } from "../../publishing/transfer/followed-origin.ts";
import {
  destinationOf,
  destinationWanted,
  isFolderItself,
  pushTargetAt,
} from "../../publishing/transfer/push-destination.ts";
import type { PushReport } from "../../publishing/transfer/push-snapshot.ts";
import type { PushTarget } from "../../publishing/transfer/push-target.ts";
import { bytesText } from "../bytes-text.ts";
import { RefusedError, WrongUseError } from "../command.ts";
import { isUnflushed } from "../command-end.ts";
import type { Report } from "../render-report-lines.ts";
import { type DirectoryOptions, onDirectory, type PublicationOptions, pushToOf } from "./snapshot-command.ts";

/**
 * The action of a command that announces: as `onDirectory`, and afterwards it pushes to PUSH_TO. It pushes nothing
 * after a dry run, for a draft, after a refusal, and where the directory follows an origin.
 *
 * @param mayBeMissing As in `onDirectory`.
 */
export function onAnnouncedDirectory(
  work: (...args: never[]) => Promise<Report>,
  mayBeMissing = false,
): ReturnType<typeof onDirectory> {
  return onDirectory(async (...args: never[]) => {
    const options = args.at(-1) as unknown as PublicationOptions;
    const address = process.env["PUSH_TO"];
    // A place that cannot be pushed to is known before anything is published.
    const target = address ? await pushTargetOf(address, "PUSH_TO", options.dataDir) : undefined;
    const report = await work(...args);
    const isPublic = options.dryRun !== true && options.draft !== true && report.refusal === undefined;
    return target === undefined || !isPublic ? report : await withPush(report, target, options);
  }, mayBeMissing);
}

/** The report on a command, with that on its push. Never throws: what the command has changed is done. */
async function withPush(report: Report, target: PushTarget, options: DirectoryOptions): Promise<Report> {
  const { dataDir } = options;
  const left = report.end?.left ?? [];
  try {
    if ((await readFollowedOrigin(dataDir)) !== undefined) return report;
    if (left.some((one) => one.step === "announcement" && !isUnflushed(one)))
      throw new RefusedError("it is not announced");
    // There is nothing to push where nothing was ever published.
    if ((await readAnnouncement(dataDir)) === undefined) return report;
    const pushed = await push(target, options);
    return {
      ...report,
      json: { ...report.json, push: pushJson(pushed, target.name) },
      lines: [...report.lines, pushLine(pushed, target.name)],
      ...(report.end && { end: { ...report.end, left: [...left, ...pushed.unfinished] } }),
    };
  } catch (error) {
    const cause = error instanceof PushFailedError ? error.reason : faultText(error);
    const { done = "done", isPublished = false } = report.end ?? {};
    return {
      ...report,
      json: { ...report.json, push: { outcome: "failed", target: target.name, cause } },
      end: { done, isPublished, left: [...left, { step: "push", fault: `${target.name}: ${cause}`, isOfPush: true }] },
    };
  }
}

/**
 * Pushes what is announced.
 *
 * @param keep See `PushRequest`.
 * @throws {PushFailedError} when it is not there afterwards.
 */
export async function push(
  target: PushTarget,
  options: DirectoryOptions,
  keep?: number,
): Promise<PushReport & Finished> {
  const { dataDir: dataDirectory, onBytes } = options;
  const names = { destination: destinationOf(target.name), pushTo: pushToOf(process.env) };
  return await pushAnnounced({ dataDirectory, target, ...names, now: Date.now() as Instant, keep, onBytes });
}

/** The report on a push for programs. */
export function pushJson(pushed: PushReport, target: string): Readonly<Record<string, unknown>> {
  const { outcome, snapshot, sequence, written, bytes, removed } = pushed;
  return { outcome, snapshot, sequence, target, written, bytes, removed };
}

/** The report on a push for people. */
export function pushLine({ outcome, snapshot, written, bytes }: PushReport, target: string): string {
  if (outcome === "already-there") return `${target} announces ${snapshot} already, nothing sent`;
  return `pushed ${snapshot} to ${target}: ${counted(written, "object")}, ${bytesText(bytes)}`;
}

/**
 * The target that a text names.
 *
 * @param name The argument or variable with the address, for the message.
 * @throws {WrongUseError} for an address that is neither another folder than the dataset directory, nor a bucket with
 *   credentials.
 */
export async function pushTargetOf(address: string, name: string, dataDirectory: string): Promise<PushTarget> {
  const target = pushTargetAt(address, process.env);
  if (target === undefined)
    throw new WrongUseError(`${name} is ${JSON.stringify(address)}, expected ${destinationWanted}`);
  if (await isFolderItself(address, dataDirectory)) {
    throw new WrongUseError(
      `${name} is ${JSON.stringify(address)}, the dataset directory itself, expected another folder`,
    );
  }
  return target;
}

/** The announcement that waits to be pushed, for programs, and a warning for people. */
export async function pendingReport(dataDirectory: string): Promise<{ json: object | null; warnings: string[] }> {
  try {
    const pending = await readPendingPush(dataDirectory);
    if (pending === undefined) return { json: null, warnings: [] };
    const json = { ...pending, since: instantText(pending.since) };
    return { json, warnings: [`warning: ${pendingText(pending)}`] };
  } catch (error) {
    if (!(error instanceof PendingPushError)) throw error;
    return { json: { fault: error.message }, warnings: [`warning: ${error.message}`] };
  }
}

function pendingText({ destination, sequence, since, cause }: PendingPush): string {
  const why = cause === null ? "no push of it has ended" : cause;
  return `announcement ${sequence} waits since ${instantText(since)} to be pushed to ${destination}: ${why}`;
}
