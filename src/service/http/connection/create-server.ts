/**
 * The HTTP server around the app. Node answers some broken requests itself, with an empty body or by closing; here all
 * of them get the documented error body. The requests of one connection are answered one after another.
 */

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { ApiError, type ApiErrorCode } from "../../../contract/errors.ts";
import {
  headerBytesMax,
  headersMilliseconds,
  inactivityMilliseconds,
  keepAliveMilliseconds,
  requestMilliseconds,
} from "../../../contract/limits.ts";
import { announcesBody } from "../request/read-request.ts";
import type { RequestDependencies } from "../request/request-dependencies.ts";
import { type AnswerDependencies, answerBroken, refuseConnection } from "./answer-without-app.ts";
import { codeOfBroken, messageOfBroken, type ParserError } from "./broken-request.ts";
import { closeInOrder } from "./close-connection.ts";
import type { ConnectionCounts } from "./connection-counts.ts";
import { Connections } from "./connections.ts";
import { RequestFeed } from "./feed-requests.ts";
import { createServer } from "./node-http.ts";

/** How often Node looks for requests that take too long. */
const timeoutCheckMilliseconds = 1000;

/** The callback of the app. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface ServerDependencies extends AnswerDependencies, Pick<RequestDependencies, "clients"> {
  readonly connectionCounts: ConnectionCounts;
}

/** A server that is not listening yet, and its connections. */
export interface HttpServer {
  readonly server: Server;
  readonly connections: Connections;
}

/** @param handle The app's callback. */
export function createHttpServer(handle: Handle, deps: ServerDependencies): HttpServer {
  const queues = new WeakMap<Duplex, RequestQueue>();
  const queueOf = (socket: Duplex): RequestQueue => queues.get(socket) as RequestQueue;
  const server = createServer({
    maxHeaderSize: headerBytesMax,
    headersTimeout: headersMilliseconds,
    requestTimeout: requestMilliseconds,
    keepAliveTimeout: keepAliveMilliseconds,
    connectionsCheckingInterval: timeoutCheckMilliseconds,
    // The app asks for the Host header itself, because Node's own answer has no body.
    requireHostHeader: false,
    // Called just before such a request is passed on, which is answered as usual.
    shouldUpgradeCallback: ({ socket }) => {
      queueOf(socket).nextAsksForUpgrade = true;
      return false;
    },
  });
  // A client that has ended its side still reads; Node would cut its answer. Not in Node's manual.
  Object.assign(server, { httpAllowHalfOpen: true });
  // A connection is ended that has been idle for so long; writing counts only when the client reads.
  server.setTimeout(inactivityMilliseconds, (socket) => queueOf(socket).breakOff());
  const refuseLate = lateRefuser(server);
  const [startParser] = server.listeners("connection");
  server.on("connection", (socket) => {
    // Kept from the start, because a closed socket has no address.
    const client = socket.remoteAddress;
    const feed = new RequestFeed(socket, () => {
      const stream = new Duplex({ read: () => undefined });
      queues.set(stream, queue);
      startParser?.call(server, stream as Socket);
      return stream;
    });
    const queue = new RequestQueue(socket, feed, handle, (error) => answerBroken(socket, error, client, deps));
    queues.set(socket, queue);
  });
  const refuse = (socket: Socket, isOwn: boolean): void => refuseConnection(socket, isOwn, deps);
  const connections = new Connections(server, deps.connectionCounts, refuse, deps.clients);
  const add = (request: IncomingMessage, response: ServerResponse): void => {
    connections.follow(request, response);
    queueOf(request.socket).add(request, response);
  };
  server.on("request", add);
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1); Node would answer 417 without a body.
  server.on("checkExpectation", add);
  server.on("connect", (_request, socket) => {
    queueOf(socket).refuse("BAD_REQUEST", "CONNECT was asked for, expected a request to this server.");
  });
  // `100 Continue` to a request with a body is sent when the body is read, not before its key is known.
  server.on("checkContinue", (request, response) => {
    if (!announcesBody(request)) response.writeContinue();
    add(request, response);
  });
  server.on("clientError", (error: ParserError, socket) => {
    // Bytes behind a request that said it was the last; its answer ends the connection.
    if (error.code === "HPE_CLOSED_CONNECTION") return;
    // A system error: the client has gone.
    if (error.syscall !== undefined) socket.destroy();
    else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") refuseLate(queueOf(socket));
    else queueOf(socket).refuse(codeOfBroken(error), messageOfBroken(error));
  });
  return { server, connections };
}

/**
 * Node finds connections that are late all at once. With its line of the log, and the connection that is often opened
 * again, the answer to one costs several look-ups, so there is this time between two: a thousand within two seconds,
 * beside which a thread at half of its capacity has enough left.
 */
const lateGapMilliseconds = 2;

