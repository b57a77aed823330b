/** The case of a number: the same seed and number make the same case, apart from timestamps and their signatures. */
import { RandomChoice } from "../../bench/questions/random-choice.ts";
import type { Api } from "./api-operations.ts";
import { brokenHttp, cut } from "./broken-http.ts";
import type { CaseEnding, FuzzCase } from "./fuzz-case.ts";
import {
  changedRequest,
  type FuzzKeys,
  type PlainRequest,
  type RequestSource,
  requestBytes,
  validRequest,
} from "./random-request.ts";

/** Odd factors of 32 bits, so that neighbouring numbers and seeds lead far apart. */
const seedFactor = 0x9e37_79b1;
const numberFactor = 0x85eb_ca6b;

/** The choices of a numbered case. */
export function choiceOf(seed: number, number: number): RandomChoice {
  return new RandomChoice(Math.imul(seed, seedFactor) ^ Math.imul(number + 1, numberFactor));
}

/** @param number Counted from 0. */
export function makeCase(api: Api, keys: FuzzKeys, seed: number, number: number): FuzzCase {
  const random = choiceOf(seed, number);
  const source: RequestSource = { api, keys, random, turn: number };
  switch (random.below(10)) {
    case 0:
      return single(validRequest(source), random);
    case 1:
      return pipelined(source);
    case 2:
    case 3:
    case 4:
      return brokenHttp(source);
    case 5:
      return random.of([slowReader, slowReader, publicPage, publicPage, publicPage, publicPage, pipelinedMany])(source);
    default:
      return single(changedRequest(source), random);
  }
}

function single(request: PlainRequest, random: RandomChoice): FuzzCase {
  return {
    kind: request.kind,
    pieces: cut(requestBytes(request), random),
    ending: endingOf([request]),
    requests: [request],
  };
}

/** Requests on one connection: what one leaves behind would spoil the next. */
function pipelined(source: RequestSource): FuzzCase {
  const { random } = source;
  const requests = Array.from({ length: random.between(2, 6) }, () =>
    random.below(2) === 0 ? validRequest(source) : changedRequest(source),
  );
  const pieces = requests.map(requestBytes);
  const kind = `pipelined: ${requests.map((request) => request.kind).join(", ")}`;
  return {
    kind,
    pieces: random.below(2) === 0 ? pieces : [Buffer.concat(pieces)],
    ending: endingOf(requests),
    requests,
  };
}

/** Thousands of short requests at once. */
function pipelinedMany({ random, keys }: RequestSource): FuzzCase {
  const key = random.of(["", `X-API-Key: ${keys.publicKey}\r\n`]);
  const statuses = [key === "" ? 401 : 404];
  const bytes = Buffer.from(`GET /api/v1/x HTTP/1.1\r\nHost: x\r\n${key}\r\n`);
  const requests = Array.from({ length: random.of([100, 500, 2000]) }, () => ({ method: "GET", statuses }));
  const ending = random.of(["answers", "half-close", "unread", "absent", "reset"] as const);
  const kind = `${requests.length} pipelined, ${ending}`;
  return { kind, pieces: cut(Buffer.concat(requests.map(() => bytes)), random), ending, requests };
}

const publicPages = ["/docs", "/docs/try", "/docs/copy.js", "/openapi.json", "/explore", "/sw/explore"];
const explorerPages = ["/explore/data", "/explore/compare", "/explore/products/x", "/explore/counties/x", "/explore/x"];

/** Documents and pages for people, which need no key, with parameters that make sense or none. */
function publicPage({ random, api }: RequestSource): FuzzCase {
  const path = random.of([...publicPages, ...explorerPages]);
  const query = random.of([
    "",
    "?lang=sw",
    `?q=${encodeURIComponent(random.of(api.words))}`,
    "?page=-1",
    "?q=%ff&q=",
    "?%00",
  ]);
  const coding = random.of(["", "Accept-Encoding: br\r\n", "Accept-Encoding: gzip\r\n"]);
  const method = random.of(["GET", "GET", "GET", "HEAD", "POST"]);
  const bytes = Buffer.from(`${method} ${path}${query} HTTP/1.1\r\nHost: x\r\n${coding}\r\n`);
  const requests = Array.from({ length: random.of([1, 1, 1, 5]) }, () => ({ method, isPage: true }));
  const ending = random.of(["answers", "answers", "unread", "absent"] as const);
  return { kind: "public page", pieces: [Buffer.concat(requests.map(() => bytes))], ending, requests };
}

/** A client waits for its answers, unless the service may still wait for its request. */
function endingOf(requests: readonly PlainRequest[]): CaseEnding {
  return requests.every(({ hasEnd }) => hasEnd) ? "answers" : "half-close";
}

/** Asks for more than socket buffers hold, and reads late or never. */
function slowReader(source: RequestSource): FuzzCase {
  const { random, api } = source;
  const lists = api.operations.filter(({ fields }) => !fields.some(({ isRequired }) => isRequired));
  const requests = Array.from({ length: random.of([1, 5, 30]) }, () => {
    const request = validRequest(source, random.of(lists));
    return { ...request, headers: request.headers.filter(([name]) => name !== "Accept-Encoding") };
  });
  const ending = random.of(["unread", "absent"] as const);
  return { kind: `${ending} answers`, pieces: [Buffer.concat(requests.map(requestBytes))], ending, requests };
}
