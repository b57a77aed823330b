import type { Server, ServerResponse } from "node:http";

/** How long requests that have started may take to end: longer than any request is allowed to take. */
export const drainMillisecondsMax = 35_000;

/** How often idle connections are closed while draining. */
const sweepMilliseconds = 50;

/**
 * Tracks the requests of a server, so that it can drain: no new connections, requests that have started end, all other
 * connections are closed.
 *
 * @param server One that does not listen yet.
 * @returns Drains the server; done when the last connection is gone, or after a bounded time.
 */
export function prepareDrain(server: Server): () => Promise<void> {
  const responses = new Set<ServerResponse>();
  let isDraining = false;
  server.prependListener("request", (_request, response) => {
    if (isDraining) closeAfter(response);
    responses.add(response);
    response.once("close", () => responses.delete(response));
  });

  return async () => {
    isDraining = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    for (const response of responses) closeAfter(response);
    // An answer whose headers had left keeps its connection.
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMilliseconds);
    const deadline = setTimeout(() => server.closeAllConnections(), drainMillisecondsMax);
    await promise;
    clearInterval(sweep);
    clearTimeout(deadline);
  };
}

/** Ends a kept-alive connection with its present answer. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}
