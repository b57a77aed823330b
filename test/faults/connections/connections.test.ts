/** Requests that come early, bodies that do not come, and clients that go away or do not read. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import t from "tap";
import {
  ConnectionCounts,
  createConnectionMemory,
  readConnections,
} from "../../../src/service/http/connection/connection-counts.ts";
import { expectNoTrouble } from "../../support/expect-answer.ts";
import { rawExchange } from "../../support/raw-exchange.ts";
import { publicKey } from "../../support/signed-request.ts";
import { type RunningApp, startApp } from "../../support/start-app.ts";
import { holdsWithin } from "../../support/start-process.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

const headers = `Host: prices.example\r\nX-API-Key: ${publicKey}\r\n`;
const post = `POST /api/v1/products/search HTTP/1.1\r\n${headers}Content-Type: application/json\r\n`;

/** A good request line and headers for a target, with more headers. */
function get(target: string, more = ""): string {
  return `GET ${target} HTTP/1.1\r\n${headers}${more}\r\n`;
}

t.test("many requests at once on one connection are all answered, in their order", async (t) => {
  const app = await startApp(t);
  const names = Array.from({ length: 500 }, (_, at) => `r${at}`);
  const bytes = names.map((name) => get("/api/v1/crops", `X-Request-Id: ${name}\r\n`)).join("");
  const { answers } = await rawExchange(app.port, bytes, { answerCount: names.length });
  t.strictSame(
    answers.map(({ headers }) => headers["x-request-id"]),
    names,
  );
});

t.test("requests behind the last one of a connection are not taken up, nor called broken", async (t) => {
  const app = await startApp(t);
  const named = "X-Request-Id: last\r\n";
  for (const [name, last, status] of [
    ["the client's last", get("/api/v1/crops", `${named}Connection: close\r\n`), 200],
    ["the server's last", get("ftp://x", named), 400],
  ] as const) {
    app.logLines.splice(0);
    const { answers, end } = await rawExchange(app.port, last + get("/api/v1/counties").repeat(3));
    t.strictSame([answers.map((answer) => answer.status), end], [[status], "closed"], name);
    await app.logLineOf("last");
    while ((await connectionCount(app)) > 0) await setTimeout(5);
    t.equal(app.logLines.length, 1, name);
  }
});

t.test("requests before one whose body is broken are answered first, too", async (t) => {
  const app = await startApp(t);
  const broken = `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`;
  const refused = broken.replace("X-API", "Y-API");
  for (const [bytes, status] of [
    [broken, 400],
    [refused, 401],
  ] as const) {
    for (const pieces of [
      get("/api/v1/crops") + get("/api/v1/counties") + bytes,
      [get("/api/v1/crops"), get("/api/v1/counties"), bytes],
    ]) {
      const { answers, end } = await rawExchange(app.port, pieces, { answerCount: 4 });
      t.strictSame([answers.map((answer) => answer.status), end], [[200, 200, status], "closed"]);
    }
  }
  expectNoTrouble(t, app);
});

t.test("a request that was answered before its body came gets no second answer", async (t) => {
  const app = await startApp(t);
  app.server.headersTimeout = 200;
  const noKey = post.replace("X-API", "Y-API");
  for (const [name, pieces, requestTimeout] of [
    ["a body that does not come", [`${noKey}Content-Length: 50\r\n\r\n{`], 400],
    ["a body that is broken", [`${noKey}Transfer-Encoding: chunked\r\n\r\n`, "zz\r\n"], 10_000],
  ] as const) {
    app.server.requestTimeout = requestTimeout;
    const { answers, end } = await rawExchange(app.port, pieces, { answerCount: 2 });
    t.strictSame([answers.map(({ status }) => status), end], [[401], "closed"], name);
  }
  t.equal(app.logLines.length, 2, "and no second line");
  expectNoTrouble(t, app);
});

