import type { Server, ServerResponse } from "node:http";

/** How long requests that have started may take to end. Longer than any request is allowed to take. */
export const drainMilliseconds = 35_000;

/** How often connections are looked for whose last request has ended. */
const sweepMilliseconds = 50;

/**
 * Follows the requests of a server, so that it can be ended in good order: no new connections, requests that have
 * started end, all other connections are closed.
 *
 * @param server One that does not listen yet.
 * @returns Ends the server; done when the last connection is gone, or after a bounded time.
 */
export function prepareDrain(server: Server): () => Promise<void> {
  const responses = new Set<ServerResponse>();
  let isDraining = false;
  server.prependListener("request", (_request, response) => {
    if (isDraining) closeBehind(response);
    responses.add(response);
    response.once("close", () => responses.delete(response));
  });

  return async () => {
    isDraining = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    for (const response of responses) closeBehind(response);
    // An answer whose headers had left keeps its connection.
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMilliseconds);
    const deadline = setTimeout(() => server.closeAllConnections(), drainMilliseconds);
    await promise;
    clearInterval(sweep);
    clearTimeout(deadline);
  };
}

/** A kept-alive connection would carry request after request; its client is told that this one was the last. */
function closeBehind(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}
