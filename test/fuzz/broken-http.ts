/**
 * Valid requests made into broken or rare HTTP: framing, floods, other protocols, and connections that end at any
 * point.
 */
import type { RandomChoice } from "../../bench/questions/random-choice.ts";
import type { FuzzCase } from "./fuzz-case.ts";
import { changedBytes } from "./random-changes.ts";
import { type PlainRequest, type RequestSource, requestBytes, validRequest } from "./random-request.ts";

const crlf = "\r\n";

/** A connection with something on it that may not be one request after another. */
export function brokenHttp(source: RequestSource): FuzzCase {
  const makers = [
    smuggled,
    smuggled,
    unusualChunks,
    unusualHead,
    flooded,
    otherProtocol,
    expecting,
    mutated,
    mutated,
    resetAnywhere,
  ];
  return source.random.of(makers)(source);
}

/** A POST with a body in it, for framing: the endpoint is one that any key may ask. */
function postRequest({ keys }: RequestSource): PlainRequest {
  const headers = [
    ["Host", "prices.example"],
    ["X-API-Key", keys.publicKey],
    ["Content-Type", "application/json"],
  ] as const;
  const target = "/api/v1/products/search";
  return { kind: "", method: "POST", target, version: "HTTP/1.1", headers, body: Buffer.alloc(0), hasEnd: true };
}

/** The bytes of a request with other framing: headers added, and what follows them as it is. */
function framed(request: PlainRequest, more: readonly string[], body: string | Buffer): Buffer {
  const head = requestBytes({ ...request, body: Buffer.alloc(0) });
  const added = Buffer.from(more.map((line) => `${line}${crlf}`).join("") + crlf, "latin1");
  return Buffer.concat([head.subarray(0, -crlf.length), added, Buffer.from(body as string)]);
}

/**
 * Two readers that disagree on where a body ends would take what is hidden in it for a request. Node must take the
 * whole as one request or refuse it, so the hidden one is never answered, except where the request before it ends by
 * every reading.
 */
function smuggled(source: RequestSource): FuzzCase {
  const { random, keys } = source;
  const hiddenId = "hidden-request";
  const headers = `Host: x\r\nX-API-Key: ${keys.publicKey}\r\nX-Request-Id: ${hiddenId}`;
  const hidden = `GET /api/v1/crops HTTP/1.1\r\n${headers}\r\n\r\n`;
  const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
  const length = `Content-Length: ${Buffer.byteLength(hidden)}`;
  const chunked = "Transfer-Encoding: chunked";
  const whole = `0\r\n\r\n${hidden}`;
  const [name, lines, body] = random.of<readonly [string, readonly string[], string]>([
    ["length and chunks", [`Content-Length: ${whole.length}`, chunked], whole],
    ["chunks and length", [chunked, `Content-Length: ${whole.length}`], whole],
    ["two lengths", ["Content-Length: 0", length], hidden],
    ["two lengths, the longer first", [length, "Content-Length: 0"], hidden],
    ["lengths in one line", [`Content-Length: 0, ${hidden.length}`], hidden],
    ["a signed length", [`Content-Length: +${hidden.length}`], hidden],
    ["a length with a blank", [`Content-Length: ${hidden.length} 0`], hidden],
    ["a length in octal", [`Content-Length: 0${hidden.length}`], hidden],
    ["a length too large", ["Content-Length: 18446744073709551617"], hidden],
    ["a blank before the colon", ["Transfer-Encoding : chunked", `Content-Length: ${whole.length}`], whole],
    ["a coding with a tab", ["Transfer-Encoding:\tchunked", `Content-Length: ${whole.length}`], whole],
    ["a coding with a vertical tab", ["Transfer-Encoding: \x0bchunked", `Content-Length: ${whole.length}`], whole],
    ["a coding behind another", ["Transfer-Encoding: identity", chunked, length], chunk],
    ["an unknown coding", ["Transfer-Encoding: xchunked", length], hidden],
    ["a folded coding", ["Transfer-Encoding:", " chunked", `Content-Length: ${whole.length}`], whole],
    ["a folded header", [`X: a\r\n ${chunked}`, length], hidden],
    ["a header in a header", [`X: a\r${chunked}`, length], hidden],
    ["a name with an underscore", ["Content_Length: 0", length], hidden],
    ["a quoted length", [`Content-Length: "${hidden.length}"`], hidden],
    ["chunks in a chunk", [chunked], chunk],
    ["a chunk with a huge size", [chunked], `FFFFFFFFFFFFFFFF\r\n${hidden}`],
    ["a chunk with a wrapped size", [chunked], `1000000000000000a\r\n${hidden}\r\n0\r\n\r\n`],
    ["a size with a sign", [chunked], `+${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`],
    ["a size in the notation of C", [chunked], `0x${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`],
    ["a length in trailers", [chunked], `2\r\n{}\r\n0\r\n${length}\r\n\r\n`],
    ["a coding in trailers", [chunked], `2\r\n{}\r\n0\r\n${chunked}\r\nHost: y\r\n\r\n`],
  ]);
  const bytes = framed(postRequest(source), lines, body);
  return {
    kind: `smuggling: ${name}`,
    pieces: cut(bytes, random),
    ending: "half-close",
    requests: [{ method: "POST" }],
    hiddenId,
  };
}

