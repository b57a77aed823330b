import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestLogger } from "./context.ts";
import { corsHeaders } from "./cors-headers.ts";
import { apiErrors, errorBody, serviceUnavailable } from "./errors.ts";
import { maskTarget } from "./masked-target.ts";
import { requestIdFor, requestIdHeader } from "./request-id.ts";

/**
 * What stands in for the app while the service starts: every request is told to come again, on a new connection, for
 * the one it came on ends with the start.
 */
export function answerStarting(log: RequestLogger): (request: IncomingMessage, response: ServerResponse) => void {
  const error = serviceUnavailable("The service is starting; try again after Retry-After seconds.");
  const { status } = apiErrors[error.code];
  return (request, response) => {
    const requestId = requestIdFor(String(request.headers[requestIdHeader.toLowerCase()] ?? ""));
    log.info(
      { request_id: requestId, method: request.method, target: maskTarget(request.url ?? ""), status },
      "request",
    );
    response.writeHead(status, {
      ...corsHeaders,
      ...error.headers,
      [requestIdHeader]: requestId,
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      Connection: "close",
    });
    response.end(JSON.stringify(errorBody(error, requestId)));
  };
}
