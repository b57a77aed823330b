/** The connections of a server: their limit, and the requests that they carry. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { arrivalMilliseconds } from "../../../contract/limits.ts";
import { type Client, Clients } from "../request/client-address.ts";
import { announcesBody } from "../request/read-request.ts";
import type { ConnectionCounts } from "./connection-counts.ts";

/** A connection that is open. */
interface Connection {
  readonly socket: Socket;
  /** Undefined for one of a trusted proxy, which counts only towards the total. */
  readonly client: Client | undefined;
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

/** Answers a socket, which is then closed. @param isOwn True if its address has its share. */
type Refuse = (socket: Socket, isOwn: boolean) => void;

/**
 * Limits the connections of a server, and gives each socket an error listener for its whole life: Node removes its own
 * from some, and an error without a listener ends the thread.
 *
 * At a limit, the connection that has been idle for longest is closed for the new one: of the same address where that
 * has its share, otherwise any. Where none is idle, one whose request has not arrived whole for
 * `arrivalMilliseconds` is closed; where there is none of these either, the new one is refused. The connections of a
 * trusted proxy are those of many clients, so they have no share: what these may have is limited request by request.
 */
export class Connections implements Iterable<Connection> {
  readonly #open = new Map<Socket, Connection>();
  /** Changes between idle and busy so far: to number them costs a request less than to keep connections in order. */
  #changes = 0;
  readonly #counts: ConnectionCounts;
  readonly #clients: Clients;
  readonly #refuse: Refuse;

  /** @param clients Who clients are; no proxy is trusted when absent. */
  constructor(server: Server, counts: ConnectionCounts, refuse: Refuse, clients: Clients = new Clients()) {
    this.#counts = counts;
    this.#clients = clients;
    this.#refuse = refuse;
    server.on("connection", (socket: Socket) => this.#receive(socket));
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
    const client = this.#clients.isProxy(socket) ? undefined : this.#clients.peerOf(socket);
    const limit = this.#counts.limitReached(client);
    if (limit !== undefined && !this.#closeOne(limit === "total" ? undefined : client)) {
      this.#counts.refuse();
      this.#refuse(socket, limit === "perAddress");
      socket.destroy();
      return;
    }
    this.#counts.acquire(client);
    const changedBy = ++this.#changes;
    const connection = {
      socket,
      client,
      requests: 0,
      request: undefined,
      response: undefined,
      arrivedAt: 0,
      changedBy,
    };
    this.#open.set(socket, connection);
    socket.once("close", () => this.#release(connection));
  }

  /** Must be called with each request when its headers have arrived. */
  follow(request: IncomingMessage, response: ServerResponse): void {
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

  /** Makes room for a connection. @param client Whose connection it is; undefined where any will do. */
  #closeOne(client: Client | undefined): boolean {
    const found = findClosable(this.#open.values(), client?.network);
    if (found === undefined) return false;
    breakOff(found);
    this.#release(found);
    return true;
  }

  #release(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return;
    this.#counts.release(connection.client);
  }
}

/**
 * The connection to close for a new one: the one that has been idle for longest, otherwise the one that has been busy
 * for longest of those whose request is late. Cost: a look at each, at a limit alone; 12 µs for 5,000.
 *
 * @param network That of its client; undefined where any will do.
 */
function findClosable(open: Iterable<Connection>, network: string | undefined): Connection | undefined {
  const arrivedBefore = performance.now() - arrivalMilliseconds;
  let idle: Connection | undefined;
  let late: Connection | undefined;
  for (const known of open) {
    if (network !== undefined && known.client?.network !== network) continue;
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
