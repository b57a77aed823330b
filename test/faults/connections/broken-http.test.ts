/**
 * Bytes that are no HTTP, or no good HTTP, on a raw connection: they get the documented error body like everything
 * else.
 */
import { once } from "node:events";
import type { Server } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import t from "tap";
import type { ApiErrorCode } from "../../../src/contract/errors.ts";
import { bodyBytesMax, headerBytesMax, targetCharactersMax } from "../../../src/contract/limits.ts";
import { expectError, expectNoTrouble } from "../../support/expect-answer.ts";
import { valuesOf } from "../../support/fields-of.ts";
import { rawExchange } from "../../support/raw-exchange.ts";
import { publicKey } from "../../support/signed-request.ts";
import { startApp } from "../../support/start-app.ts";

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

t.test("a connection on which nothing of a request has come is closed without an answer", async (t) => {
  const app = await startApp(t);
  app.server.headersTimeout = 200;
  for (const pieces of ["", "\r\n", ["\r\n", "\n"]]) {
    const { answers, end } = await rawExchange(app.port, pieces);
    t.strictSame([answers.length, end], [0, "closed"], JSON.stringify(pieces));
  }
  t.equal(app.logLines.length, 0);
  const { answers } = await rawExchange(app.port, ["\r\n", "G"]);
  t.equal(answers[0]?.status, 408, "one byte is the beginning of a request");
});

