/** Whether an answer is one that the service documents. */
import { type ApiErrorCode, apiErrors } from "../../src/contract/errors.ts";
import type { AnswerReader, FuzzAnswer } from "./answer-reader.ts";
import type { Api } from "./api-operations.ts";
import type { ExpectedAnswer, FuzzCase } from "./fuzz-case.ts";

const htmlType = "text/html; charset=utf-8";

/** The media types of what pages load and lead to. */
const pageTypeExpression =
  /^(?:text\/(?:html|javascript|css)|application\/(?:json|xml|atom\+xml)|image\/(?:svg\+xml|png))(?:;|$)/;

const pagePathExpression = /^(?:\/sw)?\/(?:explore|docs)(?:[/?#]|$)/;

const idExpression = /^[\w.-]{1,64}$/;

/** @returns What is wrong with the answers of a case; undefined when nothing is. */
export function problemOfAnswers(
  fuzzCase: FuzzCase,
  { answers }: AnswerReader,
  api: Api,
  secrets: readonly string[],
): string | undefined {
  for (const [position, answer] of answers.entries()) {
    const isKnown = fuzzCase.ending === "answers" || fuzzCase.ending === "unread";
    const expected = isKnown ? fuzzCase.requests[position] : undefined;
    const problem = problemOfAnswer(answer, expected, api) ?? problemOfText(answer, fuzzCase, secrets);
    if (problem !== undefined) return `answer ${position + 1}: ${answer.status}, ${problem}`;
  }
  return undefined;
}

function problemOfText(
  { headers, body }: FuzzAnswer,
  { hiddenId }: FuzzCase,
  secrets: readonly string[],
): string | undefined {
  if (hiddenId !== undefined && headers.get("x-request-id") === hiddenId) return "a request inside a body was answered";
  const text = body + [...headers.values()].join("\n");
  return secrets.some((secret) => text.includes(secret)) ? "it holds a key" : undefined;
}

/** Whether a status is one of those expected: any request may meet an overload or a limit. */
function isPossible(status: number, statuses: readonly number[]): boolean {
  return statuses.includes(status) || status === 503 || status === 429;
}

function problemOfAnswer(answer: FuzzAnswer, expected: ExpectedAnswer | undefined, api: Api): string | undefined {
  const { status, headers, body, method } = answer;
  const id = headers.get("x-request-id") ?? "";
  if (!idExpression.test(id)) return `X-Request-Id is ${JSON.stringify(id)}`;
  if (headers.get("x-content-type-options") !== "nosniff") return "X-Content-Type-Options is not nosniff";
  if (expected?.statuses !== undefined && !isPossible(status, expected.statuses)) {
    return `expected ${expected.statuses.join(" or ")}: ${body.slice(0, 300)}`;
  }
  switch (status) {
    case 200:
      return body === "" && method === "HEAD" ? undefined : problemOfSuccess(answer, expected, api);
    case 204:
      return method === "OPTIONS" || expected === undefined ? undefined : "expected only with OPTIONS";
    // The root leads to the pages for people, an old address to its new one, and pages to a language or a county.
    case 301:
    case 302:
    case 303:
      return body === "" && pagePathExpression.test(headers.get("location") ?? "")
        ? undefined
        : `expected without body, to a page of the service: ${headers.get("location")}, ${body.slice(0, 300)}`;
    case 304:
      return body === "" ? undefined : "it has a body";
    default:
      if (status < 400) return "the status is not documented";
      return status !== 500 && headers.get("content-type") === htmlType ? undefined : problemOfError(answer, id, api);
  }
}

function problemOfSuccess(
  { headers, body }: FuzzAnswer,
  expected: ExpectedAnswer | undefined,
  api: Api,
): string | undefined {
  const type = headers.get("content-type") ?? "";
  if (expected?.isPage === true && pageTypeExpression.test(type)) return undefined;
  if (type === htmlType && body.startsWith("<!doctype html>")) return undefined;
  // The icon and the rules for robots.
  if (type === "image/svg+xml" && body.startsWith("<svg ")) return undefined;
  if (type === "text/plain; charset=utf-8" && body.startsWith("User-agent: ")) return undefined;
  const operations = expected?.operation === undefined ? api.operations : [expected.operation];
  const [mediaType = ""] = type.split(";");
  if (!operations.some(({ mediaTypes }) => mediaTypes.includes(mediaType))) return `Content-Type is ${type}`;
  if (mediaType !== "application/json") return undefined;
  const value = parsed(body);
  if (value === undefined) return `the body is no JSON: ${body.slice(0, 200)}`;
  if (typeof value === "object" && value !== null && "openapi" in value) return undefined;
  return operations.some(({ isAnswer }) => isAnswer?.(value))
    ? undefined
    : `the body is not as documented: ${body.slice(0, 300)}`;
}

function problemOfError({ status, headers, body, method }: FuzzAnswer, id: string, api: Api): string | undefined {
  if (status >= 500 && status !== 503) return `the service failed: ${body.slice(0, 300)}`;
  if ((status === 429 || status === 503) && headers.get("retry-after") === undefined) return "Retry-After is absent";
  if (status === 405 && headers.get("allow") === undefined) return "Allow is absent";
  if (status === 401 && headers.get("www-authenticate") === undefined) return "WWW-Authenticate is absent";
  if (headers.get("cache-control") !== "no-store") return "Cache-Control is not no-store";
  const type = headers.get("content-type");
  if (type !== "application/json" && type !== "application/problem+json") return "Content-Type is not JSON";
  if (method === "HEAD" && body === "") return undefined;
  const value = parsed(body);
  const isDocumented = type === "application/json" ? api.isError : api.isProblem;
  if (!isDocumented(value)) return `the body is no documented error: ${body.slice(0, 300)}`;
  const { code, request_id: bodyId } = value as { code: ApiErrorCode; request_id: string };
  if (apiErrors[code].status !== status) return `${code} belongs to ${apiErrors[code].status}`;
  return bodyId === id ? undefined : `request_id is ${bodyId}, X-Request-Id ${id}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
