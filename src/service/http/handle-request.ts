/**
 * The order of work of a request, top to bottom. Nothing under the prefix is answered without a valid key, OPTIONS
 * apart; the key is checked and pays a token of its limit before the body is read, and the signature is checked after
 * it. Whatever is elsewhere needs no key, and a request for it pays a token of the limit of its address, except for
 * files that never change.
 */

import type { IncomingMessage } from "node:http";
import type Koa from "koa";
import {
  type Access,
  type Endpoint,
  endpointName,
  isFromStore,
  type RollupTextSource,
} from "../../contract/endpoint.ts";
import { ApiError, wrongText } from "../../contract/errors.ts";
import { snapshotHeader } from "../../contract/header-names.ts";
import { refusalMilliseconds } from "../../contract/limits.ts";
import { apiPrefix } from "../../contract/paths.ts";
import type { HeaderList } from "../../contract/reply-body.ts";
import { snapshotIdPattern } from "../../engine/model/ids.ts";
import type { Store } from "../../engine/store/store.ts";
import type { KeyEntry } from "../auth/key-record.ts";
import { ClientGoneError, NoPlaceError } from "./admission/admission.ts";
import { authenticateKey, authenticateSignature } from "./admission/authenticate.ts";
import type { AnswerCache } from "./answer/answer-cache.ts";
import { type ErrorReplyDependencies, errorReply } from "./answer/error-reply.ts";
import type { Reply } from "./answer/reply.ts";
import type { TagOf } from "./answer/representation.ts";
import { acceptedCodings } from "./answer/representation.ts";
import { sendReply } from "./answer/send-reply.ts";
import type { AppDependencies } from "./app-dependencies.ts";
import type { Handle } from "./connection/create-server.ts";
import { Clients } from "./request/client-address.ts";
import type { Context, RequestState } from "./request/context.ts";
import {
  createInputReader,
  isBelowPrefix,
  loggedTarget,
  newRequest,
  readBody,
  requireWellFormed,
} from "./request/read-request.ts";
import type { RequestDependencies, RequestEntry } from "./request/request-dependencies.ts";
import type { Route } from "./router.ts";
import { optionsReply, type RouteTable } from "./router.ts";

/** The parts that the handling of every request uses. */
type HandlerDependencies = AppDependencies & ErrorReplyDependencies;

/**
 * Handles the requests of an app: what is refused before its body is read without Koa, which would be a good part of
 * its cost, all others as one Koa middleware. A layer for each step would cost a closure and two promises a request.
 */
export function requestHandler(app: Koa<RequestState>, table: RouteTable, deps: HandlerDependencies): Handle {
  const { clients = new Clients(), currentStore, admission } = deps;
  const recorder = new RequestRecorder(deps);
  // Koa calls its first middleware before its callback returns.
  let admitted: RequestState;
  app.use(async (ctx: Context) => {
    ctx.state = admitted;
    try {
      // Most answers are sent at once; to wait for what is no promise would cost a turn of the microtask queue.
      const sent = answer(ctx, table, deps);
      if (sent !== undefined) await sent;
    } catch (error) {
      await answerError(ctx, error, deps);
    }
  });
  const answerAdmitted = app.callback();
  return (req, res) => {
    admission.turns.countRequest();
    const state = newRequest(req, clients.of(req), currentStore());
    const ctx: Context = { app, req, res, state };
    recorder.follow(ctx);
    try {
      admit(ctx, table, deps);
    } catch (error) {
      return answerError(ctx, error, deps).catch((failure) => {
        app.emit("error", failure, ctx);
        res.destroy();
      });
    }
    admitted = state;
    return answerAdmitted(req, res);
  };
}

/** Form, key, limit and place of a request; all that is known before its body is read. @throws {ApiError} */
function admit(ctx: Context, table: RouteTable, deps: HandlerDependencies): void {
  const { req, state } = ctx;
  requireWellFormed(ctx);
  if (req.method === "OPTIONS") return;
  if (isBelowPrefix(state.path)) {
    state.principal = authenticateKey(ctx, deps);
    state.allowance = deps.rateLimits?.admit(state.principal, state.client);
    // A page is of no use without its style, and sending that costs less than refusing it.
  } else if (!table.isFree(state.path)) deps.rateLimits?.admitAddress("keyless", state.client);
  state.place = deps.admission.placeFor(state.principal, state.client);
}

/**
 * Finds the reply and sends it. No async function, because that would hold the reply, and so the store, until a slow
 * client has read its answer.
 */
function answer(ctx: Context, table: RouteTable, deps: HandlerDependencies): Promise<void> | undefined {
  const found = findReply(ctx, table, deps);
  return found instanceof Promise ? found.then((reply) => sendReply(ctx, reply)) : sendReply(ctx, found);
}