t.test("the message of a broken request names the cause", async (t) => {
  const app = await startApp(t);
  const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`;
  const causes: [name: string, bytes: string | Uint8Array, message: RegExp][] = [
    ["a raw é in the path", get("/api/v1/caf\u00c3\u00a9"), /bytes above 7F, which have to be percent-encoded/],
    ["a raw é in the query", get("/api/v1/products?search=caf\u00c3\u00a9"), /bytes above 7F, which have to be perc/],
    ["a blank in the target", get("/api/v1/products?search=a b"), /blanks are percent-encoded \(%20\)/],
    ["a tab in the target", get("/api/v1/products?search=a\tb"), /Invalid char.* percent-encoded/],
    ["bare LF", good.replaceAll("\r\n", "\n"), /every line to end with CR and LF/],
    ["bare CR", good.replaceAll("\r\n", "\r"), /every line to end with CR and LF/],
    ["LF behind a header", get("/api/v1/crops", "X: y\n"), /Missing expected CR after header value, .*CR and LF/],
    ["a header folded with a blank", get("/api/v1/crops", "X: a\r\n b\r\n"), /: A header is folded/],
    ["a header folded with a tab", get("/api/v1/crops", "X: a\r\n\tb\r\n"), /: A header is folded/],
    ["a blank before the colon", get("/api/v1/crops", "X : a\r\n"), /Invalid header token, .*a name without blanks/],
    ["a NUL in a header", get("/api/v1/crops", "X: a\0\r\n"), /Invalid header value char, .*control characters/],
    ["length and chunks", `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`, /can't be .* not both/],
    ["chunks and length", `${post}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n`, /can't be .* not both/],
    [
      "two lengths",
      `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n`,
      /Duplicate Content-Length, .*one Content-L/,
    ],
    ["a negative length", `${post}Content-Length: -2\r\n\r\n`, /Invalid character in Content-Length/],
    ["a bad chunk", `${chunked}zz\r\n`, /Invalid character in chunk size, .*hexadecimal/],
    ["a chunk extension", `${chunked}2;${"x".repeat(20_000)}\r\n`, /^The extensions of a chunk are too large/],
    ["a byte order mark", `\u00ef\u00bb\u00bf${good}`, /: It begins with a byte order mark, expected a method/],
    ["UTF-16", Buffer.from(`\ufeff${good}`, "utf16le"), /: It begins with a byte order mark of UTF-16/],
    ["TLS", Buffer.from([0x16, 3, 1, 0, 0x50, 1, 0, 0, 0x4c]), /: It begins with a greeting of TLS \(https\)/],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", /: It begins as HTTP\/2, expected HTTP\/1.1/],
    ["a method in lower case", good.replace("GET", "get"), /Invalid method encountered, expected a method in capitals/],
    ["another version", good.replace("HTTP/1.1", "HTTP/1.2"), /Invalid HTTP version, expected HTTP\/1.1/],
  ];
  for (const [name, bytes, message] of causes) {
    const { answers } = await rawExchange(app.port, [bytes]);
    t.match(JSON.parse(answers[0]?.text ?? "{}").message, message, name);
  }
  const { answers } = await rawExchange(app.port, [`${good}\u00ef\u00bb\u00bf${good}`], { answerCount: 2 });
  t.match(answers[1]?.text, /begins with a byte order mark/, "behind a good request");
  const cut = await rawExchange(app.port, good.slice(0, 20), { halfClose: true });
  t.match(cut.answers[0]?.text, /until the whole request is sent/);
});

t.test("a client that waits for 100 Continue gets it only for a body that will be read", async (t) => {
  const app = await startApp(t);
  const waiting = `${post}Expect: 100-continue\r\n`;
  const refused: [string, string, number][] = [
    ["a wrong key", waiting.replace(publicKey, `${publicKey}x`), 401],
    ["no key", waiting.replace("X-API-Key", "X"), 401],
    ["an unknown path outside of the interface", waiting.replace("/api/v1/products/search", "/nowhere"), 404],
    ["no Host", waiting.replace("Host", "X-Host"), 400],
  ];
  for (const [name, start, status] of refused) {
    for (const body of ["Content-Length: 2", "Transfer-Encoding: chunked"]) {
      const { answers, end } = await rawExchange(app.port, `${start}${body}\r\n\r\n`);
      t.strictSame([answers.map((answer) => answer.status), end], [[status], "closed"], `${name}, ${body}`);
      t.equal(answers[0]?.headers["connection"], "close", "its body will not be read");
    }
  }
  const before = performance.now();
  const large = await rawExchange(app.port, `${waiting}Content-Length: ${bodyBytesMax + 1}\r\n\r\n`);
  t.strictSame([large.answers.map(({ status }) => status), large.end], [[413], "closed"]);
  t.ok(performance.now() - before < 900, "at once, and not when the body has been waited for");
  const sent = await rawExchange(app.port, [`${waiting}Content-Length: 2\r\n\r\n{}`, good], { answerCount: 3 });
  t.strictSame(valuesOf(sent.answers, "status"), [100, 200, 200], "a client that does not wait is answered as ever");
  const bodiless = await rawExchange(app.port, [get("/api/v1/crops", "Expect: 100-continue\r\n"), good], {
    answerCount: 3,
  });
  t.strictSame([bodiless.answers.map(({ status }) => status), bodiless.end], [[100, 200, 200], "open"]);
  expectNoTrouble(t, app);
});

t.test("a Host that is no authority is refused", async (t) => {
  const app = await startApp(t);
  const asking = (host: string): string => good.replace("prices.example", host);
  const bad = [
    "a b",
    "a/b",
    "user@prices.example",
    "http://prices.example",
    "a:b",
    "a:80:80",
    "a:123456",
    ":80",
    "a?b",
  ];
  for (const host of [...bad, "[::1", "::1", "[1.2.3.4]", "[x]", "[]", "%zz", "a%2", "\u00e9", '"a"', "a\\b", "<a>"]) {
    const { answers, end } = await rawExchange(app.port, asking(host));
    t.strictSame([answers.length, end], [1, "closed"], host);
    if (answers[0] !== undefined) expectError(t, answers[0], { code: "BAD_REQUEST" }, host);
    t.match(answers[0]?.text, /The Host header is no authority/, host);
  }
  const names = [
    "a",
    "a.example.",
    "a_b",
    "xn--caf-dma.example",
    "caf%C3%A9.example",
    "a:80",
    "a:",
    "a:65535",
    "1.2.3.4:80",
  ];
  for (const host of [...names, "[::1]", "[::1]:80", "[2001:db8::1%25eth0]", "", "A".repeat(5000)]) {
    const { answers } = await rawExchange(app.port, asking(host));
    t.equal(answers[0]?.status, 200, host);
  }
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
  t.strictSame(valuesOf(answers, "status"), [302, 401, 200]);
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

t.test(
  "a request that asks for an upgrade is answered in HTTP/1.1, and its connection kept for the next",
  async (t) => {
    const app = await startApp(t);
    const asking = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
    const http2 = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n";
    const asked = get("/api/v1/crops", http2);
    const posting = `${post}${http2}Content-Length: 12\r\n\r\n`;
    const body = '{"query":""}';
    const inChunks = `${post}${asking}Transfer-Encoding: chunked\r\n\r\n`;
    const lookAlike = `POST /api/v1/products/search \r\n\r\n`;
    const kept: [string, string[], number[]][] = [
      ["each of three", [asked, asked, asked], [200, 200, 200]],
      ["to a WebSocket", [get("/api/v1/crops", asking), good], [200, 200]],
      ["with long headers", [get("/api/v1/crops", `${http2}X: ${"x".repeat(300)}\r\n`), good, good], [200, 200, 200]],
      ["in two parts", [asked.slice(0, 90), asked.slice(90), good], [200, 200]],
      ["with a body", [posting, body, good], [400, 200]],
      ["with a body in parts", [posting, body.slice(0, 3), body.slice(3, 5), body.slice(5), good], [400, 200]],
      ["with a body, twice", [posting, body, posting, body, good], [400, 400, 200]],
      ["with an empty body", [`${post}${http2}Content-Length: 0\r\n\r\n`, good], [200, 200]],
      ["to a document", [`GET /docs HTTP/1.1\r\nHost: x\r\n${http2}\r\n`, good], [200, 200]],
      ["that is refused", [asked.replace("X-API-Key", "X"), good], [401, 200]],
      ["with a body in chunks", [inChunks, "2\r\n{}\r\n0\r\n\r\n"], [400]],
      ["with a broken body in chunks", [inChunks, "zz\r\n"], [400]],
    ];
    for (const [name, pieces, statuses] of kept) {
      const { answers, end } = await rawExchange(app.port, pieces, { answerCount: statuses.length });
      const [last] = statuses.slice(-1);
      const isBroken = last === 400;
      t.strictSame([answers.map(({ status }) => status), end], [statuses, isBroken ? "closed" : "open"], name);
    }
    const together: [string, string, number[]][] = [
      ["three", asked + asked + asked, [200, 200, 200]],
      ["one before others", asked + good + good, [200, 200, 200]],
      ["one with a body before others", posting + body + good, [400, 200]],
      // Where the end of the request is unknown, it is the last of its connection: nothing is read as another one.
      ["one behind another", good + asked + good, [200, 200]],
      ["one behind empty lines", `\r\n\r\n${asked}${good}`, [200]],
      [
        "one behind a body that looks like it",
        `${post}Content-Length: ${lookAlike.length}\r\n\r\n${lookAlike}${posting}${body}${good}`,
        [400, 400],
      ],
    ];
    for (const [name, bytes, statuses] of together) {
      const { answers } = await rawExchange(app.port, bytes, { answerCount: statuses.length });
      t.strictSame(valuesOf(answers, "status"), statuses, name);
    }
    expectNoTrouble(t, app);
  },
);

t.test("what is broken behind a request that asks for an upgrade is refused at once", async (t) => {
  const app = await startApp(t);
  // None of these may wait for a time limit.
  app.server.headersTimeout = 0;
  app.server.requestTimeout = 0;
  const asking = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
  const http2 = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n";
  const asked = get("/api/v1/crops", http2);
  const posting = `${post}${http2}Content-Length: 12\r\n\r\n`;
  const before: readonly [name: string, bytes: string, statuses: readonly number[]][] = [
    ["nothing", "", []],
    ["no upgrade", good, [200]],
    ["an upgrade that the connection does not name", get("/api/v1/crops", "Upgrade: websocket\r\n"), [200]],
    ["to a WebSocket", get("/api/v1/crops", asking), [200]],
    ["to HTTP/2", asked, [200]],
    ["named for a proxy", get("/api/v1/crops", asking.replace("Connection", "Proxy-Connection")), [200]],
    ["another method", asked.replace("GET", "DELETE"), [405]],
    ["a body", `${posting}{"query":""}`, [400]],
    ["an empty body", `${post}${http2}Content-Length: 0\r\n\r\n`, [200]],
    ["a document", `GET /docs HTTP/1.1\r\nHost: x\r\n${http2}\r\n`, [200]],
    ["refused", asked.replace("X-API-Key", "X"), [401]],
    ["not found", get("/api/v1/nothing", http2), [404]],
    ["several", `${asked}${asked}${posting}{"query":""}`, [200, 200, 400]],
    ["one and an empty line", `${asked}\r\n`, [200]],
  ];
  const long = `X: ${"x".repeat(headerBytesMax)}`;
  const broken: readonly [name: string, bytes: string | Buffer, status: number][] = [
    ["nonsense", "BROKEN\r\n\r\n", 400],
    ["nonsense without end", "nonsense", 400],
    ["a greeting of TLS", Buffer.from([0x16, 3, 1, 0, 0x50, 1, 0, 0, 0x4c]), 400],
    ["a greeting of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    ["length and chunks", `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`, 400],
    ["a bad header", get("/api/v1/crops", "X : a\r\n"), 400],
    ["a bad header of another upgrade", get("/api/v1/crops", `${asking}X : a\r\n`), 400],
    ["too long a header", get("/api/v1/crops", `${long}\r\n`), 431],
    ["too long a header without end", `GET /api/v1/crops HTTP/1.1\r\n${headers}${long}`, 431],
    ["a body in bad chunks", `${post}${asking}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  ];
  const exchanges = before.flatMap(([first, bytes, statuses]) =>
    broken.flatMap(([second, rest, status]) => {
      const whole = Buffer.concat([Buffer.from(bytes), Buffer.from(rest)]);
      const ways: [string, (string | Buffer)[]][] = [
        ["in one write", [whole]],
        ["in two", [bytes, rest]],
        ["in three", [bytes, rest.slice(0, 3), rest.slice(3)]],
        ["in many", [bytes, ...Buffer.from(rest).subarray(0, 40).toString("latin1"), rest.slice(40)]],
      ];
      return ways.map(([way, sent]) => [`${first}, ${second}, ${way}`, sent, [...statuses, status]] as const);
    }),
  );
  for (const [name, sent, statuses] of exchanges) {
    const { answers, end } = await rawExchange(app.port, sent, { answerCount: statuses.length });
    t.strictSame([answers.map(({ status }) => status), end], [statuses, "closed"], name);
  }
  const cut = await rawExchange(app.port, [asked, "GET /"], { answerCount: 2, halfClose: true });
  t.strictSame(valuesOf(cut.answers, "status"), [200, 400], "the end of the client's side within a request");
  app.server.headersTimeout = 200;
  const stalled = await rawExchange(app.port, [asked, "GET /"], { answerCount: 3 });
  t.strictSame(valuesOf(stalled.answers, "status"), [200, 408], "a request that does not go on");
  await once(app.server.close(), "close");
  // A server has closed before its connections have said so.
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  t.equal(parserCount(app.server), 0, "no parser outlives its connection");
  expectNoTrouble(t, app);
});

/** Parsers that a server of Node keeps, in a list without a public name. */
function parserCount(server: Server): number {
  const [name] = Object.getOwnPropertySymbols(server).filter(({ description }) => description?.endsWith("connections"));
  const list = (server as unknown as Record<symbol, { all(): unknown[] }>)[name as symbol];
  return list?.all().length ?? Number.NaN;
}

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
  t.strictSame(valuesOf(waiting.answers, "status"), [100, 200], "a client that waits for 100 gets it");
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
