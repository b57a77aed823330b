/**
 * What the people who run the service ask it, on a port of its own bound to loopback: no keys, no data.
 *
 *     GET  /live       200 while the process runs
 *     GET  /ready      200 while a snapshot is served, with what is served and what went wrong on the way; otherwise 503
 *     GET  /snapshot   what is served, in full
 *     GET  /metrics    figures for Prometheus
 *     POST /reload     serves what CURRENT names and answers when every thread does; 500 when the old snapshot stayed
 */
import { createServer, type Server, type ServerResponse } from "node:http";
import { type Instant, instantText } from "../domain/instant.ts";
import { storeBytes } from "../store/store.ts";
import { loadMilliseconds, type ServiceState } from "./service-state.ts";
import { tableRows } from "./table-rows.ts";

interface AdminPath {
  readonly methods: readonly string[];
  readonly answer: (response: ServerResponse, state: ServiceState) => Promise<void> | void;
}

const reading = ["GET", "HEAD"];

const paths: ReadonlyMap<string, AdminPath> = new Map([
  ["/live", { methods: reading, answer: (response) => answer(response, 200, { status: "live" }) }],
  ["/ready", { methods: reading, answer: answerReady }],
  ["/snapshot", { methods: reading, answer: answerSnapshot }],
  ["/metrics", { methods: reading, answer: answerMetrics }],
  ["/reload", { methods: ["POST"], answer: answerReload }],
]);

/**
 * @param onFailure Told of what an answer failed of; its client gets a 500.
 * @returns A server that is not listening yet.
 */
export function createAdminServer(state: ServiceState, onFailure: (error: Error) => void): Server {
  return createServer((request, response) => {
    const path = paths.get(request.url?.split("?")[0] ?? "");
    // Nothing that is sent here is looked at.
    request.resume();
    if (path === undefined) answer(response, 404, { error: "not_found", code: "NOT_FOUND" });
    else if (!path.methods.includes(request.method ?? "")) {
      response.setHeader("Allow", path.methods.join(", "));
      answer(response, 405, { error: "method_not_allowed", code: "METHOD_NOT_ALLOWED" });
    } else {
      answerPath(path, response).catch((error: Error) => {
        onFailure(error);
        answer(response, 500, { error: "internal_error", code: "INTERNAL_ERROR" });
      });
    }
  });

  async function answerPath(path: AdminPath, response: ServerResponse): Promise<void> {
    await path.answer(response, state);
  }
}

function answerReady(response: ServerResponse, state: ServiceState): void {
  const served = state.served();
  // A service whose threads have all died answers nobody until one has been replaced.
  if (served === undefined || state.listeningCount() === 0) {
    answer(response, 503, { status: "not ready" });
    return;
  }
  answer(response, 200, {
    status: "ready",
    snapshot: served.store.snapshot.id,
    prices: served.store.prices.rowCount,
    broken_snapshots: state.brokenSnapshots,
    reload_error: state.reloads?.last?.error ?? null,
  });
}

function answerSnapshot(response: ServerResponse, state: ServiceState): void {
  const served = state.served();
  if (served === undefined) {
    answer(response, 503, { status: "not ready" });
    return;
  }
  const { store, opened, loadedAt } = served;
  const { id, createdAt, note, attribution, parent } = store.snapshot;
  const last = state.reloads?.last;
  answer(response, 200, {
    id,
    created_at: instantText(createdAt),
    note,
    attribution,
    parent,
    rows: tableRows(store),
    bytes: storeBytes(store),
    origin: opened.origin,
    loaded_at: instantText(loadedAt as Instant),
    load_milliseconds: Math.round(loadMilliseconds(opened)),
    generation: state.generation(),
    threads: { wanted: state.wantedCount(), listening: state.listeningCount(), deaths: state.deaths() },
    broken_snapshots: state.brokenSnapshots,
    last_reload:
      last === undefined
        ? null
        : { ended_at: instantText(last.endedAt as Instant), changed: last.changed, error: last.error ?? null },
  });
}

async function answerMetrics(response: ServerResponse, state: ServiceState): Promise<void> {
  const registry = await registryOf(state);
  const text = await registry.metrics();
  response.writeHead(200, { "Content-Type": registry.contentType, "Cache-Control": "no-store" });
  response.end(text);
}

const registries = new WeakMap<ServiceState, ReturnType<typeof createRegistry>>();

/** The registry of a service, made when first asked for. */
function registryOf(state: ServiceState): ReturnType<typeof createRegistry> {
  const registry = registries.get(state) ?? createRegistry(state);
  registries.set(state, registry);
  return registry;
}

async function createRegistry(state: ServiceState): Promise<import("prom-client").Registry> {
  const { createMetrics } = await import("./metrics.ts");
  return createMetrics(state);
}

async function answerReload(response: ServerResponse, { reloads }: ServiceState): Promise<void> {
  if (reloads === undefined) {
    answer(response, 503, { status: "not ready" });
    return;
  }
  const { id, changed, milliseconds, error } = await reloads.request("request");
  if (error === undefined) answer(response, 200, { id, changed, milliseconds });
  else answer(response, 500, { error: { message: error }, id });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  response.end(`${JSON.stringify(body)}\n`);
}
