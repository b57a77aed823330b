import type { Downloads } from "../../../contract/downloads.ts";
import { ApiError, excerptOf, serviceUnavailable } from "../../../contract/errors.ts";
import { FileAnswer } from "../../../contract/reply-body.ts";

/**
 * Opens a file of the downloads as an answer. Where its snapshot has none, making them begins.
 *
 * @throws {ApiError} NOT_FOUND, or SERVICE_UNAVAILABLE while they are not made.
 */
export async function openFileAnswer(downloads: Downloads, snapshot: string, file: string): Promise<FileAnswer> {
  const found = await downloads.open(snapshot, file);
  if (found === undefined) {
    const message = `There is no download ${excerptOf(file)} of ${excerptOf(snapshot)}; /downloads lists them.`;
    throw new ApiError("NOT_FOUND", message);
  }
  if ("read" in found) return new FileAnswer(snapshot, found);
  const state = found.problem ?? "They are being made; try again after Retry-After seconds.";
  throw serviceUnavailable(`The downloads of ${snapshot} are not there. ${state}`, found.retryAfterSeconds);
}
