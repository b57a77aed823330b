/**
 * The HTTP server around the app. Node answers some broken requests itself, with an empty body or by closing; here all
 * of them get the documented error body. The requests of one connection are answered one after another.
 */

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import {
  headerBytesMax,
  headersMilliseconds,
  inactivityMilliseconds,
  keepAliveMilliseconds,
  requestMilliseconds,
} from "../../../contract/limits.ts";
import type { AppDependencies } from "../dependencies.ts";
import { answerBroken, refuseConnection } from "./answer-without-app.ts";
import { codeOfBroken, messageOfBroken, type ParserError } from "./broken-request.ts";
import { limitConnections } from "./limit-connections.ts";
import { createServer } from "./node-http.ts";
import { type Handle, RequestQueue } from "./request-queue.ts";

/** How often Node looks for requests that take too long. */
const timeoutCheckMilliseconds = 1000;

/**
 * @param handle The app's callback.
 * @param deps Those of the app.
 * @returns A server that is not listening yet.
 */
export function createHttpServer(
  handle: Handle,
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
  const queues = new WeakMap<Duplex, RequestQueue>();
  const queueOf = (socket: Duplex): RequestQueue => queues.get(socket) as RequestQueue;
  const add = (request: IncomingMessage, response: ServerResponse): void => {
    queueOf(request.socket).add(request, response);
  };
  const late = new LateConnections();
  server.on("connection", (socket) => {
    // Kept from the start, because a closed socket has no address.
    const client = socket.remoteAddress;
    queues.set(socket, new RequestQueue(socket, handle, (error) => answerBroken(socket, error, client, deps)));
  });
  limitConnections(server, deps.admission, (socket) => refuseConnection(socket, deps), {
    clients: deps.clients,
    hasOtherThreads: true,
  });
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
    else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") late.refuse(queueOf(socket), server.headersTimeout);
    else queueOf(socket).refuse(codeOfBroken(error), messageOfBroken(error));
  });
  return server;
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

/** How far the requests of a connection have arrived. */
interface Progress {
  readonly newest: IncomingMessage | undefined;
  /** Whether the newest has its whole body. */
  readonly isComplete: boolean | undefined;
}

function progressOf({ newest }: RequestQueue): Progress {
  return { newest, isComplete: newest?.complete };
}

interface LateConnection {
  readonly queue: RequestQueue;
  /** When it was found late. */
  readonly found: Progress;
}

/**
 * Node finds connections that are late all at once. With its line of the log, and the connection that is often opened
 * anew, the answer to one costs several look-ups, so they are answered little by little: a thousand within five
 * seconds, beside which a thread at half of its capacity has enough left.
 */
const lateIntervalMilliseconds = 10;
const lateAnswersMin = 2;
/** The part of those that are still late, so that none waits for many intervals, however many there are. */
const lateAnswersShare = 1 / 500;

/** The connections of a server that are late with a request. */
class LateConnections {
  readonly #late: LateConnection[] = [];

  /**
   * Answers a late connection in the next turn of the event loop or after one of the next intervals.
   *
   * @param heldMilliseconds The time that a client gets again whose bytes were held back.
   */
  refuse(queue: RequestQueue, heldMilliseconds: number, found: Progress = progressOf(queue)): void {
    if (queue.socket.destroyed) return;
    if (!queue.hasBegun) {
      // A pool of connections that a client opens in advance would take a 408 for the answer to its first request.
      queue.socket.destroy();
      return;
    }
    if (queue.hasHeldWithin(heldMilliseconds)) {
      setTimeout(() => this.refuse(queue, heldMilliseconds, found), heldMilliseconds).unref();
      return;
    }
    this.#late.push({ queue, found });
    if (this.#late.length === 1) setImmediate(() => this.#answer());
  }

  #answer(): void {
    const count = Math.max(lateAnswersMin, Math.ceil(this.#late.length * lateAnswersShare));
    for (const { queue, found } of this.#late.splice(0, count)) {
      const { newest, isComplete } = progressOf(queue);
      // What was late may have arrived meanwhile.
      if (newest === found.newest && isComplete === found.isComplete) queue.refuse("REQUEST_TIMEOUT");
    }
    if (this.#late.length > 0) setTimeout(() => this.#answer(), lateIntervalMilliseconds).unref();
  }
}
