/** Endpoints as routes. Koa's context ends here: handlers take plain values and return bodies. */

import {
  type Access,
  type Endpoint,
  endpointName,
  headersReadBy,
  type RollupTextSource,
} from "../../contract/endpoint.ts";
import { ApiError, serviceUnavailable } from "../../contract/errors.ts";
import { apiPrefix } from "../../contract/paths.ts";
import type { HeaderList } from "../../contract/reply-body.ts";
import type { KeyEntry } from "../auth/key-record.ts";
import { type AnswerCache, createQuestionKeys } from "./answer/answer-cache.ts";
import { acceptedCodings } from "./answer/compress.ts";
import type { Tags } from "./answer/etag.ts";
import type { Reply } from "./answer/reply.ts";
import type { Context } from "./context.ts";
import type { AppDependencies } from "./dependencies.ts";
import { createInputReader } from "./input/read-input.ts";
import { requireSnapshot } from "./input/require-snapshot.ts";
import type { Route } from "./router.ts";

const jsonType = "application/json";

const vary: HeaderList = ["Vary", "Accept, Accept-Encoding, X-Snapshot-Id"];

/** The headers of every successful answer of an endpoint to a GET. */
const getHeaders: HeaderList = ["Cache-Control", "private, no-cache", ...vary];

/** What endpoints share: tags, and what they keep from one answer to the next. */
export interface RouteParts {
  readonly tags: Tags;
  readonly cache?: AnswerCache | undefined;
  readonly rollupTexts?: RollupTextSource | undefined;
}

/** The route of an endpoint: permission, input and `X-Snapshot-Id`, then its reply, whose body its handler makes. */
export function endpointRoute(
  endpoint: Endpoint,
  { downloads }: Pick<AppDependencies, "downloads">,
  { tags, cache, rollupTexts }: RouteParts,
): Route {
  const { method, access, handle, isCached, isLong, isFromStore, exportForm } = endpoint;
  const name = endpointName(endpoint);
  const readInput = createInputReader(endpoint);
  const questionKey = createQuestionKeys(name, endpoint);
  const type = exportForm?.mediaType ?? jsonType;
  return { method, path: apiPrefix + endpoint.path, name, browserHeaders: headersReadBy(endpoint), reply };

  function reply({ req, state }: Context, params: Readonly<Record<string, string>>): Reply {
    requireAccess(state.principal, access);
    const { store } = state;
    if (store === undefined) throw serviceUnavailable();
    const { "content-type": contentType, "content-encoding": contentEncoding } = req.headers;
    const input = readInput({
      params,
      queryText: state.queryText,
      body: { bytes: state.body, contentType, contentEncoding },
    });
    if (isFromStore) requireSnapshot(req, store.snapshot.id);
    const { params: ofPath, query, body } = input;
    const headers = method === "GET" ? getHeaders : postHeaders(req);
    return {
      status: 200,
      type,
      headers: exportForm === undefined ? headers : [...headers, ...exportForm.headers(store)],
      etag:
        method === "GET" && isFromStore ? (coding) => tags.of(store.snapshot.id, req.url as string, coding) : undefined,
      isExport: exportForm !== undefined,
      isLong: isLong?.(input) === true,
      kept: isCached && cache !== undefined ? { cache, store, key: questionKey(input) } : undefined,
      source: store,
      body: () => handle({ store, downloads, rollupTexts, params: ofPath, query, body }),
    };
  }
}

/** Answers to a POST are kept by no cache, so they need no more than `Vary` where the client could choose. */
function postHeaders({ headers }: Context["req"]): HeaderList {
  return acceptedCodings(headers["accept-encoding"] as string | undefined)[0] === "identity" ? [] : vary;
}

/** Refuses requests without a key, also for a path that the steps before have let pass. */
function requireAccess(principal: KeyEntry | undefined, access: Access): void {
  if (principal === undefined) throw new ApiError("MISSING_API_KEY");
  if (access === "secret" && principal.kind !== "secret") throw new ApiError("INSUFFICIENT_PERMISSIONS");
}
