/**
 * The admin port: for those who run the service, bound to loopback, without keys.
 *
 *     GET  /live       200 while the process runs
 *     GET  /ready      200 while a snapshot is served and every listening thread answers, with what is served and what
 *                      went wrong on the way; otherwise 503 with the reason, also from the moment the service is asked
 *                      to stop
 *     GET  /snapshot   what is served, in full
 *     GET  /metrics    figures for Prometheus
 *     POST /reload     serves what CURRENT names and answers when every thread does; 500 when the old snapshot stayed
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ByteText, byteText } from "../../contract/byte-text.ts";
import type { HeaderList } from "../../contract/reply-body.ts";
import { type Instant, instantText } from "../../engine/model/calendar.ts";
import { storeBytes } from "../../engine/store/store.ts";
import type { Reply } from "../http/answer/reply.ts";
import { sendText } from "../http/answer/send-reply.ts";
import { createHttpServer, type HttpServer } from "../http/connection/create-server.ts";
import { type AdminAccess, loopbackConnections } from "./admin-access.ts";
import type { FollowedAnnouncement, FollowerFigures } from "./follower.ts";
import { countRecords, loadMilliseconds, type ServiceState } from "./service-state.ts";

/** A reply whose text is there. */
interface Answer extends Reply {
  readonly type: string;
  readonly body: ByteText;
}

interface AdminPath {
  readonly methods: readonly string[];
  readonly answer: (state: ServiceState) => Answer | Promise<Answer>;
}

const readMethods = ["GET", "HEAD"];

const paths: ReadonlyMap<string, AdminPath> = new Map([
  ["/live", { methods: readMethods, answer: () => json(200, { status: "live" }) }],
  ["/ready", { methods: readMethods, answer: answerReady }],
  ["/snapshot", { methods: readMethods, answer: answerSnapshot }],
  ["/metrics", { methods: readMethods, answer: answerMetrics }],
  ["/reload", { methods: ["POST"], answer: answerReload }],
]);

const refusalNames = {
  400: { error: "bad_request", code: "BAD_REQUEST" },
  403: { error: "forbidden", code: "FORBIDDEN" },
} as const;

/** Every answer carries these headers. */
const commonHeaders: HeaderList = ["Cache-Control", "no-store", "X-Content-Type-Options", "nosniff"];

/**
 * @param access Decides which requests are accepted.
 * @param onFailure Called with what made an answer fail; the client gets a 500.
 * @returns A server that is not listening yet. It answers what is no request as the public port does.
 */
export function createAdminServer(
  state: ServiceState,
  access: AdminAccess,
  onFailure: (error: Error) => void,
): HttpServer {
  const created = createHttpServer(answerRequest, {
    connectionCounts: loopbackConnections(),
    currentStore: () => undefined,
    log: { info() {}, error() {} },
    // No page of another origin reads them.
    headers: { "X-Content-Type-Options": "nosniff" },
  });
  // A reload may take minutes.
  created.server.setTimeout(0);
  return created;

  function answerRequest(request: IncomingMessage, response: ServerResponse): void {
    const plainPath = request.url?.split("?")[0] ?? "";
    // Bodies are ignored.
    request.resume();
    const refusal = access(request);
    if (refusal !== undefined) {
      const { status, message } = refusal;
      send(request, response, json(status, { ...refusalNames[status], message }));
    } else {
      answerPath(paths.get(plainPath), request.method ?? "").then((answer) => send(request, response, answer));
    }
  }

  async function answerPath(path: AdminPath | undefined, method: string): Promise<Answer> {
    if (path === undefined) return json(404, { error: "not_found", code: "NOT_FOUND" });
    const { methods, answer } = path;
    if (!methods.includes(method)) {
      return json(405, { error: "method_not_allowed", code: "METHOD_NOT_ALLOWED" }, ["Allow", methods.join(", ")]);
    }
    try {
      return await answer(state);
    } catch (error) {
      onFailure(error as Error);
      return json(500, { error: "internal_error", code: "INTERNAL_ERROR" });
    }
  }
}

