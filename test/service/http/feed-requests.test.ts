/** What a connection holds of requests that come before the answers to those before them. */
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { pino } from "pino";
import t, { type Test } from "tap";
import { bodyBytesMax, waitingBytesMax, waitingRequestsMax } from "../../../src/contract/limits.ts";
import { createHttpServer } from "../../../src/service/http/connection/create-server.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { listenOn } from "../../support/listen-on.ts";
import { testConnections } from "../../support/test-admission.ts";

/** The shortest request, and how many of it are parsed at once. */
const shortest = "GET / HTTP/1.1\r\n\r\n";
const parsedTogether = 15;

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface TestServer {
  readonly port: number;
  readonly server: Server;
  /** All that Node has made of requests whose answers have not left. */
  readonly held: ReadonlySet<Exchange>;
  /** The most that there were at one time. */
  mostHeld(): number;
}

async function startServer(t: Test, handle: Handle): Promise<TestServer> {
  const log = pino({ level: "silent" });
  const { server } = createHttpServer(handle, {
    connectionCounts: testConnections(),
    currentStore: () => undefined,
    log,
  });
  // For tests that shorten the timeouts. Not in Node's manual.
  Object.assign(server, { connectionsCheckingInterval: 20 });
  const held = new Set<Exchange>();
  let most = 0;
  server.on("request", (request, response) => {
    const exchange = { request, response };
    held.add(exchange);
    most = Math.max(most, held.size);
    response.once("close", () => held.delete(exchange));
  });
  return { port: await listenOn(t, server), server, held, mostHeld: () => most };
}

function openClient(t: Test, port: number): Socket {
  const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  client.on("error", () => undefined);
  t.teardown(() => client.destroy());
  return client;
}

/** Waits until nothing has been read from the client for some turns of the event loop. */
async function readToEnd(accepted: Promise<unknown[]>): Promise<Socket> {
  const [socket] = (await accepted) as [Socket];
  for (let quietTurns = 0, before = -1; quietTurns < 50; before = socket.bytesRead) {
    await nextTurn();
    quietTurns = before === socket.bytesRead ? quietTurns + 1 : 0;
  }
  return socket;
}

t.test("of thousands of requests on a connection, few become objects at one time", async (t) => {
  const { port, mostHeld } = await startServer(t, (_request, response) => response.end("x"));
  const count = 3000;
  const client = openClient(t, port);
  client.end(shortest.repeat(count));
  const answers = await text(client);
  t.equal(answers.match(/HTTP\/1\.1 200 /g)?.length, count, "all are answered");
  t.ok(mostHeld() <= 1 + waitingRequestsMax + parsedTogether, `${mostHeld()} at one time`);
});

t.test("bytes that come one by one behind requests that wait are not read", async (t) => {
  const { port, server, held } = await startServer(t, () => undefined);
  const accepted = once(server, "connection");
  const client = openClient(t, port).setNoDelay();
  client.write(shortest.repeat(100));
  const { bytesRead } = await readToEnd(accepted);
  for (let byte = 0; byte < 100; byte++) {
    await new Promise((resolve) => client.write("x", resolve));
    await nextTurn();
  }
  const socket = await readToEnd(accepted);
  t.equal(socket.bytesRead, bytesRead);
  t.ok(held.size <= 1 + waitingRequestsMax + parsedTogether);
});

t.test("bodies that wait are bounded in bytes", async (t) => {
  const { port, server, held } = await startServer(t, () => undefined);
  const accepted = once(server, "connection");
  const client = openClient(t, port);
  const body = "x".repeat(bodyBytesMax);
  const withLength = `POST / HTTP/1.1\r\nContent-Length: ${bodyBytesMax}\r\n\r\n${body}`;
  const inChunks = `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n10000\r\n${body}\r\n0\r\n\r\n`;
  client.write((withLength + inChunks).repeat(20));
  await readToEnd(accepted);
  const bytes = Array.from(held, ({ request }) => request.readableLength).reduce((sum, length) => sum + length, 0);
  // The first does not wait, and a slice without the end of headers is as long as a read.
  t.ok(bytes <= bodyBytesMax + waitingBytesMax + 65_536, `${bytes} bytes`);
  t.ok(held.size > 1, "something waits");
});

