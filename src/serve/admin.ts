/**
 * What the people who run the service ask it, on a port of its own bound to loopback: no keys, no data.
 *
 *     GET /live    200 while the process runs
 *     GET /ready   200 while a snapshot is served, with what is served and what went wrong on the way; otherwise 503
 */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { Store } from "../store/store.ts";

/** What the admin port tells. */
export interface ServiceState {
  readonly currentStore: () => Store | undefined;
  /** Snapshots that were found broken before the one being served was loaded, newest first. */
  readonly brokenSnapshots: readonly string[];
}

/** @returns A server that is not listening yet. */
export function createAdminServer(state: ServiceState): Server {
  return createServer((request, response) => {
    const path = request.url?.split("?")[0];
    if (path !== "/live" && path !== "/ready") answer(response, 404, { error: "not_found", code: "NOT_FOUND" });
    else if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      answer(response, 405, { error: "method_not_allowed", code: "METHOD_NOT_ALLOWED" });
    } else if (path === "/live") answer(response, 200, { status: "live" });
    else answerReady(response, state);
  });
}

function answerReady(response: ServerResponse, { currentStore, brokenSnapshots }: ServiceState): void {
  const store = currentStore();
  if (store === undefined) {
    answer(response, 503, { status: "not ready" });
    return;
  }
  answer(response, 200, {
    status: "ready",
    snapshot: store.snapshot.id,
    prices: store.prices.rowCount,
    broken_snapshots: brokenSnapshots,
  });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  response.end(`${JSON.stringify(body)}\n`);
}
