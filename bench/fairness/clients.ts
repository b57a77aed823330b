/** Clients of the scenes of fairness, each at an address of its own on loopback. */
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { PlainRequest } from "../http/http-question.ts";
import { headersOf } from "../http/request-headers.ts";
import type { BenchService } from "../swap/service-process.ts";

const days = { start_date: "2000-01-01", end_date: "2026-12-31" };

const freshConnections = new Agent({ keepAlive: false });

const refusedPauseMilliseconds = 10;

/** An answer as a client sees it. */
export interface Answer {
  readonly status: number;
  readonly milliseconds: number;
  readonly bytes: number;
}

export interface Asking {
  readonly agent?: Agent;
  /** The client's address on loopback. */
  readonly from?: string;
}

export function ask(
  service: BenchService,
  plain: PlainRequest | string,
  { agent, from }: Asking = {},
): Promise<Answer> {
  const startedAt = performance.now();
  const isPage = typeof plain === "string";
  const target = isPage ? plain : plain.target;
  const headers = isPage ? { Accept: "text/html" } : headersOf(plain, service);
  return new Promise((done, fail) => {
    request(
      service.baseUrl + target,
      {
        method: isPage ? "GET" : plain.method,
        headers,
        agent: agent ?? freshConnections,
        ...(from !== undefined && { localAddress: from }),
      },
      (incoming: IncomingMessage) => {
        let bytes = 0;
        incoming
          .on("data", (chunk: Buffer) => {
            bytes += chunk.length;
          })
          .on("end", () =>
            done({ status: incoming.statusCode ?? 0, milliseconds: performance.now() - startedAt, bytes }),
          )
          .on("error", fail);
      },
    )
      .on("error", fail)
      .end(isPage ? undefined : plain.body);
  });
}

export async function productsOf(service: BenchService): Promise<readonly string[]> {
  const target = "/api/v1/products?page_size=50";
  const response = await fetch(service.baseUrl + target, { headers: { "X-API-Key": service.publicKey } });
  const { data } = (await response.json()) as { data: readonly { uuid: string }[] };
  return data.map(({ uuid }) => uuid);
}

/** Statistics by day of a type of market, whose answer is long; they need a secret key. */
export function longStatistics(uuid: string | undefined, access: PlainRequest["access"]): PlainRequest {
  const body = JSON.stringify({ product_uuid: uuid, ...days, group_by: "day", market_type: "Wholesale" });
  return { method: "POST", target: "/api/v1/prices/statistics", body, access };
}

/** The latest prices of a product at every market, whose answer is long; a public key may ask for them. */
export function longLatest(uuid: string | undefined): PlainRequest {
  const target = `/api/v1/prices/latest?product_uuids=${uuid}&one_per_market=true&limit=500&detail=true`;
  return { method: "GET", target, body: "", access: "public" };
}

export function lookUp(uuid: string | undefined): PlainRequest {
  const target = `/api/v1/prices/latest?product_uuids=${uuid}&limit=1`;
  return { method: "GET", target, body: "", access: "public" };
}

/** Opens a connection that sends a request and never reads. */
export async function openUnread(service: BenchService, bytes: string | Uint8Array, from: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(service.baseUrl).port), host: "127.0.0.1", localAddress: from });
  socket.on("error", () => undefined).pause();
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

/** Repeats a call until a time has passed. */
export async function repeat(milliseconds: number, call: () => Promise<void>): Promise<void> {
  for (const end = performance.now() + milliseconds; performance.now() < end; ) await call();
}

/** Requests that are sent again and again beside others. */
export interface Loop {
  /** Those that were answered 200 so far. */
  readonly answered: number;
  stop(): Promise<void>;
}

/** Sends requests in so many loops; each pauses after one that is refused. */
export function loop(count: number, call: (turn: number) => Promise<Answer>): Loop {
  let isOver = false;
  let answered = 0;
  const runs = Array.from({ length: count }, async (_, at) => {
    for (let turn = at; !isOver; turn += count) {
      const status = await call(turn).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status === 200) answered++;
      else await delay(refusedPauseMilliseconds);
    }
  });
  return {
    get answered() {
      return answered;
    },
    async stop() {
      isOver = true;
      await Promise.all(runs);
    },
  };
}

/** Places of long answers that the service says are held, over all threads. */
export async function heldAnswers(
  service: BenchService,
  kind: "long_answers" | "keyless_long_answers",
): Promise<number> {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
  return Number(new RegExp(`^http_${kind} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
}
