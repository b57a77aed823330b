/** The error that the service answers in place of what was requested. */
import type { Error as ErrorAnswer } from "./generated-api.ts";

/** Codes of the service. */
export type ApiErrorCode = ErrorAnswer["code"];

/**
 * An answer that is no success. Where another server has answered (a proxy, another site), `code` is undefined.
 */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  /** The HTTP status. */
  readonly status: number;
  readonly code: ApiErrorCode | undefined;
  /** The fields that are wrong, or the snapshots that differ; see the code. */
  readonly details: ErrorAnswer["details"];
  /** Name of the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Seconds after which to try again, where the answer says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, answer: Partial<ErrorAnswer> | undefined, message: string) {
    super(message);
    this.status = response.status;
    this.code = answer?.code;
    this.details = answer?.details;
    this.requestId = answer?.request_id ?? response.headers.get("X-Request-Id") ?? undefined;
    this.retryAfterSeconds = retryAfterSeconds(response);
  }
}

/** Reads the body of an answer that is no success. @returns The error to throw. */
export async function readError(response: Response): Promise<ApiError> {
  const answer = parseAnswer(await response.text());
  const target = response.headers.get("Location");
  const status = `${response.status} ${response.statusText}`.trim();
  const other = target === null ? `The answer is ${status}` : `The answer is ${status}, which leads to ${target}`;
  return new ApiError(response, answer, answer?.message ?? `${other}; it does not come from the service.`);
}

/** @returns undefined when the text is no error of the service. */
function parseAnswer(text: string): Partial<ErrorAnswer> | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === "object" && answer !== null && "code" in answer
      ? (answer as Partial<ErrorAnswer>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** @returns undefined when the answer does not say it in seconds, as the service does. */
function retryAfterSeconds({ headers }: Response): number | undefined {
  const text = headers.get("Retry-After") ?? "";
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
