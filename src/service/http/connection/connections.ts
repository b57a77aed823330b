/** The connections of a server: their limit, and the requests that they carry. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { BroadcastChannel } from "node:worker_threads";
import { arrivalMilliseconds } from "../../../contract/limits.ts";
import { Client, Clients } from "../request/client-address.ts";
import { announcesBody } from "../request/read-request.ts";
import type { AddressSlots, ConnectionCounts } from "./connection-counts.ts";

/** How often a new connection that finds no room asks the other threads for some, and how long it waits each time. */
const asksMax = 10;
const askMilliseconds = 10;

/**
 * New connections of a thread that wait for room at a time, one of each address; they are open files beyond the limit.
 */
export const waitingConnectionsMax = 8;

/** A connection that is open. */
interface Connection {
  readonly socket: Socket;
  /** Undefined for one of a trusted proxy, which counts only towards the total. */
  readonly slots: AddressSlots | undefined;
  /** Requests whose headers have arrived and whose answers have not left. */
  requests: number;
  /** The newest request and its response. */
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  /** When the headers of the newest request arrived, by `performance.now()`. */
  arrivedAt: number;
  /** The number of the change that made it idle or busy, counted over all connections. */
  changedBy: number;
}

/** To the other threads: a new connection with these slots finds no room. */
interface Ask {
  readonly slots: AddressSlots | undefined;
}

/** Answers a socket, which is then closed. @param isOwn True if its address has its share. */
type Refuse = (socket: Socket, isOwn: boolean) => void;

export interface ConnectionsOptions {
  /** Who clients are; no proxy is trusted when absent. */
  readonly clients?: Clients | undefined;
  /**
   * True if other threads have connections under the same limits. Then the sockets of the server must be read through a
   * `RequestFeed`: Node alone goes on reading one that was paused when it connected.
   */
  readonly hasOtherThreads?: boolean | undefined;
}

/**
 * Limits the connections of a server, and gives each socket an error listener for its whole life: Node removes its own
 * from some, and an error without a listener ends the thread.
 *
 * At a limit, the connection that has been idle for longest is closed for the new one: of the same address where that
 * has its share, otherwise any of this thread. Where none is idle, one whose request has not arrived whole for
 * `arrivalMilliseconds` is closed. Where this thread has none of these either, the others are asked to close one, and
 * the new one waits, unread, for about 0.1 s at most; then it is refused. The connections of a trusted proxy are those
 * of many clients, so they have no share: what these may have is limited request by request.
 */
export class Connections implements Iterable<Connection> {
  readonly #open = new Map<Socket, Connection>();
  /** Changes between idle and busy so far: to number them costs a request less than to keep connections in order. */
  #changes = 0;
  /** The addresses of new connections that wait for room. */
  readonly #waiting: string[] = [];
  readonly #counts: ConnectionCounts;
  readonly #clients: Clients;
  readonly #refuse: Refuse;
  readonly #threads: BroadcastChannel | undefined;

  constructor(
    server: Server,
    counts: ConnectionCounts,
    refuse: Refuse,
    { clients = new Clients(), hasOtherThreads = false }: ConnectionsOptions = {},
  ) {
    this.#counts = counts;
    this.#clients = clients;
    this.#refuse = refuse;
    this.#threads = hasOtherThreads ? connectThreads(server, counts, (slots) => this.#closeIdle(slots)) : undefined;
    const follow = (request: IncomingMessage, response: ServerResponse): void => this.#follow(request, response);
    server.on("connection", (socket: Socket) => this.#receive(socket));
    server.on("request", follow);
    server.on("checkExpectation", follow);
    server.on("checkContinue", follow);
  }

  /** Iterates over the open ones. */
  [Symbol.iterator](): Iterator<Connection> {
    return this.#open.values();
  }

  /** The newest response on a socket, undefined where its requests are answered. */
  responseOn(socket: Socket): ServerResponse | undefined {
    return this.#open.get(socket)?.response;
  }

  #receive(socket: Socket): void {
    socket.on("error", () => undefined);
    const slots = this.#clients.isProxy(socket) ? undefined : this.#counts.slotsOf(this.#clients.peerOf(socket));
    this.#closeIdle(slots);
    if (this.#threads === undefined || !this.#isFull(slots) || !this.#mayWait(slots)) this.#admit(socket, slots);
    else void this.#admitLater(this.#threads, socket, slots);
  }

  #isFull(slots: AddressSlots | undefined): boolean {
    return this.#counts.limitReached(slots) !== undefined;
  }

