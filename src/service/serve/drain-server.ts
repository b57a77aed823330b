/**
 * The orderly end of a server. From the first moment every answer says `Connection: close`, so clients leave by
 * themselves. Then comes a pause in which everything is still answered, so that load balancers can see that the service
 * is not ready. Then the port is closed, requests that have started end, and idle connections are half-closed.
 *
 * Nothing idle is destroyed: a request may be on its way, and would find its connection reset. So a connection is
 * half-closed only when nothing has come for a while, and then still read for a while.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type Socket, Server as SocketServer } from "node:net";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import type { Connections } from "../http/connection/connections.ts";

/** Time for which a stop may take after the pause. */
export const stopMillisecondsMax = 35_000;

/**
 * The part of it in which requests that have started may end: longer than a request may take to arrive. Then their
 * threads end, and the admin port is closed in what is left.
 */
export const drainShare = 0.9;

/** Interval at which idle connections are checked after the pause. */
const sweepMilliseconds = 50;

/** A connection on which nothing came in so many sweeps is half-closed: longer than a request is on its way. */
const idleSweeps = 5;

/** After so many sweeps more it is destroyed: the time for its client to see the end and to close its side. */
const closedSweeps = 20;

/** The port is closed after so many turns of the event loop, also while connections keep coming. */
const acceptingTurnsMax = 100;

/** What was seen of a connection. */
interface Sweep {
  /** At the last sweep. */
  readonly bytesRead: number;
  /** Sweeps since something came, or since the last answer left. */
  readonly sweeps: number;
}

/**
 * Drains a server after a pause.
 *
 * @param connections Those of the server.
 * @returns Done when the last connection is gone, at most `millisecondsMax` after the pause.
 */
export async function drainServer(
  server: Server,
  connections: Connections,
  pauseMilliseconds: number,
  millisecondsMax: number,
): Promise<void> {
  const seen = new WeakMap<Socket, Sweep>();
  let accepted = 0;
  server.on("connection", () => void accepted++);
  server.prependListener("request", closeAfterNewest);
  server.prependListener("checkExpectation", closeAfterNewest);
  server.prependListener("checkContinue", closeAfterNewest);
  for (const { response } of connections) if (response !== undefined) closeAfter(response);
  const deadline = setTimeout(() => {
    // By a reset: the newest may wait for an answer of HTTP/1.0 before it, which would look whole.
    for (const { socket, response } of connections) {
      if (response?.writableFinished === false) socket.resetAndDestroy();
    }
    server.closeAllConnections();
  }, pauseMilliseconds + millisecondsMax);
  if (pauseMilliseconds > 0) await delay(pauseMilliseconds);
  await takeAccepted();
  const { promise, resolve } = Promise.withResolvers<void>();
  // Not the method of the HTTP server, which destroys idle connections.
  SocketServer.prototype.close.call(server, () => resolve());
  const sweep = setInterval(sweepIdle, sweepMilliseconds);
  await promise;
  clearInterval(sweep);
  clearTimeout(deadline);
  // Ends its timer.
  server.close();

  function closeAfterNewest({ socket }: IncomingMessage, response: ServerResponse): void {
    // The last of several requests that came together closes the connection, so that all are answered. The connections
    // do not know of this request yet, because this listener comes first.
    const before = connections.responseOn(socket);
    if (before?.headersSent === false) before.removeHeader("Connection");
    closeAfter(response);
  }

  /** Takes the connections that the system has accepted, because closing the port would reset them. */
  async function takeAccepted(): Promise<void> {
    for (let turn = 0; turn < acceptingTurnsMax; turn++) {
      const before = accepted;
      await nextTurn();
      if (accepted === before) return;
    }
  }

  function sweepIdle(): void {
    for (const { socket, response } of connections) {
      const before = seen.get(socket) ?? { bytesRead: 0, sweeps: 0 };
      const isClosing = before.sweeps >= idleSweeps;
      const isIdle = response === undefined && before.bytesRead === socket.bytesRead;
      const sweeps = isClosing || isIdle ? before.sweeps + 1 : 0;
      seen.set(socket, { bytesRead: socket.bytesRead, sweeps });
      if (sweeps === idleSweeps) socket.end();
      else if (sweeps >= idleSweeps + closedSweeps) socket.destroy();
    }
  }
}

/** Ends a kept-alive connection with its present answer. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}