function unusualChunks(source: RequestSource): FuzzCase {
  const { random } = source;
  const one = "2\r\n{}\r\n";
  const body: string = random.of<() => string>([
    () => `${one}0\r\n\r\n`,
    () => `002\r\n{}\r\n000\r\n\r\n`,
    () => `2 \r\n{}\r\n0\r\n\r\n`,
    () => `2;a=b;c="d\\"e"\r\n{}\r\n0;x\r\n\r\n`,
    () => `2;${"x".repeat(random.of([1000, 15_000, 17_000]))}\r\n{}\r\n0\r\n\r\n`,
    () => `${"1;xxxxxxxxxxxxxxxx\r\n \r\n".repeat(2000)}0\r\n\r\n`,
    () => `2\n{}\n0\n\n`,
    () => `2\r\n{}0\r\n\r\n`,
    () => `3\r\n{}\r\n0\r\n\r\n`,
    () => `1\r\n{}\r\n0\r\n\r\n`,
    () => `-2\r\n{}\r\n0\r\n\r\n`,
    () => `g\r\n{}\r\n0\r\n\r\n`,
    () => `\r\n${one}0\r\n\r\n`,
    () => `${"1\r\n \r\n".repeat(random.of([100, 5000]))}${one}0\r\n\r\n`,
    () => `${one}0\r\nX: ${"y".repeat(random.of([10, 20_000]))}\r\n\r\n`,
    () => `${one}0\r\n${"X: y\r\n".repeat(random.of([10, 3000]))}\r\n`,
    () => `${one}0\r\nbroken\r\n\r\n`,
    () => `ffff\r\n${" ".repeat(65_535)}\r\n0\r\n\r\n`,
    () => `10001\r\n${" ".repeat(65_537)}\r\n0\r\n\r\n`,
    () => one,
    () => "",
  ])();
  const bytes = framed(postRequest(source), ["Transfer-Encoding: chunked"], body);
  return { kind: "chunks", pieces: cut(bytes, random), ending: "half-close", requests: [{ method: "POST" }] };
}

/** The request line and single headers. */
function unusualHead(source: RequestSource): FuzzCase {
  const { random, keys } = source;
  const good = validRequest(source);
  const odd: PlainRequest = random.of<() => PlainRequest>([
    () => ({
      ...good,
      version: random.of([
        "HTTP/1.0",
        "HTTP/0.9",
        "HTTP/1.2",
        "HTTP/2.0",
        "HTTP/11",
        "http/1.1",
        "ICE/1.0",
        "",
        "HTTP/1.1 x",
      ]),
    }),
    () => ({ ...good, version: "HTTP/1.0", headers: [...good.headers, ["Connection", "keep-alive"]] }),
    () => ({ ...good, version: "HTTP/1.0", headers: good.headers.filter(([name]) => name !== "Host") }),
    () => ({
      ...good,
      method: random.of(["get", "FETCH", "", "G ET", "GET\t", "\0GET", "X".repeat(9000), "M-SEARCH", "BREW"]),
    }),
    () => ({ ...good, target: `${good.target} x` }),
    () => ({ ...good, target: `\t${good.target}` }),
    () => ({ ...good, headers: [...good.headers, ["Host", "y"]] }),
    () => ({ ...good, headers: [...good.headers, ...good.headers] }),
    () => ({ ...good, headers: good.headers.map(([name, value]) => [name.toUpperCase(), ` ${value} \t`] as const) }),
    () => ({ ...good, headers: [...good.headers, ["X-API-Key", keys.publicKey]] }),
    () => ({
      ...good,
      headers: [...good.headers, [random.of(["", "a b", "a\0", "\u00e9", "a\n", "@", "a(b)", "__proto__"]), "x"]],
    }),
    () => ({
      ...good,
      headers: [
        ...good.headers,
        ["X", random.of(["a\0b", "\x01", "\x7f", "\u00ff".repeat(100), "a\rb", "a\nb: c", "\t"])],
      ],
    }),
    () => ({
      ...good,
      headers: [...good.headers, ["Content-Length", random.of(["-1", "a", "1 1", "", "1e1", "\u0661"])]],
    }),
  ])();
  const bytes = requestBytes(odd);
  const broken: Buffer = random.of<() => Buffer>([
    () => bytes,
    () => bytes,
    () => Buffer.from(bytes.toString("latin1").replaceAll(crlf, "\n"), "latin1"),
    () => Buffer.from(bytes.toString("latin1").replaceAll(crlf, "\r"), "latin1"),
    () => Buffer.concat([Buffer.from(random.of(["\r\n", "\r\n\r\n\r\n", "\n", " ", "\0", "\ufeff"])), bytes]),
  ])();
  return { kind: "head", pieces: cut(broken, random), ending: "half-close", requests: [{ method: good.method }] };
}

