/**
 * Answers to what the app does not get: broken requests, connections beyond the limits, and requests during the start.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ByteText } from "../../../contract/byte-text.ts";
import { type ApiError, errorJson, serviceUnavailable, shareTaken } from "../../../contract/errors.ts";
import type { HeaderList } from "../../../contract/reply-body.ts";
import type { Store } from "../../../engine/store/store.ts";
import type { Clients } from "../request/client-address.ts";
import { loggedTarget, parseTraceparent, requestIdFor } from "../request/read-request.ts";
import type { RequestDependencies, RequestLogger } from "../request/request-dependencies.ts";
import { endInOrder } from "./close-connection.ts";
import { STATUS_CODES } from "./node-http.ts";

export const exposedHeaders =
  "ETag, X-Snapshot-Id, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate";

/** The headers of every answer, also of one that is written without the app: CORS, and that no type is guessed. */
export const commonHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": exposedHeaders,
  "X-Content-Type-Options": "nosniff",
};

export interface AnswerDependencies extends Pick<RequestDependencies, "countRequest" | "log"> {
  /** Undefined while none is served. */
  readonly currentStore: () => Store | undefined;
  /** Those of every answer; of the public port when absent. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers, logs and counts what could not be read as a request, then closes the connection: what follows on it cannot
 * be understood.
 *
 * @param client The address of the other end, for the log.
 */
export function answerBroken(
  socket: Duplex,
  error: ApiError,
  client: string | undefined,
  deps: AnswerDependencies,
): void {
  const requestId = requestIdFor();
  const { code, status } = error;
  if (socket.writable) {
    deps.log.info({ request_id: requestId, status, code, client }, "broken request");
    deps.countRequest?.(undefined, { status, code, duration_ms: 0 });
    socket.write(errorText(error, requestId, deps), "latin1");
    endInOrder(socket as Socket);
  } else if (socket.destroyed) {
    deps.log.info({ request_id: requestId, aborted: true, client }, "broken request");
    deps.countRequest?.(undefined, { status: undefined, code: undefined, duration_ms: 0 });
  }
  // Otherwise the request before was the last of its connection, which is being closed.
}

/**
 * Answers a connection beyond the limits, as far as the system takes the answer at once.
 *
 * @param isOwn True if its address has its share, false if all connections are taken.
 */
export function refuseConnection(socket: Socket, isOwn: boolean, deps: AnswerDependencies): void {
  const requestId = requestIdFor();
  const error = isOwn
    ? shareTaken("Too many connections of this address are open; try again after Retry-After seconds.")
    : serviceUnavailable("Too many connections are open; try again after Retry-After seconds.");
  const { code, status } = error;
  deps.log.info({ request_id: requestId, status, code, client: socket.remoteAddress }, "connection refused");
  socket.write(errorText(error, requestId, deps), "latin1");
}

function errorText(error: ApiError, requestId: string, { currentStore, headers: common }: AnswerDependencies): string {
  const { headers, body } = describeError(error, requestId, currentStore()?.snapshot.id, common);
  return responseText(error.status, Object.entries(headers).flat(), body);
}

/** The headers and the body of an error, which ends its connection. */
function describeError(
  error: ApiError,
  requestId: string,
  snapshotId?: string,
  common: Readonly<Record<string, string>> = commonHeaders,
): { readonly headers: Readonly<Record<string, string>>; readonly body: ByteText } {
  const body = errorJson(error, requestId);
  const headers = {
    ...common,
    "X-Request-Id": requestId,
    ...(snapshotId === undefined ? {} : { "X-Snapshot-Id": snapshotId }),
    "Content-Type": "application/json",
    "Content-Length": String(body.length),
    "Cache-Control": "no-store",
    ...error.headers,
    Connection: "close",
  };
  return { headers, body };
}

/** A whole HTTP answer as text, for a socket without a response object. */
function responseText(status: number, headers: HeaderList, body: string): string {
  const lines = headers.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}

/** Answers requests while the service starts: SERVICE_UNAVAILABLE, and the connection ends. */
export function answerStarting(
  log: RequestLogger,
  clients: Clients,
): (request: IncomingMessage, response: ServerResponse) => void {
  const error = serviceUnavailable("The service is starting; try again after Retry-After seconds.");
  const { code, status } = error;
  return (request, response) => {
    const requestId = requestIdFor(request.headers["x-request-id"] as string | undefined);
    const target = loggedTarget(request.url ?? "");
    const trace = parseTraceparent(request.headers["traceparent"] as string | undefined);
    const client = clients.of(request).address;
    log.info({ request_id: requestId, method: request.method, target, status, code, client, ...trace }, "request");
    const { headers, body } = describeError(error, requestId);
    response.writeHead(status, headers).end(body, "latin1");
  };
}
