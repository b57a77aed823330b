import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { AppDependencies } from "./context.ts";
import { corsHeaders } from "./cors-headers.ts";
import { type ApiError, apiErrors, errorBody, serviceUnavailable } from "./errors.ts";
import { requestIdFor, requestIdHeader } from "./request-id.ts";

/**
 * Answers and logs what was no request, without the app, then closes the connection: what follows on it cannot be
 * understood.
 *
 * @param remote The client's address, for the log.
 */
export function answerBroken(
  socket: Duplex,
  error: ApiError,
  remote: string | undefined,
  { currentStore, log }: Pick<AppDependencies, "currentStore" | "log">,
): void {
  const requestId = requestIdFor("");
  const { code } = error;
  const { status } = apiErrors[code];
  if (socket.writable) {
    log.info({ request_id: requestId, status, code, remote }, "broken request");
    socket.end(errorText(error, requestId, currentStore()?.snapshot.id), () => socket.destroy());
  } else {
    log.info({ request_id: requestId, aborted: true, remote }, "broken request");
    socket.destroy();
  }
}

/** Answers a connection beyond the limits with SERVICE_UNAVAILABLE, as far as the system takes the answer at once. */
export function refuseConnection(
  socket: Socket,
  { currentStore, log }: Pick<AppDependencies, "currentStore" | "log">,
): void {
  const requestId = requestIdFor("");
  const error = serviceUnavailable("Too many connections are open; try again after Retry-After seconds.");
  const { status } = apiErrors[error.code];
  log.info({ request_id: requestId, status, code: error.code, remote: socket.remoteAddress }, "connection refused");
  socket.write(errorText(error, requestId, currentStore()?.snapshot.id));
}

function errorText(error: ApiError, requestId: string, snapshotId: string | undefined): string {
  const body = JSON.stringify(errorBody(error, requestId));
  const { status } = apiErrors[error.code];
  const headers = {
    ...corsHeaders,
    [requestIdHeader]: requestId,
    ...(snapshotId === undefined ? {} : { "X-Snapshot-Id": snapshotId }),
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    ...error.headers,
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}
