/**
 * The HTTP server around the app. Node answers some broken requests itself, with an empty body or by closing; here all of
 * them get the documented error body, before they could reach the app.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { AppDependencies } from "./context.ts";
import { corsHeaders } from "./cors.ts";
import { errorBody } from "./error-body.ts";
import { ApiError, type ApiErrorCode, apiErrors } from "./errors.ts";
import { headerBytesMax, headersMilliseconds, keepAliveMilliseconds, requestMilliseconds } from "./limits.ts";
import { requestIdFor, requestIdHeader } from "./request-id.ts";

/** How often Node looks for requests that take too long. */
const timeoutCheckMilliseconds = 1000;

/** Node's codes of broken requests → ours; every other one is BAD_REQUEST. */
const codesByCause: Readonly<Record<string, ApiErrorCode>> = {
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "PAYLOAD_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};

/**
 * @param handle The app's callback.
 * @param deps Those of the app.
 * @returns A server that is not listening yet.
 */
export function createHttpServer(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
  deps: Pick<AppDependencies, "currentStore" | "log">,
): Server {
  const server = createServer({
    maxHeaderSize: headerBytesMax,
    headersTimeout: headersMilliseconds,
    requestTimeout: requestMilliseconds,
    keepAliveTimeout: keepAliveMilliseconds,
    connectionsCheckingInterval: timeoutCheckMilliseconds,
    // The app asks for the Host header itself, because Node's own answer has no body.
    requireHostHeader: false,
  });
  /** The newest request of each connection with its response. */
  const exchanges = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    exchanges.set(request.socket, { request, response });
    handle(request, response);
  };
  server.on("request", onRequest);
  // An expectation we do not know may be ignored (RFC 9110, section 10.1.1); Node would answer 417 without a body.
  server.on("checkExpectation", onRequest);
  server.on("connect", (_request, socket) => {
    refuse(socket, new ApiError("BAD_REQUEST", "CONNECT was asked for, expected a request to this server."));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    refuse(socket, new ApiError(codesByCause[error.code ?? ""] ?? "BAD_REQUEST"));
  });
  return server;

  function refuse(socket: Duplex, error: ApiError): void {
    const exchange = exchanges.get(socket);
    const isAnswering = exchange?.request.complete && !exchange.response.writableFinished;
    // A complete request before the broken one is answered first.
    if (isAnswering) exchange.response.once("close", () => answerBroken(socket, error));
    else if (exchange?.response.headersSent && !exchange.response.writableFinished) socket.destroy();
    else answerBroken(socket, error);
  }

  function answerBroken(socket: Duplex, error: ApiError): void {
    const requestId = requestIdFor("");
    const { status } = apiErrors[error.code];
    deps.log.info({ request_id: requestId, status, code: error.code }, "broken request");
    writeError(socket, error, requestId, deps.currentStore()?.snapshot.id);
  }
}

/** Writes an error without the app, then closes the connection: what follows on it cannot be understood. */
function writeError(socket: Duplex, error: ApiError, requestId: string, snapshotId: string | undefined): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(errorBody(error, requestId));
  const { status } = apiErrors[error.code];
  const headers = {
    ...corsHeaders,
    [requestIdHeader]: requestId,
    ...(snapshotId === undefined ? {} : { "X-Snapshot-Id": snapshotId }),
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`, () => socket.destroy());
}
