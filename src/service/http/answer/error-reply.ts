/** The reply to everything that is thrown. */

import { byteText, jsonText } from "../../../contract/byte-text.ts";
import { ApiError, errorBody } from "../../../contract/errors.ts";
import { acceptCharactersMax } from "../../../contract/limits.ts";
import type { HeaderList } from "../../../contract/reply-body.ts";
import { PageRefusal, type RenderErrorPage } from "../../../contract/site-values.ts";
import { STATUS_CODES } from "../connection/node-http.ts";
import type { Context } from "../request/context.ts";
import { isBelowPrefix } from "../request/read-request.ts";
import type { RequestDependencies } from "../request/request-dependencies.ts";
import type { Reply } from "./reply.ts";

function errorPageHeaders(policy: string): HeaderList {
  return [...["Content-Security-Policy", policy, "Cache-Control", "no-store"], ...["Vary", "Accept, Accept-Language"]];
}

/** Media types an error can be answered in; the second adds the members of RFC 9457 to the same object. */
const jsonType = "application/json";
const problemType = "application/problem+json";

/** As if there was no header. */
const anyType = "*/*";

export interface ErrorReplyDependencies extends Pick<RequestDependencies, "log"> {
  /** The pages of errors of the site. */
  readonly renderErrorPage: RenderErrorPage;
}

/**
 * The reply to what was thrown: an ApiError as it is, anything else as a 500, with the cause in the log. Never
 * compressed, because errors repeat input: the length of a compressed answer would tell how much of it recurs there. A
 * browser gets a page outside of the interface, if the service has pages, and so does the reader of a page that cannot
 * be made.
 */
export function errorReply(ctx: Context, thrown: unknown, { log, renderErrorPage }: ErrorReplyDependencies): Reply {
  if (thrown instanceof PageRefusal) return pageRefusal(ctx, thrown);
  const error = thrown instanceof ApiError ? thrown : new ApiError("INTERNAL_ERROR", undefined, { cause: thrown });
  const { status, code } = error;
  const { requestId, trace } = ctx.state;
  if (code === "INTERNAL_ERROR") log.error({ request_id: requestId, ...trace, err: error.cause }, "request failed");
  ctx.state.errorCode = code;
  // Reading the header takes a good part of the time of a refusal, and most clients accept all. A long one takes more
  // than everything else, so it is not read.
  const { accept: sent = anyType } = ctx.req.headers;
  const accept = sent.length > acceptCharactersMax ? anyType : sent;
  if (accept !== anyType && isPageRequest(ctx.req) && ctx.accepts(jsonType, "html") === "html") {
    const retryAfter = error.headers["Retry-After"];
    const shown = { status, requestId, retrySeconds: retryAfter === undefined ? undefined : Number(retryAfter) };
    const [path = "", queryText = ""] = (ctx.req.url as string).split(/[?#]/);
    const page = renderErrorPage(shown, { path, queryText, acceptLanguage: ctx.req.headers["accept-language"] });
    if (page !== undefined) {
      const headers = [...errorPageHeaders(page.policy), ...headersOf(error)];
      return { status, type: "text/html; charset=utf-8", headers, body: byteText(page.text) };
    }
  }
  const isProblem = accept !== anyType && ctx.accepts(jsonType, problemType) === problemType;
  const ofError = errorBody(error, requestId);
  const body = isProblem
    ? { type: "about:blank", title: STATUS_CODES[status], status, detail: error.message, ...ofError }
    : ofError;
  const headers = ["Cache-Control", "no-store", "Vary", "Accept"];
  // RFC 9110, section 15.5.2: a 401 names a way to authenticate. The answer to HEAD has no other place for the code.
  if (status === 401) headers.push("WWW-Authenticate", `ApiKey error="${code}"`);
  headers.push(...headersOf(error));
  return { status, type: isProblem ? problemType : jsonType, headers, body: jsonText(body) };
}

function headersOf({ headers }: ApiError): HeaderList {
  return Object.entries(headers).flat();
}

/**
 * Returns whether a request is for a page, so outside of the interface. It is read from the target as sent, because a
 * request can be refused before its path is known.
 */
function isPageRequest({ method, url = "" }: Context["req"]): boolean {
  const [path = ""] = url.split(/[?#]/, 1);
  return (method === "GET" || method === "HEAD") && path.startsWith("/") && !isBelowPrefix(path);
}

/** A page that says what is wrong with its address. */
function pageRefusal({ state }: Context, { status, page: { headers, html } }: PageRefusal): Reply {
  state.errorCode = status === 404 ? "NOT_FOUND" : "VALIDATION_ERROR";
  return { status, type: "text/html; charset=utf-8", headers, body: byteText(html) };
}
