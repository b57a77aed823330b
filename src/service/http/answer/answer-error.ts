/** The answer to everything that is thrown. */

import { ApiError, errorBody } from "../../../contract/errors.ts";
import { acceptCharactersMax } from "../../../contract/limits.ts";
import { type KnownPages, renderNotFoundPage } from "../../../site/docs/not-found-page.ts";
import { documentPolicy } from "../../../site/docs/policies.ts";
import { STATUS_CODES } from "../connection/node-http.ts";
import type { Context } from "../context.ts";
import type { AppDependencies } from "../dependencies.ts";
import { isBelowPrefix } from "../router.ts";
import type { HeaderList } from "./answer-body.ts";
import { byteText, jsonText } from "./byte-text.ts";
import { sendWhole } from "./send.ts";

const notFoundHeaders: HeaderList = [
  ...["Content-Type", "text/html; charset=utf-8", "Content-Security-Policy", documentPolicy("")],
  ...["Cache-Control", "no-store", "Vary", "Accept, Accept-Language"],
];

/** Media types an error can be answered in; the second adds the members of RFC 9457 to the same object. */
const jsonType = "application/json";
const problemType = "application/problem+json";

/** As if there was no header. */
const anyType = "*/*";

export interface ErrorDependencies extends Pick<AppDependencies, "log"> {
  /** What the page leads to that a browser gets where nothing is. */
  readonly knownPages: KnownPages;
}

/**
 * Answers what was thrown: an ApiError as it is, anything else as a 500, with the cause in the log. Never compressed,
 * because errors repeat input: the length of a compressed answer would tell how much of it recurs there. A browser that
 * looks where nothing is, outside the interface, gets a page.
 */
export function answerError(ctx: Context, thrown: unknown, { log, knownPages }: ErrorDependencies): void {
  const error = thrown instanceof ApiError ? thrown : new ApiError("INTERNAL_ERROR", undefined, { cause: thrown });
  const { status, code } = error;
  const { requestId, trace } = ctx.state;
  if (code === "INTERNAL_ERROR") log.error({ request_id: requestId, ...trace, err: error.cause }, "request failed");
  ctx.state.errorCode = code;
  ctx.state.isFile = false;
  // Reading the header takes a good part of the time of a refusal, and most clients accept all. A long one takes more
  // than everything else, so it is not read.
  const { accept: sent = anyType } = ctx.req.headers;
  const accept = sent.length > acceptCharactersMax ? anyType : sent;
  if (
    code === "NOT_FOUND" &&
    !isBelowPrefix(ctx.state.path) &&
    accept !== anyType &&
    ctx.accepts(jsonType, "html") === "html"
  ) {
    const page = renderNotFoundPage(ctx.req.headers["accept-language"], knownPages);
    sendWhole(ctx, status, notFoundHeaders, byteText(page));
    return;
  }
  const isProblem = accept !== anyType && ctx.accepts(jsonType, problemType) === problemType;
  const ofError = errorBody(error, requestId);
  const body = isProblem
    ? { type: "about:blank", title: STATUS_CODES[status], status, detail: error.message, ...ofError }
    : ofError;
  const headers = ["Content-Type", isProblem ? problemType : jsonType, "Cache-Control", "no-store", "Vary", "Accept"];
  // RFC 9110, section 15.5.2: a 401 names a way to authenticate.
  if (status === 401) headers.push("WWW-Authenticate", "ApiKey");
  for (const name in error.headers) headers.push(name, error.headers[name] as string);
  sendWhole(ctx, status, headers, jsonText(body));
}
