/** The reply to everything that is thrown. */

import Negotiator from "negotiator";
import { type ByteText, byteText, joinBytes, jsonText } from "../../../contract/byte-text.ts";
import { ApiError, errorJson } from "../../../contract/errors.ts";
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
const pageType = "text/html";

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
  const accepted = acceptedTypes(ctx.req.headers.accept);
  if (accepted !== undefined && isPageRequest(ctx.req) && accepted.mediaType([jsonType, pageType]) === pageType) {
    const retryAfter = error.headers["Retry-After"];
    const shown = { status, requestId, retrySeconds: retryAfter === undefined ? undefined : Number(retryAfter) };
    const [path = "", queryText = ""] = (ctx.req.url as string).split(/[?#]/);
    const page = renderErrorPage(shown, { path, queryText, acceptLanguage: ctx.req.headers["accept-language"] });
    if (page !== undefined) {
      const headers = [...errorPageHeaders(page.policy), ...headersOf(error)];
      return { status, type: "text/html; charset=utf-8", headers, body: byteText(page.text) };
    }
  }
  const isProblem = accepted?.mediaType([jsonType, problemType]) === problemType;
  const json = errorJson(error, requestId);
  const body = isProblem ? problemJson(error, json) : json;
  const headers = ["Cache-Control", "no-store", "Vary", "Accept"];
  // RFC 9110, section 15.5.2: a 401 names a way to authenticate. The answer to HEAD has no other place for the code.
  if (status === 401) headers.push("WWW-Authenticate", `ApiKey error="${code}"`);
  headers.push(...headersOf(error));
  return { status, type: isProblem ? problemType : jsonType, headers, body };
}

/** The body of an error with the members of a problem before its own. */
function problemJson({ status, message }: ApiError, json: ByteText): ByteText {
  const members = jsonText({ type: "about:blank", title: STATUS_CODES[status], status, detail: message });
  return joinBytes(members.slice(0, -1) as ByteText, `,${json.slice(1)}` as ByteText);
}

/**
 * Reads what types a client accepts, which takes a good part of the time of a refusal.
 *
 * @returns Undefined where JSON is accepted as well as any: so most clients send it. A long header takes more time than
 *   everything else, so it is not read.
 */
function acceptedTypes(accept = ""): Negotiator | undefined {
  const isPlain = accept === "" || accept === "*/*" || accept === jsonType || accept.length > acceptCharactersMax;
  return isPlain ? undefined : new Negotiator({ headers: { accept } });
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
