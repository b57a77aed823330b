/** A client that reads page by page names the snapshot it has begun with, so that it never mixes two. */
import type { IncomingMessage } from "node:http";
import { ApiError, wrongText } from "../../../contract/errors.ts";
import { snapshotHeader } from "../../../contract/header-names.ts";
import { snapshotIdPattern } from "../../../engine/model/ids.ts";

const snapshotIdExpression = new RegExp(snapshotIdPattern);

/**
 * Refuses a request for another snapshot than the one it would be answered from. Only that one is held.
 *
 * @throws {ApiError} VALIDATION_ERROR when the header is no id, SNAPSHOT_CHANGED.
 */
export function requireSnapshot({ headers }: IncomingMessage, current: string): void {
  const requested = headers["x-snapshot-id"] as string | undefined;
  if (requested === undefined || requested === current) return;
  if (!snapshotIdExpression.test(requested)) {
    throw wrongText(snapshotHeader, requested, `the id of a snapshot, like ${current}`);
  }
  const message = `${snapshotHeader} asks for ${requested}, but ${current} is served; start reading anew.`;
  throw new ApiError("SNAPSHOT_CHANGED", message, { details: { requested, current } });
}
