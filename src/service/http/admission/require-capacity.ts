/** Overload as an answer: 503 before any work, or an unread connection where even that is too much. */
import type { IncomingMessage } from "node:http";
import { serviceUnavailable } from "../../../contract/errors.ts";
import { unreadMilliseconds } from "../../../contract/limits.ts";
import type { Admission } from "./admission.ts";

/**
 * Refuses a request when the thread is overloaded. It has no key yet, and nothing is revealed.
 *
 * @throws {ApiError} SERVICE_UNAVAILABLE.
 */
export function requireCapacity({ socket }: IncomingMessage, admission: Admission): void {
  const { overload } = admission;
  if (overload === undefined || !overload.refusesRequest()) return;
  admission.countRefusal("requests", "load");
  if (overload.refusesTooMany()) {
    // Node reads on once it has parsed the request, so this comes after that.
    setImmediate(() => socket.pause());
    setTimeout(() => socket.resume(), unreadMilliseconds);
  }
  throw serviceUnavailable("The service is overloaded; try again after Retry-After seconds.");
}
