/** The requests of one connection, which are answered one after another. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ApiError, type ApiErrorCode } from "../../../contract/errors.ts";
import { asksForUpgrade } from "../input/receive-request.ts";
import { closeInOrder } from "./close-connection.ts";
import { RequestFeed } from "./feed-requests.ts";

/** The callback of the app. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A request whose headers were good, with its response. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether the app has it. */
  isStarted: boolean;
  /** What broke its body before the app had it. */
  failure: ApiError | undefined;
}

export class RequestQueue {
  readonly socket: Socket;
  readonly #feed: RequestFeed;
  readonly #handle: Handle;
  readonly #answerBroken: (error: ApiError) => void;
  #newest: Exchange | undefined;

  /**
   * @param socket One that Node's own listener of `connection` has had.
   * @param answerBroken Answers what could not be read as a request, and ends the connection.
   */
  constructor(socket: Socket, handle: Handle, answerBroken: (error: ApiError) => void) {
    this.socket = socket;
    this.#feed = new RequestFeed(socket);
    this.#handle = handle;
    this.#answerBroken = answerBroken;
    closeInOrder(socket, () => this.#feed.drop());
  }

  /** Whether bytes of the client are held back, or were so many milliseconds ago or later. */
  hasHeldWithin(milliseconds: number): boolean {
    return this.#feed.hasHeldWithin(milliseconds);
  }

  /** Whether anything of a request has come. */
  get hasBegun(): boolean {
    return this.#feed.hasBegun;
  }

  /** The newest request, also where its body has not arrived. */
  get newest(): IncomingMessage | undefined {
    return this.#newest?.request;
  }

  /** Passes a request to the app once all before it are answered, so that few answers wait to be read. */
  add(request: IncomingMessage, response: ServerResponse): void {
    const feed = this.#feed;
    if (feed.isDropping) {
      // The last answer has left. An unread body would stop the reading of the connection.
      request.resume();
      return;
    }
    feed.noteHeaders(request);
    if (request.headers.upgrade !== undefined && asksForUpgrade(request) && !feed.takeBack(request)) {
      response.shouldKeepAlive = false;
    }
    const before = this.#newest?.response;
    const exchange: Exchange = { request, response, isStarted: false, failure: undefined };
    this.#newest = exchange;
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

  /** Answers what is broken or late, behind the answers to the requests before it, and ends the connection. */
  refuse(code: ApiErrorCode, message?: string): void {
    if (this.#feed.isDropping) return;
    this.#feed.drop();
    const error = new ApiError(code, message, { headers: { Connection: "close" } });
    const newest = this.#newest;
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
