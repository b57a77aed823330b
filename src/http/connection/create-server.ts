/**
 * The HTTP server around the app. Node answers some broken requests itself, with an empty body or by closing; here all of
 * them get the documented error body. The requests of one connection are answered one after another.
 */

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { commonHeaders } from "../answer/send.ts";
import type { AppDependencies } from "../dependencies.ts";
import { ApiError, type ApiErrorCode, errorBody, serviceUnavailable } from "../errors.ts";
import { maskTarget } from "../input/mask-target.ts";
import { requestIdFor } from "../input/receive-request.ts";
import { parseTraceparent } from "../input/trace-context.ts";
import {
  headerBytesMax,
  headersMilliseconds,
  inactivityMilliseconds,
  keepAliveMilliseconds,
  requestMilliseconds,
} from "../limits.ts";
import type { RequestLogger } from "../request-entry.ts";
import type { Clients } from "./client-address.ts";
import { closeInOrder, endInOrder } from "./close-connection.ts";
import { RequestFeed } from "./feed-requests.ts";
import { limitConnections } from "./limit-connections.ts";
import { createServer, STATUS_CODES } from "./node-http.ts";

/** How often Node looks for requests that take too long. */
const timeoutCheckMilliseconds = 1000;

const codesByCause: Readonly<Record<string, ApiErrorCode>> = {
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "PAYLOAD_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};

/**
 * Node finds connections that are late all at once. With its line of the log, and the connection that is often opened anew, the
 * answer to one costs several look-ups, so they are answered little by little: a thousand within five seconds, beside which a
 * thread at half of its capacity has enough left.
 */
const lateIntervalMilliseconds = 10;
const lateAnswersMin = 2;
/** Of the connections that are still late, so that none waits for many intervals, however many there are. */
const lateAnswersShare = 1 / 500;

/** Node's error about a broken request → the service's code. */
export function codeOfBroken(error: NodeJS.ErrnoException): ApiErrorCode {
  return codesByCause[error.code ?? ""] ?? "BAD_REQUEST";
}

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
  /** Kept from the start, because a closed socket has no address. */
  readonly client: string | undefined;
  readonly feed: RequestFeed;
  newest: Exchange | undefined;
}

/** How far the requests of a connection have arrived. */
interface Progress {
  readonly newest: Exchange | undefined;
  /** Whether the newest has its whole body. */
  readonly isComplete: boolean | undefined;
}

/**
 * @param handle The app's callback.
 * @param deps Those of the app.
 * @returns A server that is not listening yet.
 */
