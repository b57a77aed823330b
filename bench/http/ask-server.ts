import { isDeepStrictEqual } from "node:util";
import { AnswersDifferError, compareAnswers } from "../race/compare-answers.ts";
import type { HttpQuestion, PlainRequest } from "./http-question.ts";
import { type BenchKeys, headersOf } from "./request-headers.ts";
import { serverTitles } from "./server-names.ts";
import type { ServerProcess } from "./server-process.ts";
import { type PreparedBody, preparedKey } from "./servers/prepared-bodies.ts";

/** Asks a server once. @throws {Error} when the status is not 200. */
export async function askServer(
  { name, port }: ServerProcess,
  request: PlainRequest,
  keys: BenchKeys,
): Promise<PreparedBody> {
  const { method, target, body } = request;
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    method,
    headers: headersOf(request, keys),
    ...(method === "POST" && { body }),
  });
  const text = await response.text();
  if (response.status !== 200) {
    throw new Error(`${serverTitles[name]} answers ${method} ${target} ${body} with ${response.status}: ${text}`);
  }
  return { text, etag: response.headers.get("etag") };
}

/** Our answers to all requests, by `preparedKey`. */
export async function prepareBodies(
  ours: ServerProcess,
  questions: readonly HttpQuestion[],
  keys: BenchKeys,
): Promise<Map<string, PreparedBody>> {
  const bodies = new Map<string, PreparedBody>();
  for (const request of questions.flatMap(({ requests }) => requests)) {
    const key = preparedKey(request);
    if (!bodies.has(key)) bodies.set(key, await askServer(ours, request, keys));
  }
  return bodies;
}

/**
 * Asks a server every request and compares its answers with ours: figures within a millionth, everything else exactly.
 *
 * @param wantsSameBytes Whether the bodies must be ours byte by byte.
 * @throws {AnswersDifferError} naming the first difference.
 */
export async function requireOurAnswers(
  server: ServerProcess,
  questions: readonly HttpQuestion[],
  keys: BenchKeys,
  bodies: ReadonlyMap<string, PreparedBody>,
  wantsSameBytes: boolean,
): Promise<void> {
  const compared = new Set<string>();
  for (const { name, request } of questions.flatMap(({ name, requests }) =>
    requests.map((request) => ({ name, request })),
  )) {
    const key = preparedKey(request);
    if (compared.has(key)) continue;
    compared.add(key);
    const ours = bodies.get(key);
    const theirs = await askServer(server, request, keys);
    if (wantsSameBytes && !isDeepStrictEqual(ours, theirs)) {
      throw new AnswersDifferError(
        `"${name}", ${request.target}: ${serverTitles[server.name]} does not send our bytes`,
      );
    }
    const difference = compareAnswers(readAnswer(ours?.text ?? "null"), readAnswer(theirs.text));
    if (difference === undefined) continue;
    const { path, ours: expected, theirs: found } = difference;
    throw new AnswersDifferError(
      `"${name}", ${request.target} ${request.body}: ${serverTitles[server.name]} has ${JSON.stringify(found)} at ` +
        `${path}, ours has ${JSON.stringify(expected)}`,
    );
  }
}

const countedByOurs = new Set(["market_types", "suspicious_samples"]);

/** An answer without what only ours counts. */
function readAnswer(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) => (countedByOurs.has(name) ? undefined : value));
}
