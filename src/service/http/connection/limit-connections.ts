/** The limit of connections, applied to the sockets of a server. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { BroadcastChannel } from "node:worker_threads";
import { arrivalMilliseconds } from "../../../contract/limits.ts";
import type { AddressSlots, Admission } from "../admission/admission.ts";
import { Client, Clients } from "./client-address.ts";

/** How often a new connection that finds no room asks the other threads for some, and how long it waits each time. */
const asksMax = 10;
const askMilliseconds = 10;

/**
 * New connections of a thread that wait for room at a time, one of each address; they are open files beyond the limit.
 */
export const waitingConnectionsMax = 8;

interface Connection {
  readonly socket: Socket;
  /** Undefined for one of a trusted proxy, which counts only towards the total. */
  readonly slots: AddressSlots | undefined;
  /** Requests whose headers have arrived and whose answers have not left. */
  requests: number;
  newest: IncomingMessage | undefined;
  /** When the headers of the newest request arrived, by `performance.now()`. */
  arrivedAt: number;
}

/** To the other threads: a new connection with these slots finds no room. */
interface Ask {
  readonly slots: AddressSlots | undefined;
}

export interface ConnectionLimitOptions {
  /** Who clients are; no proxy is trusted when absent. */
  readonly clients?: Clients | undefined;
  /**
   * Whether other threads have connections under the same limits. Then the sockets of the server must be read through
   * a `RequestFeed`: Node alone goes on reading one that was paused when it connected.
   */
  readonly hasOtherThreads?: boolean;
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
 *
 * @param refuse Answers a socket, which is then closed.
 */
export function limitConnections(
  server: Server,
  admission: Admission,
  refuse: (socket: Socket) => void,
  { clients = new Clients(), hasOtherThreads = false }: ConnectionLimitOptions = {},
): void {
  const admitted = new Map<Socket, Connection>();
  /** Connections without a request whose headers are complete, the longest idle first. */
  const idle = new Set<Connection>();
  /** Connections with a request, that of the oldest first. */
  const busy = new Set<Connection>();
  /** The addresses of new connections that wait for room. */
  const waiting: string[] = [];
  const threads = hasOtherThreads ? connectThreads(server, admission, closeIdle) : undefined;
  server.on("connection", receive);
  server.on("request", follow);
  server.on("checkExpectation", follow);
  server.on("checkContinue", follow);

  function receive(socket: Socket): void {
    socket.on("error", () => undefined);
    const slots = clients.isProxy(socket) ? undefined : admission.slotsOf(clients.peerOf(socket));
    closeIdle(slots);
    if (threads === undefined || !isFull(slots) || !mayWait(slots)) admit(socket, slots);
    else void admitLater(threads, socket, slots);
  }

  function isFull(slots: AddressSlots | undefined): boolean {
    return admission.limitReached("connections", slots) !== undefined;
  }

  function mayWait(slots: AddressSlots | undefined): boolean {
    return waiting.length < waitingConnectionsMax && (slots === undefined || !waiting.includes(String(slots)));
  }

  async function admitLater(threads: BroadcastChannel, socket: Socket, slots: AddressSlots | undefined): Promise<void> {
    waiting.push(String(slots));
    socket.pause();
    for (let asks = 0; asks < asksMax && !socket.destroyed && isFull(slots); asks++) {
      threads.postMessage({ slots } satisfies Ask);
      await delay(askMilliseconds);
      // One of this thread may be idle by now.
      closeIdle(slots);
    }
    waiting.splice(waiting.indexOf(String(slots)), 1);
    if (socket.destroyed) return;
    socket.resume();
    admit(socket, slots);
  }

  function admit(socket: Socket, slots: AddressSlots | undefined): void {
    if (!admission.acquire("connections", slots)) {
      refuse(socket);
      socket.destroy();
      return;
    }
    const connection = { socket, slots, requests: 0, newest: undefined, arrivedAt: 0 };
    admitted.set(socket, connection);
    idle.add(connection);
    socket.once("close", () => release(connection));
  }

  function follow(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = admitted.get(socket);
    if (connection === undefined) return;
    connection.requests++;
    connection.newest = request;
    connection.arrivedAt = performance.now();
    idle.delete(connection);
    busy.add(connection);
    response.once("close", () => {
      connection.requests--;
      if (connection.requests > 0 || !admitted.has(socket)) return;
      connection.newest = undefined;
      busy.delete(connection);
      idle.add(connection);
    });
  }

  function closeIdle(slots: AddressSlots | undefined): void {
    const limit = admission.limitReached("connections", slots);
    if (limit === undefined) return;
    const found = findClosable(idle, busy, limit === "total" ? null : slots);
    if (found === undefined) return;
    breakOff(found);
    release(found);
  }

  function release({ socket, slots }: Connection): void {
    const connection = admitted.get(socket);
    if (connection === undefined) return;
    admitted.delete(socket);
    idle.delete(connection);
    busy.delete(connection);
    admission.release("connections", slots);
  }
}

/** A channel to the other threads of the service. @param onAsk Called with what they ask. */
function connectThreads(
  server: Server,
  admission: Admission,
  onAsk: (slots: AddressSlots | undefined) => void,
): BroadcastChannel {
  // The threads of a service share the seeds of these slots, and so the name; those of another service do not.
  const threads = new BroadcastChannel(`connections ${admission.slotsOf(new Client("127.0.0.1"))}`);
  threads.onmessage = ({ data }) => onAsk((data as Ask).slots);
  threads.unref();
  server.once("close", () => threads.close());
  return threads;
}

/** The connection to close for a new one. @param slots Those of its address; null where any will do. */
function findClosable(
  idle: ReadonlySet<Connection>,
  busy: ReadonlySet<Connection>,
  slots: AddressSlots | undefined | null,
): Connection | undefined {
  const isCounted = (known: Connection): boolean =>
    slots === null || (known.slots?.[0] === slots?.[0] && known.slots?.[1] === slots?.[1]);
  const arrivedBefore = performance.now() - arrivalMilliseconds;
  const isLate = ({ newest, arrivedAt }: Connection): boolean =>
    newest?.complete === false && arrivedAt <= arrivedBefore;
  return idle.values().find(isCounted) ?? busy.values().find((known) => isLate(known) && isCounted(known));
}

function breakOff({ socket, requests }: Connection): void {
  if (requests === 0) socket.destroy();
  // An answer of HTTP/1.0 before the late request would look whole.
  else socket.resetAndDestroy();
}