function answerReady(state: ServiceState): Answer {
  const { served, version } = state;
  if (state.isStopping) return json(503, { status: "stopping", ...version });
  const reason = state.unreadyReason();
  if (served === undefined || reason !== undefined) return json(503, { status: "not ready", reason, ...version });
  return json(200, {
    status: "ready",
    ...version,
    snapshot: served.opened.store.snapshot.id,
    prices: served.opened.store.prices.rowCount,
    broken_snapshots: state.brokenSnapshots,
    reload_error: state.reloads?.last?.error ?? null,
    ...sourceOfSnapshots(state),
  });
}

/** The pin, if there is one, and the origin that is followed, if there is one. */
function sourceOfSnapshots({ reloads, follower }: ServiceState): object {
  const { pin } = reloads ?? {};
  return {
    ...(pin && { pin: { id: pin.id, reason: pin.reason, pinned_at: instantText(pin.pinnedAt) } }),
    ...(follower && { follows: followedJson(follower.figures) }),
  };
}

function followedJson({ origin, announced, accepted, error, progress, stale }: FollowerFigures): object {
  return {
    origin,
    announced: announcedJson(announced ?? accepted),
    taken_over: announcedJson(accepted),
    fetched: progress === undefined ? null : { bytes: progress.bytes, bytes_total: progress.bytesTotal },
    stale_announcements: stale,
    error: error ?? null,
  };
}

function announcedJson(announcement: FollowedAnnouncement | undefined): object | null {
  if (announcement === undefined) return null;
  const { sequence, snapshot, announcedAt } = announcement;
  return { sequence, snapshot, announced_at: instantText(announcedAt) };
}

function answerSnapshot(state: ServiceState): Answer {
  const { served } = state;
  if (served === undefined) return json(503, { status: "not ready" });
  const { opened, loadedAt } = served;
  const { store } = opened;
  const { id, createdAt, note, attribution, parent } = store.snapshot;
  const last = state.reloads?.last;
  return json(200, {
    id,
    created_at: instantText(createdAt),
    note,
    attribution,
    parent,
    rows: countRecords(store),
    bytes: storeBytes(store),
    origin: opened.origin,
    loaded_at: instantText(loadedAt as Instant),
    load_milliseconds: Math.round(loadMilliseconds(opened)),
    generation: state.generation(),
    threads: { wanted: state.wantedCount(), listening: state.listeningCount(), deaths: state.deaths() },
    broken_snapshots: state.brokenSnapshots,
    ...sourceOfSnapshots(state),
    last_reload:
      last === undefined
        ? null
        : { ended_at: instantText(last.endedAt as Instant), changed: last.changed, error: last.error ?? null },
  });
}

async function answerMetrics(state: ServiceState): Promise<Answer> {
  const { readMetrics } = await import("./metrics.ts");
  const registry = await readMetrics(state);
  return {
    status: 200,
    type: registry.contentType,
    headers: commonHeaders,
    body: byteText(await registry.metrics()),
  };
}

async function answerReload({ reloads, version }: ServiceState): Promise<Answer> {
  if (reloads === undefined) return json(503, { status: "not ready" });
  const { id, changed, milliseconds, error } = await reloads.request("request");
  return error === undefined
    ? json(200, { id, changed, milliseconds, ...version })
    : json(500, { error: { message: error }, id, ...version });
}

function json(status: number, body: object, more: HeaderList = []): Answer {
  const text = byteText(`${JSON.stringify(body)}\n`);
  return { status, type: "application/json", headers: [...more, ...commonHeaders], body: text };
}

function send(request: IncomingMessage, response: ServerResponse, { status, type, headers, body }: Answer): void {
  sendText(request, response, status, ["Content-Type", type, ...headers], body);
}
