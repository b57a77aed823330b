import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { AppDependencies } from "./context.ts";
import { corsHeaders } from "./cors-headers.ts";
import { errorBody } from "./error-body.ts";
import { type ApiError, apiErrors } from "./errors.ts";
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
    writeError(socket, error, requestId, currentStore()?.snapshot.id);
  } else {
    log.info({ request_id: requestId, aborted: true, remote }, "broken request");
    socket.destroy();
  }
}

function writeError(socket: Duplex, error: ApiError, requestId: string, snapshotId: string | undefined): void {
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
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`, () => socket.destroy());
}
