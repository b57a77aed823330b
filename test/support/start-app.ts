/**
 * The real app behind a real server on a port of its own, over a dataset made by the test. Time stands still unless the
 * test moves it; every log line is kept. Every answer is checked against the OpenAPI document.
 */

import { hash } from "node:crypto";
import { Agent, type IncomingHttpHeaders, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { pino } from "pino";
import type { Test } from "tap";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { buildStore } from "../../src/engine/store/build-store.ts";
import { createApp } from "../../src/service/http/app.ts";
import type { AppDependencies, ReadCard } from "../../src/service/http/app-dependencies.ts";
import type { ConnectionCounts } from "../../src/service/http/connection/connection-counts.ts";
import { createHttpServer } from "../../src/service/http/connection/create-server.ts";
import { site } from "../../src/site/site.ts";
import { undocumentedIn } from "./documented-answers.ts";
import { noDownloads } from "./no-downloads.ts";
import { publicKey, secretKey, signedHeaders, testKeys } from "./signed-request.ts";
import { testAdmission, testConnections } from "./test-admission.ts";
import { tinyDataset } from "./tiny-dataset.ts";

/** Where the clock of the app stands: 20 November 2026, 08:30:00.500 UTC. */
export const startMilliseconds = 1_795_163_400_500;
export const startSeconds: number = Math.floor(startMilliseconds / 1000);

/** The general card for all, for tests without cards. */
export const noCards: ReadCard = async () => ({ png: Buffer.from("general"), isGeneral: true });

export interface AppOptions {
  /** Takes the place of parts of what the app depends on. */
  readonly deps?: Partial<AppDependencies>;
  /** Counts the connections; of its own when absent. */
  readonly connectionCounts?: ConnectionCounts;
}

/** Headers as a client sends them; a header without a value is left out. */
export type SentHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface SentRequest {
  readonly method: string;
  /** With query string; sent as it is. */
  readonly path: string;
  readonly headers?: SentHeaders;
  readonly body?: string | Uint8Array;
}

export interface ReceivedAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The body, decoded where it came in a coding. */
  readonly text: string;
  /** The body as it came. */
  readonly bytes: Buffer;
  /** The body, parsed when it is first read; undefined when there is none, or it is not JSON. */
  readonly body: unknown;
}

export interface RunningApp {
  readonly port: number;
  readonly server: Server;
  /** Lines of the log, one JSON object each. */
  readonly logLines: string[];
  /** Sets the clock, in milliseconds since 1970-01-01T00:00:00Z. */
  setTime(milliseconds: number): void;
  /** Serves another dataset from now on. */
  swap(dataset: Dataset): void;
  /** Sends a request as it is, without any key. */
  send(request: SentRequest): Promise<ReceivedAnswer>;
  /** GET with the public key. */
  get(path: string, headers?: SentHeaders): Promise<ReceivedAnswer>;
  /** GET with the secret key, signed. */
  signedGet(path: string, headers?: SentHeaders): Promise<ReceivedAnswer>;
  /** POST of a JSON body with the public key. */
  post(path: string, body: unknown, headers?: SentHeaders): Promise<ReceivedAnswer>;
  /** POST of a JSON body with the secret key, signed. */
  signedPost(path: string, body: unknown, headers?: SentHeaders): Promise<ReceivedAnswer>;
  /** A request line in the log whose answer has left; waits for it. */
  logLineOf(requestId: string): Promise<Record<string, unknown>>;
}

/**
 * Everything but what belongs to one request, and the length, which is known of a long answer only once it is cached.
 */
export function essenceOf({ status, headers, text, bytes }: ReceivedAnswer): object {
  const { date: _, "x-request-id": __, "content-length": ___, "transfer-encoding": ____, ...rest } = headers;
  // Long bodies are compared by their hash: a deep comparison of them takes longer than to make them.
  return { status, rest, begins: text.slice(0, 500), hash: hash("sha256", bytes) };
}

