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

interface Connection {
  newest: ServerResponse | undefined;
  /** At the last sweep. */
  bytesRead: number;
  /** Sweeps since something came, or since the last answer left. */
  sweeps: number;
}

/**
 * Tracks the connections of a server, so that it can drain.
 *
 * @param server One that does not listen yet.
 * @returns Drains the server after a pause; done when the last connection is gone, at most `millisecondsMax` after the
 * pause.
 */
export function prepareDrain(server: Server): (pauseMilliseconds: number, millisecondsMax: number) => Promise<void> {
  const connections = new Map<Socket, Connection>();
  let isDraining = false;
  let accepted = 0;
  server.prependListener("connection", (socket) => {
    accepted++;
    connections.set(socket, { newest: undefined, bytesRead: 0, sweeps: 0 });
    socket.once("close", () => connections.delete(socket));
  });
  server.prependListener("request", follow);
  server.prependListener("checkExpectation", follow);
  server.prependListener("checkContinue", follow);

  return async (pauseMilliseconds, millisecondsMax) => {
    isDraining = true;
    for (const { newest } of connections.values()) if (newest !== undefined) closeAfter(newest);
    const deadline = setTimeout(() => {
      // By a reset: the newest may wait for an answer of HTTP/1.0 before it, which would look whole.
      for (const [socket, { newest }] of connections) {
        if (newest?.writableFinished === false) socket.resetAndDestroy();
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
  };

  function follow({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    const { newest } = connection;
    connection.newest = response;
    if (!isDraining) return;
    // The last of several requests that came together closes the connection, so that all are answered.
    if (newest !== undefined && !newest.headersSent) newest.removeHeader("Connection");
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
    for (const [socket, connection] of connections) {
      const { newest, bytesRead } = connection;
      const isClosing = connection.sweeps >= idleSweeps;
      const isIdle = (newest === undefined || newest.writableFinished) && bytesRead === socket.bytesRead;
      connection.bytesRead = socket.bytesRead;
      connection.sweeps = isClosing || isIdle ? connection.sweeps + 1 : 0;
      if (connection.sweeps === idleSweeps) socket.end();
      else if (connection.sweeps >= idleSweeps + closedSweeps) socket.destroy();
    }
  }
}

/** Ends a kept-alive connection with its present answer. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}