t.test("a client that does not read its answers loses its connection in time, with what it holds", async (t) => {
  const long = "x".repeat(10_000_000);
  const { port, server, held } = await startServer(t, (_request, response) => response.end(long));
  server.timeout = 200;
  const accepted = once(server, "connection");
  openClient(t, port).write(shortest.repeat(3000));
  const [socket] = (await accepted) as [Socket];
  await once(socket, "close");
  await nextTurn();
  t.equal(held.size, 0);
});

t.test("a request is not late while its bytes are held back, and is once they are not", async (t) => {
  const responses: ServerResponse[] = [];
  const { port, server } = await startServer(t, (request, response) => {
    responses.push(response);
    request.on("error", () => response.writeHead(408, { Connection: "close" }).end());
  });
  server.headersTimeout = 100;
  server.requestTimeout = 100;
  const client = openClient(t, port);
  let received = "";
  client.setEncoding("latin1").on("data", (data: string) => {
    received += data;
  });
  // The body of the last is behind the limit.
  const body = "x".repeat(waitingBytesMax * 2);
  client.write(`${shortest.repeat(2)}POST / HTTP/1.1\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`);
  await delay(400);
  t.equal(received, "", "nothing is refused");
  while (responses.length < 3) {
    responses.at(-1)?.end("x");
    await nextTurn();
  }
  responses.at(-1)?.req.resume();
  await once(client, "end");
  t.strictSame(received.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 408"]);
});

interface SentRequest {
  readonly method: "GET" | "POST";
  readonly name: number;
  readonly body: string;
  readonly isChunked: boolean;
}

const sentRequest: fc.Arbitrary<SentRequest> = fc.record({
  method: fc.constantFrom("GET", "GET", "POST"),
  name: fc.nat(),
  // With what ends headers, and longer than a slice and than a read.
  body: fc
    .tuple(fc.constantFrom("", "x", "\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"), fc.constantFrom(1, 20, 300, 4000))
    .map(([piece, times]) => piece.repeat(times)),
  isChunked: fc.boolean(),
});

function bytesOf({ method, name, body, isChunked }: SentRequest): string {
  const head = `${method} /${name} HTTP/1.1\r\nHost: a\r\n`;
  if (method === "GET") return `${head}\r\n`;
  if (!isChunked) return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const chunk = body === "" ? "" : `${body.length.toString(16)}\r\n${body}\r\n`;
  return `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`;
}

t.test("every request arrives as it was sent, however it is cut and whenever it is answered", async (t) => {
  const { port } = await startServer(t, async (request, response) => {
    const name = Number(request.url?.slice(1));
    if (name % 3 === 0) await nextTurn();
    const body = await text(request);
    if (name % 5 === 0) await nextTurn();
    response.end(`${request.method} ${request.url} ${body.length} ${body.slice(-20)};`);
  });
  const property = fc.asyncProperty(
    fc.array(sentRequest, { minLength: 1, maxLength: 60 }),
    fc.array(fc.integer({ min: 1, max: 70_000 }), { maxLength: 30 }),
    async (requests, cuts) => {
      const bytes = requests.map(bytesOf).join("");
      const client = openClient(t, port);
      const received = text(client);
      let from = 0;
      for (const length of cuts) {
        await new Promise((resolve) => client.write(bytes.slice(from, from + length), resolve));
        from += length;
      }
      client.end(bytes.slice(from));
      const found = (await received).split(/HTTP\/1\.1 200 [\s\S]*?\r\n\r\n/).slice(1);
      const expected = requests.map(({ method, name, body }) => {
        const sent = method === "GET" ? "" : body;
        return `${method} /${name} ${sent.length} ${sent.slice(-20)};`;
      });
      return found.join("\n") === expected.join("\n");
    },
  );
  await fc.assert(property, { numRuns: runsOf(100, 1000) });
});
