/**
 * Bytes that are no HTTP, or no good HTTP, on a raw connection: they get the documented error body like everything
 * else.
 */
import t, { type Test } from "tap";
import type { ApiErrorCode } from "../../src/http/errors.ts";
import { bodyBytesMax, headerBytesMax, targetCharactersMax } from "../../src/http/limits.ts";
import { expectError } from "../support/expect-answer.ts";
import { rawExchange } from "../support/raw-exchange.ts";
import { publicKey } from "../support/signed-request.ts";
import { type RunningApp, startApp } from "../support/start-app.ts";

const headers = `Host: prices.example\r\nX-API-Key: ${publicKey}\r\n`;
const post = `POST /api/v1/products/search HTTP/1.1\r\n${headers}Content-Type: application/json\r\n`;
const good = get("/api/v1/crops");

/** A good request line and headers for a target, with more headers. */
function get(target: string, more = ""): string {
  return `GET ${target} HTTP/1.1\r\n${headers}${more}\r\n`;
}

/** What is broken, the bytes, and the code; every connection is closed behind the answer. */
type Row = readonly [name: string, pieces: string | readonly (string | Uint8Array)[], code: ApiErrorCode];

const brokenRequests: readonly Row[] = [
  ["nonsense", "nonsense\r\n\r\n", "BAD_REQUEST"],
  ["a TLS greeting", [Buffer.from([0x16, 3, 1, 0, 0x50, 1, 0, 0, 0x4c])], "BAD_REQUEST"],
  ["an HTTP/2 greeting", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "BAD_REQUEST"],
  ["an HTTP/0.9 line", "GET /api/v1/crops\r\n\r\n", "BAD_REQUEST"],
  ["an HTTP/0.9 line for a document", "GET /openapi.json\r\n\r\n", "BAD_REQUEST"],
  ["version 0.9", good.replace("HTTP/1.1", "HTTP/0.9"), "BAD_REQUEST"],
  ["version 1.2", good.replace("HTTP/1.1", "HTTP/1.2"), "BAD_REQUEST"],
  ["version 2.0", good.replace("HTTP/1.1", "HTTP/2.0"), "BAD_REQUEST"],
  ["another protocol", good.replace("HTTP/1.1", "ICE/1.0"), "BAD_REQUEST"],
  ["a word behind the version", good.replace("HTTP/1.1", "HTTP/1.1 x"), "BAD_REQUEST"],
  ["no Host", `GET /api/v1/crops HTTP/1.1\r\nX-API-Key: ${publicKey}\r\n\r\n`, "BAD_REQUEST"],
  ["two Hosts", get("/api/v1/crops", "Host: other.example\r\n"), "BAD_REQUEST"],
  ["a method that does not exist", good.replace("GET", "FETCH"), "BAD_REQUEST"],
  ["a method in lower case", good.replace("GET", "get"), "BAD_REQUEST"],
  ["CONNECT", "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n", "BAD_REQUEST"],
  ["line ends without CR", good.replaceAll("\r\n", "\n"), "BAD_REQUEST"],
  ["line ends without LF", good.replaceAll("\r\n", "\r"), "BAD_REQUEST"],
  ["a NUL in a header", get("/api/v1/crops", "X: a\0b\r\n"), "BAD_REQUEST"],
  ["a control character in a header", get("/api/v1/crops", "X: a\u0001b\r\n"), "BAD_REQUEST"],
  ["a blank before the colon", get("/api/v1/crops", "X : a\r\n"), "BAD_REQUEST"],
  ["a folded header", get("/api/v1/crops", "X: a\r\n b\r\n"), "BAD_REQUEST"],
  ["a header without colon", get("/api/v1/crops", "nonsense\r\n"), "BAD_REQUEST"],
  ["a blank in the target", get("/api/v1/crops ?x=1"), "BAD_REQUEST"],
  ["a tab in the target", get("/api/v1/crops\t"), "BAD_REQUEST"],
  ["a raw byte above 7f in the path", get("/api/v1/cr\u00e9ps"), "BAD_REQUEST"],
  ["a raw byte above 7f in the query", get("/api/v1/products?search=caf\u00c3\u00a9"), "BAD_REQUEST"],
  ["a fragment in the target", get("/api/v1/products?search=maize#page=2"), "BAD_REQUEST"],
  ["a fragment that would clean the path", get("/api\\v1\\crops#"), "BAD_REQUEST"],
  ["a target of another scheme", get("ftp://prices.example/api/v1/crops"), "BAD_REQUEST"],
  ["a target that is no URL", get("foo://[bad/api/v1/crops"), "BAD_REQUEST"],
  ["a target without slash", get("api/v1/crops"), "BAD_REQUEST"],
  ["too many header bytes", get("/api/v1/crops", `X: ${"x".repeat(headerBytesMax)}\r\n`), "HEADERS_TOO_LARGE"],
  ["too many headers", get("/api/v1/crops", "X: y\r\n".repeat(headerBytesMax / 6)), "HEADERS_TOO_LARGE"],
  ["too long a target", get(`/${"x".repeat(targetCharactersMax)}`), "URI_TOO_LONG"],
  ["two lengths", `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `, "BAD_REQUEST"],
  ["a negative length", `${post}Content-Length: -2\r\n\r\n{}`, "BAD_REQUEST"],
  ["a length in hexadecimal", `${post}Content-Length: 0x2\r\n\r\n{}`, "BAD_REQUEST"],
  ["length and chunks", `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, "BAD_REQUEST"],
  ["a coding that does not end in chunks", `${post}Transfer-Encoding: gzip\r\n\r\n{}`, "UNSUPPORTED_MEDIA_TYPE"],
  ["a chunk without size", `${post}Transfer-Encoding: chunked\r\n\r\n{}\r\n`, "BAD_REQUEST"],
  ["a bad chunk behind a good one", [`${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`, "zz\r\n"], "BAD_REQUEST"],
  ["a chunk longer than it says", `${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`, "BAD_REQUEST"],
  [
    "too large an extension",
    `${post}Transfer-Encoding: chunked\r\n\r\n2;${"x".repeat(20_000)}\r\n{}\r\n`,
    "PAYLOAD_TOO_LARGE",
  ],
  [
    "too large a length",
    `${post}Content-Length: ${bodyBytesMax + 1}\r\n\r\n${" ".repeat(bodyBytesMax + 1)}`,
    "PAYLOAD_TOO_LARGE",
  ],
  ["too large a body in one chunk", chunked(bodyBytesMax + 1, bodyBytesMax + 1), "PAYLOAD_TOO_LARGE"],
  ["too large a body in many chunks", chunked(bodyBytesMax + 1, 1000), "PAYLOAD_TOO_LARGE"],
];

/** A body of blanks in chunks, which says nowhere how large it is. */
function chunked(byteCount: number, chunkBytes: number): string[] {
  const chunk = `${chunkBytes.toString(16)}\r\n${" ".repeat(chunkBytes)}\r\n`;
  return [`${post}Transfer-Encoding: chunked\r\n\r\n`, chunk.repeat(Math.ceil(byteCount / chunkBytes)), "0\r\n\r\n"];
}

t.test("broken requests get the error body, then the connection ends", async (t) => {
  const app = await startApp(t);
  t.ok(brokenRequests.length >= 40, "the table is full");
  for (const [name, pieces, code] of brokenRequests) {
    const { answers, end } = await rawExchange(app.port, pieces);
    t.strictSame([answers.length, answers[0]?.headers["connection"], end], [1, "close", "closed"], name);
    if (answers[0] !== undefined) expectError(t, answers[0], { code }, name);
  }
  expectNoTrouble(t, app);
});

t.test("a request that ends in the middle gets the error body", async (t) => {
  const app = await startApp(t);
  for (const piece of [good.slice(0, -2), good.slice(0, 20), `${post}Content-Length: 10\r\n\r\n{}`]) {
    const { answers, end } = await rawExchange(app.port, piece, { halfClose: true });
    t.strictSame([answers.length, end], [1, "closed"], piece);
    if (answers[0] !== undefined) expectError(t, answers[0], { code: "BAD_REQUEST" });
  }
  expectNoTrouble(t, app);
});

t.test("a body in a coding beside chunks is not read as if it had none", async (t) => {
  const app = await startApp(t);
  for (const coding of ["gzip, chunked", "identity, chunked"]) {
    const { answers } = await rawExchange(app.port, `${post}Transfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`);
    t.equal(answers.length, 1, coding);
    if (answers[0] !== undefined) expectError(t, answers[0], { code: "UNSUPPORTED_MEDIA_TYPE" }, coding);
  }
  const { answers } = await rawExchange(app.port, `${post}Transfer-Encoding: Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`);
  t.equal(answers[0]?.status, 200, "the name of a coding is read in either case");
});

t.test("a request that does not come in time gets 408", async (t) => {
  const app = await startApp(t);
  app.server.headersTimeout = 200;
  app.server.requestTimeout = 400;
  const slow = [
    good.slice(0, -2),
    "GET /",
    `${post}Content-Length: 10\r\n\r\n{`,
    `${post}Transfer-Encoding: chunked\r\n\r\n`,
  ];
  await Promise.all(
    slow.map(async (pieces) => {
      const { answers, end } = await rawExchange(app.port, pieces);
      t.strictSame([answers.length, end], [1, "closed"], pieces);
      if (answers[0] !== undefined) expectError(t, answers[0], { code: "REQUEST_TIMEOUT" });
    }),
  );
  expectNoTrouble(t, app);
});

t.test("connections that are late together get 408, a few in each turn of the event loop", async (t) => {
  const app = await startApp(t);
  app.server.headersTimeout = 200;
  let mostInTurn = 0;
  let before = 0;
  let isOver = false;
  const watch = (): void => {
    mostInTurn = Math.max(mostInTurn, app.logLines.length - before);
    before = app.logLines.length;
    if (!isOver) setImmediate(watch);
  };
  watch();
  const exchanges = await Promise.all(Array.from({ length: 60 }, () => rawExchange(app.port, "GET /")));
  isOver = true;
  const statuses = exchanges.map(({ answers, end }) => [answers.map(({ status }) => status), end]);
  t.strictSame(statuses, new Array(60).fill([[408], "closed"]));
  t.ok(mostInTurn <= 2, `${mostInTurn} in one turn`);
  expectNoTrouble(t, app);
});

t.test("requests before a broken one are answered first, in their order", async (t) => {
  const app = await startApp(t);
  const broken: [string, string][] = [
    ["nonsense", "nonsense\r\n\r\n"],
    ["CONNECT", "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n"],
    ["two Hosts", get("/api/v1/crops", "Host: other.example\r\n")],
  ];
  for (const [name, bytes] of broken) {
    for (const pieces of [good + get("/api/v1/counties") + bytes, [good, get("/api/v1/counties"), bytes]]) {
      const { answers, end } = await rawExchange(app.port, pieces, { answerCount: 3 });
      t.strictSame([answers.map(({ status }) => status), end], [[200, 200, 400], "closed"], name);
      t.match(answers[0]?.text, /"Maize"/);
      t.match(answers[1]?.text, /"Mombasa"/);
      if (answers[2] !== undefined) expectError(t, answers[2], { code: "BAD_REQUEST" }, name);
    }
  }
  expectNoTrouble(t, app);
});

t.test("an error that is no broken HTTP leaves the connection open for the next request", async (t) => {
  const app = await startApp(t);
  const bad = [
    get("/api/v1/nothing"),
    get("/api/v1/crops?x=1"),
    good.replace("GET", "DELETE"),
    good.replace("X-API", "Y-API"),
  ];
  const { answers, end } = await rawExchange(app.port, [...bad, good], { answerCount: 5 });
  t.strictSame([answers.map(({ status }) => status), end], [[404, 400, 405, 401, 200], "open"]);
});

t.test("a body that is not read does not spoil the next request", async (t) => {
  const app = await startApp(t);
  const body = `Content-Length: ${good.length}\r\n\r\n${good}`;
  const unread = [`GET / HTTP/1.1\r\n${headers}${body}`, `POST /api/v1/crops HTTP/1.1\r\nHost: x\r\n${body}`];
  const { answers } = await rawExchange(app.port, [...unread, good], { answerCount: 3 });
  t.strictSame(
    answers.map(({ status }) => status),
    [302, 401, 200],
  );
});

t.test("a client that is still sending too large a body reads the answer", async (t) => {
  const app = await startApp(t);
  const pieces = Array.from({ length: 100 }, () => " ".repeat(8000));
  const announced = `${post}Content-Length: 800000\r\n\r\n`;
  const inChunks = `${post}Transfer-Encoding: chunked\r\n\r\n`;
  const endless = Array.from({ length: 300 }, () => `4000\r\n${" ".repeat(0x4000)}\r\n`);
  // At the same time, because a body that does not come is waited for.
  const exchanges = [
    [announced, ...pieces],
    [inChunks, "c3500\r\n", ...pieces],
    `${post}Content-Length: 100000000000\r\n\r\n`,
    [inChunks, ...endless],
  ].map((bytes) => rawExchange(app.port, bytes));
  const ended = await Promise.all(exchanges);
  for (const { answers, end } of ended.slice(0, 3)) {
    t.equal(end, "closed", "the connection is closed in good order, not reset under the client's hands");
    t.equal(answers.length, 1);
    if (answers[0] !== undefined) expectError(t, answers[0], { code: "PAYLOAD_TOO_LARGE" });
    t.equal(answers[0]?.headers["connection"], "close");
  }
  t.not(ended[3]?.end, "open", "a body without end is not read to its end");
  expectNoTrouble(t, app);
});

t.test("a request that asks for an upgrade is answered, and its connection closed", async (t) => {
  const app = await startApp(t);
  const asking = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
  const http2 = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n";
  const cases: [string, string | string[], number][] = [
    ["alone", get("/api/v1/crops", asking), 200],
    ["to HTTP/2", get("/api/v1/crops", http2), 200],
    ["with a body of known length", `${post}${asking}Content-Length: 2\r\n\r\n{}`, 200],
    ["before another request", get("/api/v1/crops", asking) + good, 200],
    ["before a broken one", `${get("/api/v1/crops", asking)}BROKEN\r\n\r\n`, 200],
    ["before a broken one that comes later", [get("/api/v1/crops", asking), "BROKEN\r\n\r\n"], 200],
    ["with a body in chunks", `${post}${asking}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, 400],
    ["with a broken body", `${post}${asking}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    ["with a body that breaks later", [`${post}${asking}Transfer-Encoding: chunked\r\n\r\n`, "zz\r\n"], 400],
  ];
  for (const [name, bytes, status] of cases) {
    const { answers, end } = await rawExchange(app.port, bytes, { answerCount: 2 });
    t.strictSame([answers.map((answer) => answer.status), end], [[status], "closed"], name);
  }
  expectNoTrouble(t, app);
});

t.test("unusual but good HTTP is answered", async (t) => {
  const app = await startApp(t);
  const unusual: [string, string][] = [
    ["a target in absolute form", get("http://prices.example/api/v1/crops")],
    ["in capitals and with a port", get("HTTP://prices.example:80/api/v1/crops?category=Food%20Crops")],
    ["an empty Host", good.replace("prices.example", "")],
    ["an expectation that is unknown", get("/api/v1/crops", "Expect: miracles\r\n")],
    ["an Upgrade header that the connection does not name", get("/api/v1/crops", "Upgrade: websocket\r\n")],
    ["blank lines before the request", `\r\n\r\n${good}`],
    ["a target just short enough", get(`/api/v1/crops?${"&".repeat(targetCharactersMax - 14)}`)],
    ["headers just short enough", get("/api/v1/crops", `X: ${"x".repeat(headerBytesMax - 500)}\r\n`)],
    ["an empty body in chunks", `${post}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["extensions and trailers", `${post}Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n`],
    ["an empty body on GET", get("/api/v1/crops", "Content-Length: 0\r\n")],
  ];
  for (const [name, bytes] of unusual) {
    const { answers, end } = await rawExchange(app.port, bytes);
    t.strictSame([answers[0]?.status, end], [200, "open"], name);
  }
  const old = await rawExchange(app.port, `GET /api/v1/crops HTTP/1.0\r\nX-API-Key: ${publicKey}\r\n\r\n`);
  t.strictSame([old.answers[0]?.status, old.end], [200, "closed"], "HTTP/1.0 needs no Host");
  const waiting = await rawExchange(app.port, [`${post}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`, "{}"], {
    answerCount: 2,
  });
  t.strictSame(
    waiting.answers.map(({ status }) => status),
    [100, 200],
    "a client that waits for 100 gets it",
  );
});

t.test("the server as a whole is nothing here", async (t) => {
  const app = await startApp(t);
  for (const method of ["OPTIONS", "GET"]) {
    const { answers } = await rawExchange(app.port, `${method} * HTTP/1.1\r\n${headers}\r\n`);
    if (answers[0] !== undefined) expectError(t, answers[0], { code: "NOT_FOUND" }, method);
    t.equal(answers.length, 1);
  }
  for (const target of ["http://prices.example", "http://prices.example?x=1", "http://"]) {
    const { answers } = await rawExchange(app.port, get(target));
    t.equal(answers[0]?.status, 302, target);
  }
});

t.test("a broken request is logged by the id in its answer, without its bytes", async (t) => {
  const app = await startApp(t);
  const { answers } = await rawExchange(app.port, `nonsense ${publicKey}\r\n\r\n`);
  const line = app.logLines.find((text) => text.includes(answers[0]?.headers["x-request-id"] ?? "none"));
  t.match(JSON.parse(line ?? "{}"), {
    msg: "broken request",
    status: 400,
    code: "BAD_REQUEST",
    client: "127.0.0.1",
  });
  t.notOk(app.logLines.join("").includes("nonsense"));
});

/** Bad requests are not the service's errors, and it serves on. */
function expectNoTrouble(t: Test, app: RunningApp): void {
  t.strictSame(
    app.logLines.filter((line) => (JSON.parse(line) as { level: number }).level > 30),
    [],
  );
}
