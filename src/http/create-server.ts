/**
 * The HTTP server around the app. Node answers some broken requests itself, with an empty body or by closing; here all of
 * them get the documented error body. The requests of one connection are taken up one after another.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { answerBroken, refuseConnection } from "./answer-broken.ts";
import type { AppDependencies } from "./context.ts";
import { ApiError, type ApiErrorCode } from "./errors.ts";
import { limitConnections } from "./limit-connections.ts";
import {
  headerBytesMax,
  headersMilliseconds,
  inactivityMilliseconds,
  keepAliveMilliseconds,
  requestMilliseconds,
  waitingRequestsMax,
} from "./limits.ts";

/** How often Node looks for requests that take too long. */
const timeoutCheckMilliseconds = 1000;

/** Node's codes of broken requests → ours; every other one is BAD_REQUEST. */
const codesByCause: Readonly<Record<string, ApiErrorCode>> = {
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "PAYLOAD_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};

/** A request whose headers were good, with its response. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether the app has it. */
  isStarted: boolean;
  /** What broke its body before the app had it. */
  failure: ApiError | undefined;
}

interface Connection {
  /** Kept from the start, because a closed socket no longer knows it. */
  readonly remote: string | undefined;
  newest: Exchange | undefined;
  /** Requests that have come and are not started. */
  waiting: number;
  /** Whether what it carried could not be understood; nothing that follows counts. */
  isBroken: boolean;
}

/**
 * @param handle The app's callback.
 * @param deps Those of the app.
 * @returns A server that is not listening yet.
 */
export function createHttpServer(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
  deps: Pick<AppDependencies, "admission" | "currentStore" | "log">,
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
  // Node destroys a connection that has been idle for so long; writing counts only when the client reads.
  server.setTimeout(inactivityMilliseconds);
  const connections = new WeakMap<Duplex, Connection>();
  server.on("connection", (socket) => {
    connections.set(socket, { remote: socket.remoteAddress, newest: undefined, waiting: 0, isBroken: false });
  });
  limitConnections(server, deps.admission, (socket) => refuseConnection(socket, deps));
  server.on("request", takeUp);
  // An expectation we do not know may be ignored (RFC 9110, section 10.1.1); Node would answer 417 without a body.
  server.on("checkExpectation", takeUp);
  server.on("connect", (_request, socket) => {
    refuse(socket, "BAD_REQUEST", "CONNECT was asked for, expected a request to this server.");
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // Bytes behind a request that said it was the last; its answer ends the connection.
    if (error.code === "HPE_CLOSED_CONNECTION") return;
    // An error of the system's: the client has gone, and nobody waits for an answer.
    if (error.syscall === undefined) refuse(socket, codesByCause[error.code ?? ""] ?? "BAD_REQUEST");
    else socket.destroy();
  });
  return server;

  /** Hands a request to the app once all before it on its connection are answered, so that few answers wait to be read. */
  function takeUp(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = connections.get(socket) as Connection;
    const before = connection.newest?.response;
    const exchange: Exchange = { request, response, isStarted: false, failure: undefined };
    connection.newest = exchange;
    if (before === undefined || before.writableFinished) {
      start(exchange);
      return;
    }
    connection.waiting++;
    if (connection.waiting >= waitingRequestsMax) socket.pause();
    before.once("close", () => {
      connection.waiting--;
      if (connection.waiting === 0) socket.resume();
      // In the next turn of the event loop, so that other connections have theirs between two requests of this one.
      setImmediate(() => {
        // Behind the last answer of a connection nobody waits for others.
        if (socket.writable) start(exchange);
      });
    });
  }

  function start(exchange: Exchange): void {
    exchange.isStarted = true;
    handle(exchange.request, exchange.response);
    if (exchange.failure !== undefined) fail(exchange, exchange.failure);
  }

  function refuse(socket: Duplex, code: ApiErrorCode, message?: string): void {
    const connection = connections.get(socket) as Connection;
    if (connection.isBroken) return;
    connection.isBroken = true;
    const { newest, remote } = connection;
    const error = new ApiError(code, message, { headers: { Connection: "close" } });
    const answer = (): void => answerBroken(socket, error, remote, deps);
    if (newest !== undefined && !newest.request.complete) {
      if (newest.isStarted) fail(newest, error);
      else newest.failure = error;
    } else if (newest === undefined || newest.response.writableFinished) answer();
    // A complete request before the broken one is answered first.
    else newest.response.once("close", answer);
  }
}

/** Ends a request whose body is broken or late: with one answer, whether it has that already or not. */
function fail({ request, response }: Exchange, error: ApiError): void {
  if (response.writableFinished) request.socket.destroy();
  else if (response.headersSent) response.once("close", () => request.socket.destroy());
  // Whoever reads the body passes the error on, and the app answers it as any other.
  else if (request.listenerCount("error") > 0) request.emit("error", error);
  // The app answers without the body.
  else response.setHeader("Connection", "close");
}