t.test("a request whose body is broken or late has one line, which says what was answered", async (t) => {
  const app = await startApp(t);
  app.server.headersTimeout = 200;
  const named = `${post}X-Request-Id: named\r\n`;
  for (const [pieces, requestTimeout, status, code] of [
    [[`${named}Content-Length: 10\r\n\r\n{`], 400, 408, "REQUEST_TIMEOUT"],
    [[`${named}Transfer-Encoding: chunked\r\n\r\n`, "zz\r\n"], 10_000, 400, "BAD_REQUEST"],
  ] as const) {
    app.server.requestTimeout = requestTimeout;
    app.logLines.splice(0);
    const { answers } = await rawExchange(app.port, pieces);
    t.strictSame(
      answers.map((answer) => [answer.status, answer.headers["x-request-id"]]),
      [[status, "named"]],
    );
    const line = await app.logLineOf("named");
    t.match(line, { method: "POST", target: "/api/v1/products/search", status, code, client: "127.0.0.1" });
    t.notOk("aborted" in line);
    t.equal(app.logLines.length, 1);
  }
});

t.test("a client that resets its connection gets no answer, and the log claims no answer", async (t) => {
  const app = await startApp(t);
  const named = `${post}X-Request-Id: gone\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n`;
  const socket = connect(app.port, "127.0.0.1");
  socket.write(named);
  await once(socket, "data");
  socket.resetAndDestroy();
  const line = await app.logLineOf("gone");
  t.match(line, { aborted: true, client: "127.0.0.1", target: "/api/v1/products/search" });
  t.notOk("status" in line || "code" in line || "bytes" in line);

  const silent = connect(app.port, "127.0.0.1");
  silent.write("GET /api");
  await once(silent, "connect");
  await app.get("/api/v1/crops", { "X-Request-Id": "next" });
  silent.resetAndDestroy();
  await app.logLineOf("next");
  while ((await connectionCount(app)) > 1) await setTimeout(5);
  t.equal(app.logLines.length, 2, "what was no request yet has no line");
});

t.test("connections whose requests do not arrive whole keep no one out", async (t) => {
  const memory = createConnectionMemory(0);
  const connectionCounts = new ConnectionCounts(memory, { total: 3, perAddress: 3 }, 0);
  const app = await startApp(t, undefined, { connectionCounts });
  const waiting = Array.from({ length: 3 }, () => {
    const socket = connect(app.port, "127.0.0.1").on("error", () => undefined);
    socket.resume().write(`${post}Content-Length: 50\r\n\r\n{`);
    return socket;
  });
  t.teardown(() => waiting.forEach((socket) => void socket.destroy()));
  t.ok(await holdsWithin(2000, () => readConnections(memory).held === 3));
  const status = async (): Promise<number | undefined> => (await app.get("/api/v1/crops")).status;
  t.equal(await status(), 429, "a body may take a moment");
  t.ok(await holdsWithin(4000, async () => (await status()) === 200));
  t.equal(waiting.filter((socket) => socket.closed).length, 1);
});

t.test("a client that does not read its answers loses its connection", async (t) => {
  const description = "x".repeat(1_000_000);
  const app = await startApp(t, tinyDataset({ products: [{ description }] }));
  app.server.timeout = 300;
  const accepted = once(app.server, "connection");
  const socket = connect(app.port, "127.0.0.1");
  t.teardown(() => socket.destroy());
  const requests = Array.from({ length: 60 }, (_, at) => get("/api/v1/products", `X-Request-Id: r${at}\r\n`));
  socket.write(requests.join(""));
  // The client knows of the connection before the server does.
  await accepted;
  while ((await connectionCount(app)) > 0) await setTimeout(20);
  // The line is written when the answer is given up, which may be a moment after the connection.
  await holdsWithin(10_000, () => app.logLines.some((text) => text.includes('"aborted"')));
  const lines = app.logLines.map((text) => JSON.parse(text) as Record<string, unknown>);
  t.ok(lines.length > 1 && lines.length < requests.length, `${lines.length} requests were taken up, one after another`);
  t.match(lines.at(-1), { aborted: true, status: 200, client: "127.0.0.1" });
  t.ok(
    lines.slice(0, -1).every((line) => !("aborted" in line)),
    "only one answer was under way",
  );
  expectNoTrouble(t, app);
});

function connectionCount({ server }: RunningApp): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );
}
