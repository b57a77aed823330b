import { STATUS_CODES } from "node:http";
import type { AppDependencies, Context, Middleware } from "./context.ts";
import { ApiError, apiErrors } from "./errors.ts";

/** The one body of every error, whatever its status. */
export interface ErrorBody {
  readonly error: string;
  readonly message: string;
  readonly code: string;
  readonly details?: ApiError["details"];
  readonly request_id: string;
}

/** Media types an error can be answered in; the second adds the members of RFC 9457 to the same object. */
const jsonType = "application/json";
const problemType = "application/problem+json";

/** Turns whatever is thrown below into the error body; the unknown becomes a 500 and a log line with the cause. */
export function answerErrors({ log }: AppDependencies): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = thrown instanceof ApiError ? thrown : new ApiError("INTERNAL_ERROR", undefined, { cause: thrown });
      if (error.code === "INTERNAL_ERROR") {
        log.error({ request_id: ctx.state.requestId, err: error.cause }, "request failed");
      }
      answerError(ctx, error);
    }
  };
}

/** The body of an error. */
export function errorBody(error: ApiError, requestId: string): ErrorBody {
  const { code, message, details } = error;
  return {
    error: apiErrors[code].error,
    message,
    code,
    ...(details === undefined ? {} : { details }),
    request_id: requestId,
  };
}

function answerError(ctx: Context, error: ApiError): void {
  const { status } = apiErrors[error.code];
  ctx.state.errorCode = error.code;
  ctx.status = status;
  ctx.remove("ETag");
  ctx.set("Cache-Control", "no-store");
  ctx.vary("Accept");
  // RFC 9110, section 15.5.2: a 401 names a way to authenticate.
  if (status === 401) ctx.set("WWW-Authenticate", "ApiKey");
  for (const [name, value] of Object.entries(error.headers)) ctx.set(name, value);
  const body = errorBody(error, ctx.state.requestId);
  if (ctx.accepts(jsonType, problemType) === problemType) {
    const problem = { type: "about:blank", title: STATUS_CODES[status], status, detail: error.message };
    ctx.set("Content-Type", problemType);
    ctx.body = JSON.stringify({ ...problem, ...body });
  } else {
    ctx.set("Content-Type", jsonType);
    ctx.body = JSON.stringify(body);
  }
}
