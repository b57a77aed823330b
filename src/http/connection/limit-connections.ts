/** The limit of connections, applied to the sockets of a server. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { BroadcastChannel } from "node:worker_threads";
import type { AddressSlots, Admission } from "../admission/admission.ts";
import { arrivalMilliseconds } from "../limits.ts";
import { Client, Clients } from "./client-address.ts";

/** How often a new connection that finds no room asks the other threads for some, and how long it waits each time. */
const asksMax = 20;
const askMilliseconds = 5;

/** New connections of a thread that wait for room at a time; they are open files beyond the limit. */
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

/**
 * Limits the connections of a server, and gives each socket an error listener for its whole life: Node removes its own
 * from some, and an error without a listener ends the thread.
 *
 * At a limit, the connection that has been idle for longest is closed for the new one: of the same address where that
 * has its share, otherwise any of this thread. Where none is idle, one whose request has not arrived whole for
 * `arrivalMilliseconds` is closed. Where this thread has none of these either, the others are asked to close one, and
 * the new one waits, unread, for up to 0.1 s; then it is refused. The connections of a trusted proxy are those of many
 * clients, so they have no share: what these may have is limited request by request.
 *
 * @param refuse Answers a socket, which is then closed.
 */
export function limitConnections(
  server: Server,
  admission: Admission,
  refuse: (socket: Socket) => void,
  clients: Clients = new Clients(),
): void {
  const admitted = new Map<Socket, Connection>();
  /** Connections without a request whose headers are complete, the longest idle first. */
  const idle = new Set<Connection>();
  /** Connections with a request, that of the oldest first. */
  const busy = new Set<Connection>();
  let waiting = 0;
  // The threads of a service share the seeds of these slots, and so the name; those of another service do not.
  const threads = new BroadcastChannel(`connections ${admission.slotsOf(new Client("127.0.0.1"))}`);
  threads.onmessage = ({ data }) => closeIdle((data as Ask).slots);
  threads.unref();
  server.once("close", () => threads.close());
  server.on("connection", receive);
  server.on("request", follow);
  server.on("checkExpectation", follow);

  function receive(socket: Socket): void {
    socket.on("error", () => undefined);
    const slots = clients.isProxy(socket) ? undefined : admission.slotsOf(clients.peerOf(socket));
    closeIdle(slots);
    if (admission.limitReached("connections", slots) === undefined || waiting >= waitingConnectionsMax) {
      admit(socket, slots);
    } else void admitLater(socket, slots);
  }

  async function admitLater(socket: Socket, slots: AddressSlots | undefined): Promise<void> {
    waiting++;
    socket.pause();
    await waitForRoom(threads, admission, slots);
    waiting--;
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
    const isCounted = (known: Connection): boolean =>
      limit === "total" || (known.slots?.[0] === slots?.[0] && known.slots?.[1] === slots?.[1]);
    const arrivedBefore = performance.now() - arrivalMilliseconds;
    const isLate = ({ newest, arrivedAt }: Connection): boolean =>
      newest?.complete === false && arrivedAt <= arrivedBefore;
    const found = idle.values().find(isCounted) ?? busy.values().find((known) => isLate(known) && isCounted(known));
    if (found === undefined) return;
    if (found.requests === 0) found.socket.destroy();
    // An answer of HTTP/1.0 before the late request would look whole.
    else found.socket.resetAndDestroy();
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

/** Asks the other threads to close a connection, until there is room or they have had enough time. */
async function waitForRoom(
  threads: BroadcastChannel,
  admission: Admission,
  slots: AddressSlots | undefined,
): Promise<void> {
  for (let asks = 0; asks < asksMax && admission.limitReached("connections", slots) !== undefined; asks++) {
    threads.postMessage({ slots } satisfies Ask);
    await delay(askMilliseconds);
  }
}