/** Starts the app; it ends with the test. */
export async function startApp(
  t: Test,
  dataset: Dataset = tinyDataset(),
  { deps: overrides = {}, connectionCounts = testConnections() }: AppOptions = {},
): Promise<RunningApp> {
  let now = startMilliseconds;
  let store = buildStore(dataset);
  const logLines: string[] = [];
  const keys = testKeys();
  const deps: AppDependencies = {
    currentStore: () => store,
    currentKeys: () => keys.current(),
    now: () => now,
    admission: testAdmission(),
    site,
    downloads: noDownloads,
    // As the service has them, unless a test says otherwise.
    rollupTextBytes: 2 ** 25,
    log: pino({ level: "trace" }, { write: (line: string) => void logLines.push(line) }),
    ...overrides,
  };
  const { server } = createHttpServer(createApp(deps), { ...deps, connectionCounts });
  // For tests that shorten the timeouts: Node looks for late requests every second otherwise. Not in its manual.
  Object.assign(server, { connectionsCheckingInterval: 50 });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  t.teardown(async () => {
    agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function send(sent: SentRequest): Promise<ReceivedAnswer> {
    const answer = await sendRequest(port, agent, sent);
    const { status, headers, text } = answer;
    const parseBody = (): unknown => answer.body;
    const problems = undocumentedIn({ method: sent.method, path: sent.path, status, headers, text, parseBody });
    if (problems.length > 0) {
      throw new Error(`${sent.method} ${sent.path}: not as /openapi.json says: ${problems.slice(0, 5).join("; ")}`);
    }
    return answer;
  }

  return {
    port,
    server,
    logLines,
    send,
    setTime(milliseconds) {
      now = milliseconds;
    },
    swap(next) {
      store = buildStore(next);
    },
    get: (path, headers = {}) => send({ method: "GET", path, headers: { "X-API-Key": publicKey, ...headers } }),
    signedGet: (path, headers = {}) => {
      const timestampSeconds = Math.floor(now / 1000);
      const signed = signedHeaders({ method: "GET", path, body: "", key: secretKey, timestampSeconds });
      return send({ method: "GET", path, headers: { ...signed, ...headers } });
    },
    post: (path, body, headers = {}) =>
      send({
        method: "POST",
        path,
        headers: { "X-API-Key": publicKey, "Content-Type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    signedPost: (path, body, headers = {}) => {
      const text = JSON.stringify(body);
      const timestampSeconds = Math.floor(now / 1000);
      const signed = signedHeaders({ method: "POST", path, body: text, key: secretKey, timestampSeconds });
      return send({
        method: "POST",
        path,
        headers: { ...signed, "Content-Type": "application/json", ...headers },
        body: text,
      });
    },
    async logLineOf(requestId) {
      for (;;) {
        const line = logLines
          .filter((text) => text.includes(requestId))
          .map((text) => JSON.parse(text) as Record<string, unknown>)
          .find((fields) => fields["request_id"] === requestId && fields["msg"] === "request");
        if (line !== undefined) return line;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

function sendRequest(
  port: number,
  agent: Agent,
  { method, path, headers = {}, body = "" }: SentRequest,
): Promise<ReceivedAnswer> {
  const sent = Object.entries(headers).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: "127.0.0.1",
        port,
        agent,
        method,
        path,
        headers: {
          ...Object.fromEntries(sent),
          ...(body.length === 0 ? {} : { "Content-Length": Buffer.byteLength(body) }),
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const bytes = Buffer.concat(chunks);
          const text = decodeBody(bytes, incoming.headers["content-encoding"]).toString();
          const isWhole = text !== "" && incoming.statusCode !== 206;
          const isJson = isWhole && /^application\/(?:problem\+)?json$/.test(incoming.headers["content-type"] ?? "");
          let body: unknown;
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            bytes,
            get body() {
              if (isJson) body ??= JSON.parse(text);
              return body;
            },
          });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function decodeBody(bytes: Buffer, coding: string | undefined): Buffer {
  // The answer to HEAD names the coding and has no body.
  if (coding === undefined || bytes.length === 0) return bytes;
  if (coding === "gzip") return gunzipSync(bytes);
  if (coding === "br") return brotliDecompressSync(bytes);
  if (coding === "zstd") return zstdDecompressSync(bytes);
  throw new Error(`the coding is ${coding}, expected one that was asked for`);
}