/** Answers what was thrown, for a client that has not gone. Nothing has left: what sends a reply breaks it off. */
async function answerError(ctx: Context, error: unknown, deps: HandlerDependencies): Promise<void> {
  if (error instanceof ClientGoneError) return;
  ctx.state.isRefused = error instanceof ApiError && refusalStatuses.has(error.status);
  // In a later microtask, when what follows in the same packet is parsed: a body that is broken makes the reply the
  // last of its connection.
  await (error instanceof NoPlaceError ? holdRefusal(ctx) : undefined);
  if (!ctx.res.closed) await sendReply(ctx, errorReply(ctx, error, deps));
}

const refusalStatuses: ReadonlySet<number> = new Set([429, 503]);

/**
 * Lets a refusal wait, which holds no more than its connection then: a client that asks again at once, whatever
 * `Retry-After` says, asks less often, and the time goes to requests that are answered.
 */
function holdRefusal({ state }: Context): Promise<void> {
  state.place?.leave();
  state.store = undefined;
  // That of `node:timers/promises` takes three times as long.
  return new Promise((resolve) => setTimeout(resolve, refusalMilliseconds));
}

/** The reply to a request, without its body. @throws {ApiError} What the reply is then. */
function findReply(ctx: Context, table: RouteTable, deps: HandlerDependencies): Reply | Promise<Reply> {
  const { req, res, state } = ctx;
  if (req.method === "OPTIONS") return optionsReply(ctx, table);
  const { principal } = state;
  if (principal === undefined) return route(ctx, table);
  // A secret key signs its requests; a public one does not.
  const go = (): Reply | Promise<Reply> => {
    if (principal.kind === "secret") authenticateSignature(ctx, principal, deps);
    return route(ctx, table);
  };
  const body = readBody(req, res);
  return body === undefined
    ? go()
    : body.then((bytes) => {
        // It has no store any more.
        if (res.closed) throw new ClientGoneError();
        state.body = bytes;
        return go();
      });
}

/** Path, method, permission, input, snapshot. */
function route(ctx: Context, table: RouteTable): Reply | Promise<Reply> {
  const { path } = ctx.state;
  // `%2F` is no way to write a path here: no identifier holds a slash.
  if (path.includes("%") && /%2f/i.test(path)) throw table.notFound(path, ctx.req.method as string);
  return table.reply(ctx);
}

const jsonType = "application/json";

const vary: HeaderList = ["Vary", "Accept, Accept-Encoding, X-Snapshot-Id"];

/** The headers of every successful answer of an endpoint to a GET. */
const getHeaders: HeaderList = ["Cache-Control", "private, no-cache", ...vary];

/** The parts that endpoints share: tags, and the texts that are cached for the next answer. */
export interface RouteParts {
  readonly tagOf: TagOf;
  readonly cache: AnswerCache;
  readonly rollupTexts?: RollupTextSource | undefined;
}

/** The route of an endpoint: permission, input and `X-Snapshot-Id`, then its reply, whose body its handler makes. */
export function endpointRoute(
  endpoint: Endpoint,
  { downloads }: Pick<AppDependencies, "downloads">,
  { tagOf, cache, rollupTexts }: RouteParts,
): Route {
  const { method, access, form, handle, isLong } = endpoint;
  const name = endpointName(endpoint);
  const readInput = createInputReader(endpoint);
  const table = form.kind === "table" ? form : undefined;
  const type = table?.mediaType ?? jsonType;
  const ofStore = isFromStore(endpoint);
  const isTagged = method === "GET" && ofStore;
  const isCached = form.kind === "list";
  return { method, path: apiPrefix + endpoint.path, name, reply };

  function reply({ req, state }: Context, params: Readonly<Record<string, string>>): Reply {
    requireAccess(state.principal, access);
    const store = state.store as Store;
    const { "content-type": contentType, "content-encoding": contentEncoding } = req.headers;
    const input = readInput({
      params,
      queryText: state.queryText,
      body: { bytes: state.body, contentType, contentEncoding },
    });
    if (ofStore) requireSnapshot(req, store.snapshot.id);
    const { params: ofPath, query, body } = input;
    const headers = method === "GET" ? getHeaders : postHeaders(req);
    return {
      status: 200,
      type,
      headers: table === undefined ? headers : [...headers, ...table.headers(store)],
      etag: isTagged ? (coding) => tagOf(store.snapshot.id, req.url as string, coding) : undefined,
      isExport: table !== undefined,
      isLong: isLong?.(input) === true,
      cached: isCached ? { cache, store, key: questionKey(method, state) } : undefined,
      source: store,
      body: (run) => handle({ store, downloads, rollupTexts, params: ofPath, query, body }, run),
    };
  }
}

/** Names what is asked, as it is sent: requests with equal keys have equal answers of a store. */
function questionKey(method: string, { path, queryText, body }: RequestState): string {
  return `${method} ${path}?${queryText}${body.toString("latin1")}`;
}

