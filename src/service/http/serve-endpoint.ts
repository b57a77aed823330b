/**
 * The work on a request that has found its endpoint. Koa's context ends here: handlers take plain values and return
 * text.
 */

import { type Access, type Endpoint, headersReadBy } from "../../contract/endpoint.ts";
import { ApiError, serviceUnavailable } from "../../contract/errors.ts";
import type { KeyEntry } from "../auth/key-record.ts";
import { admitRequest, poolOf } from "./admission/admit-request.ts";
import { type AnswerBody, CitedTexts, FileAnswer, type HeaderList } from "./answer/answer-body.ts";
import { type AnswerCache, type AnswerSlot, createQuestionKeys } from "./answer/answer-cache.ts";
import { acceptedCodings, type ContentCoding } from "./answer/compress.ts";
import { etagOf } from "./answer/etag.ts";
import { answerIfUnchanged, type Representation, writeAnswer, writeKept } from "./answer/write-answer.ts";
import { requireTurn } from "./answer/write-chunks.ts";
import { writeFile } from "./answer/write-file.ts";
import type { Context } from "./context.ts";
import type { AppDependencies } from "./dependencies.ts";
import { apiPrefix } from "./endpoint-table.ts";
import { createInputReader } from "./input/read-input.ts";
import { requireSnapshot } from "./input/require-snapshot.ts";
import type { RollupTexts } from "./resources/prices/statistics-text.ts";
import { endpointName, type Route } from "./router.ts";

const jsonType = "application/json";

const vary: HeaderList = ["Vary", "Accept, Accept-Encoding, X-Snapshot-Id"];

/** The headers of every successful answer of an endpoint to a GET. */
const getHeaders: HeaderList = ["Cache-Control", "private, no-cache", ...vary];

/** Answers to a POST are kept by no cache, so they need no more than `Vary` where the client could choose. */
const postHeaders: HeaderList = [];

/** What endpoints keep from one answer to the next. */
export interface KeptTexts {
  readonly cache?: AnswerCache | undefined;
  readonly rollupTexts?: RollupTexts | undefined;
}

/**
 * The route of an endpoint: permission, input, `X-Snapshot-Id`, `If-None-Match`, a unit of requests in flight, the
 * answer cache, whether a long answer has to be refused, then its handler.
 */
export function endpointRoute(
  endpoint: Endpoint,
  { admission, downloads }: AppDependencies,
  { cache, rollupTexts }: KeptTexts = {},
): Route {
  const { method, access, handle, isKept, isLong, isOfStore, exportForm } = endpoint;
  const type = exportForm?.mediaType ?? jsonType;
  const isExport = exportForm !== undefined;
  const name = endpointName(endpoint);
  const readInput = createInputReader(endpoint);
  const questionKey = createQuestionKeys(name, endpoint);
  return { method, path: apiPrefix + endpoint.path, name, browserHeaders: headersReadBy(endpoint), serve };

  function serve(ctx: Context, params: Readonly<Record<string, string>>): Promise<void> | undefined {
    const { req, res, state } = ctx;
    state.isFile = isExport;
    requireAccess(state.principal, access);
    const { store } = state;
    if (store === undefined) throw serviceUnavailable();
    const { headers } = req;
    const { "content-type": contentType, "content-encoding": contentEncoding } = headers;
    const input = readInput({
      params,
      queryText: state.queryText,
      body: { bytes: state.body, contentType, contentEncoding },
    });
    if (isOfStore) requireSnapshot(req, store.snapshot.id);
    const codings = acceptedCodings(headers["accept-encoding"] as string | undefined);
    const coding = codings[0] as ContentCoding;
    const etag = (of: ContentCoding): string => etagOf(store.snapshot.id, req.url as string, of);
    if (method === "GET" && isOfStore && answerIfUnchanged(ctx, codings, etag, getHeaders)) return undefined;
    // A client that has gone gets no answer, and there will be no close event to release at.
    if (res.closed) return undefined;
    admitRequest(ctx, admission);
    const representation: Representation =
      method === "GET"
        ? {
            type,
            headers: exportForm === undefined ? getHeaders : [...getHeaders, ...exportForm.headers(store)],
            coding,
            ...(isOfStore ? { etag } : {}),
            isExport,
          }
        : { type, headers: coding === "identity" ? postHeaders : vary, coding };
    let slot: AnswerSlot | undefined;
    if (isKept && cache !== undefined) {
      const key = `${coding} ${questionKey(input)}`;
      const kept = cache.find(store, key);
      if (kept !== undefined) return writeKept(ctx, kept, representation, admission);
      slot = cache.slotOf(store, key);
    }
    // Refused here, it costs no query and no first chunk.
    if (isLong?.(input) === true && req.method !== "HEAD") requireTurn(admission, poolOf(state).answers);
    // Written out: a spread behind another property is copied by the runtime, at a microsecond.
    const { params: ofPath, query, body } = input;
    const text = handle({ store, downloads, rollupTexts, params: ofPath, query, body });
    return text instanceof Promise ? text.then(write) : write(text);

    function write(whole: AnswerBody | FileAnswer): Promise<void> | undefined {
      if (whole instanceof FileAnswer) return writeFile(ctx, whole, admission);
      if (whole instanceof CitedTexts) {
        const headers = [...representation.headers, ...whole.headers];
        return writeAnswer(ctx, whole, { ...representation, headers }, admission, slot);
      }
      return writeAnswer(ctx, whole, representation, admission, slot);
    }
  }
}

/** Refuses requests without a key, also for a path that the steps before have let pass. */
function requireAccess(principal: KeyEntry | undefined, access: Access): void {
  if (principal === undefined) throw new ApiError("MISSING_API_KEY");
  if (access === "secret" && principal.kind !== "secret") throw new ApiError("INSUFFICIENT_PERMISSIONS");
}