function flooded(source: RequestSource): FuzzCase {
  const { random } = source;
  const good = validRequest(source);
  const count = random.of([50, 100, 500, 1900, 2100, 20_000]);
  const name = random.of([
    () => "X",
    (at: number) => `X-${at}`,
    () => "Cookie",
    () => "X-API-Key",
    () => "Content-Length",
  ]);
  const flood = Array.from({ length: count }, (_, at) => [name(at), "y"] as const);
  const long = [["X", "y".repeat(random.of([15_000, 16_400, 200_000]))] as const];
  const request = { ...good, headers: [...good.headers, ...random.of([flood, long])] };
  return {
    kind: "header flood",
    pieces: cut(requestBytes(request), random),
    ending: "half-close",
    requests: [{ method: good.method }],
  };
}

/** What other programs send to a port. */
function otherProtocol(source: RequestSource): FuzzCase {
  const { random } = source;
  const good = validRequest(source);
  const http2 = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  const upgrade = (protocol: string, connection: string): Buffer =>
    requestBytes({
      ...good,
      headers: [
        ...good.headers,
        ["Connection", connection],
        ["Upgrade", protocol],
        ["Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="],
      ],
    });
  const settings = Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]);
  const bytes: Buffer = random.of<() => Buffer>([
    () => Buffer.from(http2),
    () => Buffer.concat([Buffer.from(http2), settings, settings]),
    () => Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3, ...Array.from({ length: 300 }, () => random.below(256))]),
    () =>
      Buffer.from(
        `CONNECT ${random.of(["example.org:443", "127.0.0.1:22", "/", "", "[::1]:1"])} HTTP/1.1\r\nHost: x\r\n\r\n`,
      ),
    () => Buffer.concat([Buffer.from("CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n"), requestBytes(good)]),
    () =>
      upgrade(
        random.of(["websocket", "h2c", "x", ""]),
        random.of(["Upgrade", "upgrade, HTTP2-Settings", "keep-alive, Upgrade"]),
      ),
    () => Buffer.concat([upgrade("h2c", "Upgrade"), Buffer.from(http2), settings]),
    () => Buffer.concat([upgrade("websocket", "Upgrade"), requestBytes(good)]),
    () => Buffer.from("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n"),
    () => Buffer.from("GET /api/v1/crops\r\n\r\n"),
    () =>
      Buffer.from(
        random.of(["SSH-2.0-OpenSSH_9.6\r\n", "EHLO x\r\n", "\0\0\0\0", "*1\r\n$4\r\nPING\r\n", "{}\n", "\x05\x01\0"]),
      ),
    () => Buffer.from("PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n"),
    () => Buffer.from(Array.from({ length: random.of([1, 10, 1000, 100_000]) }, () => random.below(256))),
  ])();
  return {
    kind: "other protocol",
    pieces: cut(bytes, random),
    ending: "half-close",
    requests: [{ method: good.method }],
  };
}

/** A client that waits for 100, or says so. */
function expecting(source: RequestSource): FuzzCase {
  const { random } = source;
  const expectation = `Expect: ${random.of(["100-continue", "100-Continue", "101", "100-continue, 100-continue"])}`;
  const length = random.of([0, 2, 65_537, 10_000_000]);
  const head = framed(postRequest(source), [expectation, `Content-Length: ${length}`], "");
  const body = random.of([Buffer.alloc(0), Buffer.from("{}"), Buffer.alloc(Math.min(length, 70_000), 32)]);
  return { kind: "expectation", pieces: [head, body], ending: "half-close", requests: [{ method: "POST" }] };
}

/** Bytes of good requests with some of them changed. */
function mutated(source: RequestSource): FuzzCase {
  const { random } = source;
  const requests = Array.from({ length: random.of([1, 1, 1, 2, 3]) }, () => validRequest(source));
  const bytes = changedBytes(Buffer.concat(requests.map(requestBytes)), random);
  return { kind: "mutated bytes", pieces: cut(bytes, random), ending: "half-close", requests };
}

/** The connection is reset, or the client's side ended, after each possible number of bytes in turn. */
function resetAnywhere(source: RequestSource): FuzzCase {
  const { random, turn } = source;
  const requests = [validRequest(source), validRequest(source)];
  const bytes = Buffer.concat(requests.map(requestBytes));
  const kept = bytes.subarray(0, turn % (bytes.length + 1));
  const ending = random.of(["reset", "reset", "half-close"] as const);
  return { kind: ending === "reset" ? "reset" : "half-close", pieces: cut(kept, random), ending, requests };
}

/** The same bytes in one piece or in several. */
export function cut(bytes: Buffer, random: RandomChoice): Buffer[] {
  const pieces: Buffer[] = [];
  const count = random.of([1, 1, 1, 2, 3, 20]);
  let rest = bytes;
  while (pieces.length < count - 1 && rest.length > 1) {
    const length = random.between(1, Math.ceil((2 * rest.length) / count));
    pieces.push(rest.subarray(0, length));
    rest = rest.subarray(length);
  }
  return [...pieces, rest];
}