/** Answers to a POST are held by no cache, so they need no more than `Vary` where the client could choose. */
function postHeaders({ headers }: Context["req"]): HeaderList {
  return acceptedCodings(headers["accept-encoding"] as string | undefined)[0] === "identity" ? [] : vary;
}

/** Refuses requests without a key, also for a path that the steps before have let pass. */
function requireAccess(principal: KeyEntry | undefined, access: Access): void {
  if (principal === undefined) throw new ApiError("MISSING_API_KEY");
  if (access === "secret" && principal.kind !== "secret") throw new ApiError("INSUFFICIENT_PERMISSIONS");
}

const snapshotIdExpression = new RegExp(snapshotIdPattern);

/**
 * Refuses a request for another snapshot than the one it would be answered from, which alone is held: a client that
 * reads page by page names the one it has begun with, so that it never mixes two.
 *
 * @throws {ApiError} VALIDATION_ERROR when the header is no id, SNAPSHOT_CHANGED.
 */
function requireSnapshot({ headers }: IncomingMessage, current: string): void {
  const requested = headers["x-snapshot-id"] as string | undefined;
  if (requested === undefined || requested === current) return;
  if (!snapshotIdExpression.test(requested)) {
    throw wrongText(snapshotHeader, requested, `the id of a snapshot, like ${current}`);
  }
  const message = `${snapshotHeader} asks for ${requested}, but ${current} is served; start reading again.`;
  throw new ApiError("SNAPSHOT_CHANGED", message, { details: { requested, current } });
}

/** The refusals of a client with one code since its last line. */
interface Refusals {
  readonly fields: { readonly code: string | undefined; readonly key: string | undefined; client: string | undefined };
  count: number;
}

/**
 * Logs and counts requests when their answers have left or their connections are gone, and leaves their places. A
 * line is a third of the cost of a refusal, so only the first of a client has one of its own; a second later one says
 * how many others there were, and so on while there are some.
 */
export class RequestRecorder {
  readonly #log: RequestDependencies["log"];
  readonly #count: RequestDependencies["countRequest"];
  readonly #refusals = new Map<string, Refusals>();
  readonly #later: (run: () => void) => void;

  /** @param later Calls once when the next lines of refusals are due; in a second when absent. */
  constructor({ log, countRequest }: Pick<RequestDependencies, "countRequest" | "log">, later = inASecond) {
    this.#log = log;
    this.#count = countRequest;
    this.#later = later;
  }

  /** Must be called once with each request, before anything is known of it. */
  follow(ctx: Context): void {
    const startedAt = performance.now();
    ctx.res.on("close", () => {
      const { state } = ctx;
      state.place?.leave();
      // The connection may stay, and this response with it, until its next request.
      state.store = undefined;
      this.#record(ctx, Math.round((performance.now() - startedAt) * 1000) / 1000);
    });
  }

  #record({ req, res, state }: Context, milliseconds: number): void {
    // An answer that was never sent does not count.
    const isSent = res.headersSent;
    const status = isSent ? res.statusCode : undefined;
    const code = isSent ? state.errorCode : undefined;
    const bytes = isSent ? state.answerBytes : undefined;
    if (state.isRefused && this.#isOneOfMany(state)) {
      this.#count?.(state.endpoint, { status, code, duration_ms: milliseconds });
      return;
    }
    const entry: RequestEntry = {
      request_id: state.requestId,
      method: req.method as string,
      target: loggedTarget(req.url as string),
      status,
      code,
      bytes,
      duration_ms: milliseconds,
      aborted: res.writableFinished ? undefined : true,
      key: state.principal?.id,
      snapshot: state.snapshot,
      client: state.client.address,
      ...state.trace,
    };
    if (this.#log.request === undefined) this.#log.info(entry, "request");
    else this.#log.request(entry);
    this.#count?.(state.endpoint, entry);
  }

  /** Counts a refusal. @returns False for one that has a line of its own. */
  #isOneOfMany({ errorCode: code, principal, client }: RequestState): boolean {
    const key = principal?.id;
    const name = `${code} ${key} ${client.network}`;
    const known = this.#refusals.get(name);
    if (known !== undefined) {
      known.count++;
      return true;
    }
    this.#refusals.set(name, { fields: { code, key, client: client.address }, count: 0 });
    if (this.#refusals.size === 1) this.#later(() => this.#writeCounts());
    return false;
  }

  #writeCounts(): void {
    for (const [name, refusals] of this.#refusals) {
      if (refusals.count === 0) this.#refusals.delete(name);
      else this.#log.info({ ...refusals.fields, refused: refusals.count }, "requests refused");
      refusals.count = 0;
    }
    if (this.#refusals.size > 0) this.#later(() => this.#writeCounts());
  }
}

function inASecond(run: () => void): void {
  setTimeout(run, 1000).unref();
}