  #mayWait(slots: AddressSlots | undefined): boolean {
    const waiting = this.#waiting;
    return waiting.length < waitingConnectionsMax && (slots === undefined || !waiting.includes(String(slots)));
  }

  async #admitLater(threads: BroadcastChannel, socket: Socket, slots: AddressSlots | undefined): Promise<void> {
    const waiting = this.#waiting;
    waiting.push(String(slots));
    socket.pause();
    for (let asks = 0; asks < asksMax && !socket.destroyed && this.#isFull(slots); asks++) {
      threads.postMessage({ slots } satisfies Ask);
      await delay(askMilliseconds);
      // One of this thread may be idle by now.
      this.#closeIdle(slots);
    }
    waiting.splice(waiting.indexOf(String(slots)), 1);
    if (socket.destroyed) return;
    socket.resume();
    this.#admit(socket, slots);
  }

  #admit(socket: Socket, slots: AddressSlots | undefined): void {
    if (!this.#counts.acquire(slots)) {
      this.#refuse(socket, this.#counts.limitReached(slots) === "perAddress");
      socket.destroy();
      return;
    }
    const changedBy = ++this.#changes;
    const connection = { socket, slots, requests: 0, request: undefined, response: undefined, arrivedAt: 0, changedBy };
    this.#open.set(socket, connection);
    socket.once("close", () => this.#release(connection));
  }

  #follow(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    if (connection === undefined) return;
    if (++connection.requests === 1) connection.changedBy = ++this.#changes;
    connection.request = request;
    connection.response = response;
    if (announcesBody(request)) connection.arrivedAt = performance.now();
    // Not `once`: it makes two more calls for each request.
    response.on("close", () => {
      if (--connection.requests > 0) return;
      connection.request = undefined;
      connection.response = undefined;
      connection.changedBy = ++this.#changes;
    });
  }

  #closeIdle(slots: AddressSlots | undefined): void {
    const limit = this.#counts.limitReached(slots);
    if (limit === undefined) return;
    const found = findClosable(this.#open.values(), limit === "total" ? null : slots);
    if (found === undefined) return;
    breakOff(found);
    this.#release(found);
  }

  #release(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return;
    this.#counts.release(connection.slots);
  }
}

/** A channel to the other threads of the service. @param onAsk Called with what they ask. */
function connectThreads(
  server: Server,
  counts: ConnectionCounts,
  onAsk: (slots: AddressSlots | undefined) => void,
): BroadcastChannel {
  // The threads of a service share the seeds of these slots, and so the name; those of another service do not.
  const threads = new BroadcastChannel(`connections ${counts.slotsOf(new Client("127.0.0.1"))}`);
  threads.onmessage = ({ data }) => onAsk((data as Ask).slots);
  threads.unref();
  server.once("close", () => threads.close());
  return threads;
}

/**
 * The connection to close for a new one: the one that has been idle for longest, otherwise the one that has been busy
 * for longest of those whose request is late. Cost: a look at each, at a limit alone; 12 µs for 5,000.
 *
 * @param slots The slots of its address; null where any will do.
 */
function findClosable(open: Iterable<Connection>, slots: AddressSlots | undefined | null): Connection | undefined {
  const arrivedBefore = performance.now() - arrivalMilliseconds;
  let idle: Connection | undefined;
  let late: Connection | undefined;
  for (const known of open) {
    if (slots !== null && (known.slots?.[0] !== slots?.[0] || known.slots?.[1] !== slots?.[1])) continue;
    if (known.requests === 0) idle = earlier(idle, known);
    else if (known.request?.complete === false && known.arrivedAt <= arrivedBefore) late = earlier(late, known);
  }
  return idle ?? late;
}

/** The one whose last change was first. */
function earlier(found: Connection | undefined, other: Connection): Connection {
  return found !== undefined && found.changedBy < other.changedBy ? found : other;
}

function breakOff({ socket, requests }: Connection): void {
  if (requests === 0) socket.destroy();
  // An answer of HTTP/1.0 before the late request would look whole.
  else socket.resetAndDestroy();
}