/** Answers the connections of a server that are late with a request, one after another. */
function lateRefuser(server: Server): (queue: RequestQueue) => void {
  const waiting: (() => void)[] = [];
  return (queue) => {
    const { newest } = queue;
    const isComplete = newest?.request.complete;
    // The late request, or its body, may arrive meanwhile.
    refuse(queue, () => queue.newest === newest && newest?.request.complete === isComplete);
  };

  function refuse(queue: RequestQueue, isStillLate: () => boolean): void {
    if (queue.socket.destroyed) return;
    if (!queue.feed.hasBegun) {
      // A pool of connections that a client opens in advance would take a 408 for the answer to its first request.
      queue.socket.destroy();
      return;
    }
    // A client whose bytes were held back gets its time again.
    if (queue.feed.hasHeldWithin(server.headersTimeout)) {
      setTimeout(() => refuse(queue, isStillLate), server.headersTimeout).unref();
      return;
    }
    const answer = (): void => {
      if (isStillLate()) queue.refuse("REQUEST_TIMEOUT");
    };
    if (waiting.push(answer) === 1) setImmediate(answerNext);
  }

  function answerNext(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setTimeout(answerNext, lateGapMilliseconds).unref();
  }
}

/** A request whose headers were good, with its response. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** True once the app has it. */
  isStarted: boolean;
  /** The fault that broke its body before the app had it. */
  failure: ApiError | undefined;
}

/** The requests of a connection, which are answered one after another. */
class RequestQueue {
  readonly socket: Socket;
  readonly feed: RequestFeed;
  readonly #handle: Handle;
  readonly #answerBroken: (error: ApiError) => void;
  /** Also where the body of the request has not arrived. */
  newest: Exchange | undefined;
  /** True if the request that is added next asks for an upgrade. */
  nextAsksForUpgrade = false;

  /** @param answerBroken Answers what could not be read as a request, and ends the connection. */
  constructor(socket: Socket, feed: RequestFeed, handle: Handle, answerBroken: (error: ApiError) => void) {
    this.socket = socket;
    this.feed = feed;
    this.#handle = handle;
    this.#answerBroken = answerBroken;
    closeInOrder(socket, () => this.feed.drop());
  }

  /** Passes a request to the app once all before it are answered, so that few answers wait to be read. */
  add(request: IncomingMessage, response: ServerResponse): void {
    const { feed } = this;
    if (feed.isDropping) {
      // The last answer has left. An unread body would stop the reading of the connection.
      request.resume();
      return;
    }
    const asksForUpgrade = this.nextAsksForUpgrade;
    this.nextAsksForUpgrade = false;
    // Node's parser reports no errors in such a body.
    if (asksForUpgrade && request.headers["transfer-encoding"] !== undefined) {
      const found = "The request asks for an upgrade and has a Transfer-Encoding";
      this.refuse("BAD_REQUEST", `${found}, expected at most one of them.`);
      request.resume();
      return;
    }
    feed.noteHeaders(request);
    if (asksForUpgrade && !feed.takeBack(request)) response.shouldKeepAlive = false;
    const before = this.newest?.response;
    const exchange: Exchange = { request, response, isStarted: false, failure: undefined };
    this.newest = exchange;
    if (before === undefined || before.writableFinished) {
      this.#start(exchange);
      return;
    }
    feed.waiting++;
    before.once("close", () => {
      feed.waiting--;
      feed.resume();
      // In the next turn of the event loop, so that other connections have theirs between two requests of this one.
      setImmediate(() => {
        // The last answer of a connection has ended it.
        if (this.socket.writable) this.#start(exchange);
      });
    });
  }

  /** Ends the connection, by a reset where an answer is not whole: one of HTTP/1.0 would look whole. */
  breakOff(): void {
    const isOpen = this.newest !== undefined && !this.newest.response.writableFinished;
    if (isOpen) this.socket.resetAndDestroy();
    else this.socket.destroy();
  }

  /** Answers what is broken or late, behind the answers to the requests before it, and ends the connection. */
  refuse(code: ApiErrorCode, message?: string): void {
    if (this.feed.isDropping) return;
    this.feed.drop();
    const error = new ApiError(code, message, { headers: { Connection: "close" } });
    const { newest } = this;
    if (newest !== undefined && !newest.request.complete) {
      if (newest.isStarted) fail(newest, error);
      else newest.failure = error;
    } else if (newest === undefined || newest.response.writableFinished) this.#answerBroken(error);
    // A complete request before the broken one is answered first.
    else newest.response.once("close", () => this.#answerBroken(error));
  }

  #start(exchange: Exchange): void {
    exchange.isStarted = true;
    this.#handle(exchange.request, exchange.response);
    if (exchange.failure !== undefined) fail(exchange, exchange.failure);
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
