/**
 * What the people who run the service ask it, on a port of its own bound to loopback: no keys, no data.
 *
 *     GET  /live       200 while the process runs
 *     GET  /ready      200 while a snapshot is served, with what is served and what went wrong on the way; otherwise 503
 *     GET  /snapshot   what is served, in full
 *     GET  /metrics    figures for Prometheus
 *     POST /reload     serves what CURRENT names and answers when every thread does; 500 when the old snapshot stayed
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type Instant, instantText } from "../domain/instant.ts";
import { Admission, admissionLimits, createAdmissionMemory, limitConnections } from "../http/admission.ts";
import { adminConnectionsMax } from "../http/limits.ts";
import { storeBytes } from "../store/size.ts";
import type { AdminAccess } from "./admin-access.ts";
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

const refusalNames = {
  400: { error: "bad_request", code: "BAD_REQUEST" },
  403: { error: "forbidden", code: "FORBIDDEN" },
} as const;

/** What every answer carries. */
const commonHeaders = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/**
 * @param access Which requests are taken.
 * @param onFailure Told of what an answer failed of; its client gets a 500.
 * @returns A server that is not listening yet.
 */
export function createAdminServer(state: ServiceState, access: AdminAccess, onFailure: (error: Error) => void): Server {
  // Node's own answers to a request without Host and to an unknown expectation would have no body.
  const server = createServer({ requireHostHeader: false }, takeUp);
  server.on("checkExpectation", takeUp);
  server.on("clientError", answerBroken);
  const limits = admissionLimits({ total: adminConnectionsMax, perAddress: adminConnectionsMax });
  limitConnections(server, new Admission(createAdmissionMemory(0), limits, 0), (socket) => socket.destroy());
  return server;

  function takeUp(request: IncomingMessage, response: ServerResponse): void {
    const path = paths.get(request.url?.split("?")[0] ?? "");
    // Nothing that is sent here is looked at.
    request.resume();
    const refusal = access(request);
    if (refusal !== undefined)
      answer(response, refusal.status, { ...refusalNames[refusal.status], message: refusal.message });
    else if (path === undefined) answer(response, 404, { error: "not_found", code: "NOT_FOUND" });
    else if (!path.methods.includes(request.method ?? "")) {
      response.setHeader("Allow", path.methods.join(", "));
      answer(response, 405, { error: "method_not_allowed", code: "METHOD_NOT_ALLOWED" });
    } else {
      answerPath(path, response).catch((error: Error) => {
        onFailure(error);
        answer(response, 500, { error: "internal_error", code: "INTERNAL_ERROR" });
      });
    }
  }

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
  response.writeHead(200, { ...commonHeaders, "Content-Type": registry.contentType });
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
  const text = `${JSON.stringify(body)}\n`;
  const length = String(Buffer.byteLength(text));
  response.writeHead(status, { ...commonHeaders, "Content-Type": "application/json", "Content-Length": length });
  response.end(text);
}

/** Node's codes of broken requests → status; every other one is 400. */
const statusByCause: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers what was no request, then closes the connection: what follows on it cannot be understood. */
function answerBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Bytes behind a request that said it was the last; its answer ends the connection.
  if (error.code === "HPE_CLOSED_CONNECTION") return;
  // An error of the system's: the client has gone.
  if (!socket.writable || error.syscall !== undefined) {
    socket.destroy();
    return;
  }
  const status = statusByCause[error.code ?? ""] ?? 400;
  const message = `the request is not well-formed (${error.code})`;
  const body = `${JSON.stringify({ ...refusalNames[400], message })}\n`;
  const headers = { ...commonHeaders, "Content-Type": "application/json", "Content-Length": body.length };
  const lines = Object.entries({ ...headers, Connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`, () => socket.destroy());
}