export function createHttpServer(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
  deps: Pick<AppDependencies, "admission" | "clients" | "countRequest" | "currentStore" | "log">,
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
  // A client that has ended its side still reads; Node would cut its answer. Not in Node's manual.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Node destroys a connection that has been idle for so long; writing counts only when the client reads.
  server.setTimeout(inactivityMilliseconds);
  const connections = new WeakMap<Duplex, Connection>();
  const late: { readonly socket: Duplex; readonly found: Progress }[] = [];
  server.on("connection", (socket) => {
    const feed = new RequestFeed(socket);
    connections.set(socket, { client: socket.remoteAddress, feed, newest: undefined });
    closeInOrder(socket, () => feed.drop());
  });
  limitConnections(server, deps.admission, (socket) => refuseConnection(socket, deps), deps.clients);
  server.on("request", enqueue);
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1); Node would answer 417 without a body.
  server.on("checkExpectation", enqueue);
  server.on("connect", (_request, socket) => {
    refuse(socket, "BAD_REQUEST", "CONNECT was asked for, expected a request to this server.");
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // Bytes behind a request that said it was the last; its answer ends the connection.
    if (error.code === "HPE_CLOSED_CONNECTION") return;
    // A system error: the client has gone.
    if (error.syscall !== undefined) socket.destroy();
    else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") refuseLate(socket);
    else refuse(socket, codeOfBroken(error));
  });
  return server;

  /**
   * Answers a late connection in the next turn or after one of the next intervals. Where bytes of the client were held back, it
   * gets more time.
   */
  function refuseLate(socket: Duplex, found = progressOf(socket)): void {
    if (socket.destroyed) return;
    const { headersTimeout } = server;
    if (connections.get(socket)?.feed.hasHeldWithin(headersTimeout)) {
      setTimeout(() => refuseLate(socket, found), headersTimeout).unref();
      return;
    }
    late.push({ socket, found });
    if (late.length === 1) setImmediate(answerLate);
  }

  function answerLate(): void {
    const count = Math.max(lateAnswersMin, Math.ceil(late.length * lateAnswersShare));
    for (const { socket, found } of late.splice(0, count)) {
      const { newest, isComplete } = progressOf(socket);
      // What was late may have arrived meanwhile.
      if (newest === found.newest && isComplete === found.isComplete) refuse(socket, "REQUEST_TIMEOUT");
    }
    if (late.length > 0) setTimeout(answerLate, lateIntervalMilliseconds).unref();
  }

  function progressOf(socket: Duplex): Progress {
    const newest = connections.get(socket)?.newest;
    return { newest, isComplete: newest?.request.complete };
  }

  /** Passes a request to the app once all before it on its connection are answered, so that few answers wait to be read. */
  function enqueue(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = connections.get(socket) as Connection;
    const { feed } = connection;
    if (feed.isDropping) {
      // The last answer has left. An unread body would stop the reading of the connection.
      request.resume();
      return;
    }
    const before = connection.newest?.response;
    const exchange: Exchange = { request, response, isStarted: false, failure: undefined };
    connection.newest = exchange;
    if (before === undefined || before.writableFinished) {
      start(exchange);
      return;
    }
    feed.waiting++;
    before.once("close", () => {
      feed.waiting--;
      feed.resume();
      // In the next turn of the event loop, so that other connections have theirs between two requests of this one.
      setImmediate(() => {
        // The last answer of a connection has ended it.
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
    const { newest, client, feed } = connection;
    if (feed.isDropping) return;
    feed.drop();
    const error = new ApiError(code, message, { headers: { Connection: "close" } });
    const answer = (): void => answerBroken(socket, error, client, deps);
    if (newest !== undefined && !newest.request.complete) {
      if (newest.isStarted) fail(newest, error);
      else newest.failure = error;
    } else if (newest === undefined || newest.response.writableFinished) answer();
    // A complete request before the broken one is answered first.
    else newest.response.once("close", answer);
  }
}

/** Ends a request whose body is broken or late, with exactly one answer. */
function fail({ request, response }: Exchange, error: ApiError): void {
  if (response.writableFinished) request.socket.destroy();
  else if (response.headersSent) response.once("close", () => request.socket.destroy());
  // The reader of the body rejects with the error, and the app answers it.
  else if (request.listenerCount("error") > 0) request.emit("error", error);
  // The app answers without the body.
  else response.setHeader("Connection", "close");
}

type AnswerDependencies = Pick<AppDependencies, "countRequest" | "currentStore" | "log">;

/**
 * Answers, logs and counts what could not be read as a request, without the app, then closes the connection: what follows on it
 * cannot be understood.
 *
 * @param client The address of the other end, for the log.
 */
function answerBroken(socket: Duplex, error: ApiError, client: string | undefined, deps: AnswerDependencies): void {
  const requestId = requestIdFor();
  const { code, status } = error;
  if (socket.writable) {
    deps.log.info({ request_id: requestId, status, code, client }, "broken request");
    deps.countRequest?.(undefined, { status, code, bytes: undefined, duration_ms: 0 });
    socket.write(errorText(error, requestId, deps));
    endInOrder(socket as Socket);
  } else if (socket.destroyed) {
    deps.log.info({ request_id: requestId, aborted: true, client }, "broken request");
    deps.countRequest?.(undefined, { status: undefined, code: undefined, bytes: undefined, duration_ms: 0 });
  }
  // Otherwise the request before was the last of its connection, which is being closed.
}

/** Answers a connection beyond the limits with SERVICE_UNAVAILABLE, as far as the system takes the answer at once. */
function refuseConnection(socket: Socket, deps: AnswerDependencies): void {
  const requestId = requestIdFor();
  const error = serviceUnavailable("Too many connections are open; try again after Retry-After seconds.");
  const { code, status } = error;
  deps.log.info({ request_id: requestId, status, code, client: socket.remoteAddress }, "connection refused");
  socket.write(errorText(error, requestId, deps));
}

function errorText(error: ApiError, requestId: string, { currentStore }: AnswerDependencies): string {
  const snapshotId = currentStore()?.snapshot.id;
  const body = JSON.stringify(errorBody(error, requestId));
  const headers = {
    ...commonHeaders,
    "X-Request-Id": requestId,
    ...(snapshotId === undefined ? {} : { "X-Snapshot-Id": snapshotId }),
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    ...error.headers,
    Connection: "close",
  };
  return responseText(error.status, headers, body);
}

/** A whole HTTP answer as text, for a socket without a response object. */
export function responseText(status: number, headers: Readonly<Record<string, string | number>>, body: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}

/** Answers in place of the app while the service starts: SERVICE_UNAVAILABLE, and the connection ends with the start. */
export function answerStarting(
  log: RequestLogger,
  clients: Clients,
): (request: IncomingMessage, response: ServerResponse) => void {
  const error = serviceUnavailable("The service is starting; try again after Retry-After seconds.");
  const { code, status } = error;
  return (request, response) => {
    const requestId = requestIdFor(request.headers["x-request-id"] as string | undefined);
    const target = maskTarget(request.url ?? "");
    const trace = parseTraceparent(request.headers["traceparent"] as string | undefined);
    const client = clients.of(request).address;
    log.info({ request_id: requestId, method: request.method, target, status, code, client, ...trace }, "request");
    response.writeHead(status, {
      ...commonHeaders,
      ...error.headers,
      "X-Request-Id": requestId,
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      Connection: "close",
    });
    response.end(JSON.stringify(errorBody(error, requestId)));
  };
}
