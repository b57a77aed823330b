import { createServer, type RequestListener } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import t, { type Test } from "tap";
import { gateResultsOf, limitFailures } from "../../../bench/http/http-gate.ts";
import { type HttpQuestionName, httpQuestionNames, makeHttpQuestions } from "../../../bench/http/http-question.ts";
import type { HttpRaceResult, ServerFigures } from "../../../bench/http/http-race.ts";
import { httpReportText } from "../../../bench/http/http-report.ts";
import { targetResults } from "../../../bench/http/http-targets.ts";
import { ResponseReader } from "../../../bench/http/load/response-reader.ts";
import { runLoad } from "../../../bench/http/load/run-load.ts";
import { requestBytes } from "../../../bench/http/request-headers.ts";
import type { ServerName } from "../../../bench/http/server-names.ts";
import { describeMachine } from "../../../bench/report/machine.ts";
import { generateDataset } from "../../../bench/sample/generate-dataset.ts";
import { canonicalText, SigningKey, signatureMatches } from "../../../src/contract/credentials.ts";
import { valuesOf } from "../../support/fields-of.ts";
import { listenOn } from "../../support/listen-on.ts";

const dataset = generateDataset({ prices: 3000, seed: 5 });
const questions = makeHttpQuestions(dataset);

t.test("there is every question, with requests that vary, the same in every run", async (t) => {
  t.same(valuesOf(questions, "name"), httpQuestionNames);
  t.same(makeHttpQuestions(dataset), questions);
  const different = questions.map(({ requests }) => new Set(requests.map(({ target, body }) => target + body)).size);
  t.ok(Math.min(...different) >= 6, `${different}`);
});

t.test("the mixed load has its shares", async (t) => {
  const { requests = [] } = questions.at(-1) ?? {};
  const share = (part: string): number =>
    requests.filter(({ target }) => target.includes(part)).length / requests.length;
  t.ok(Math.abs(share("/prices/search") - 0.2) < 0.05);
  t.ok(Math.abs(share("/prices/statistics") - 0.1) < 0.05);
  t.ok(Math.abs(share("/prices/latest") - 0.35) < 0.05);
  t.equal(share("/products"), 0);
});

t.test("a request is whole HTTP with key, and signed where it must be", async (t) => {
  const keys = { publicKey: "public", secretKey: "secret" };
  for (const { requests } of questions) {
    for (const request of requests.slice(0, 5)) {
      const [head = "", body = ""] = requestBytes(request, keys, 80).toString().split("\r\n\r\n");
      const [line, ...fields] = head.split("\r\n");
      const headers = Object.fromEntries(fields.map((field) => field.split(": ")));
      t.equal(line, `${request.method} ${request.target} HTTP/1.1`);
      t.equal(headers["X-API-Key"], request.access);
      t.equal(headers["Content-Length"] ?? "0", String(body.length));
      if (request.access === "public") continue;
      const { method, target: path } = request;
      const signed = { method, path, timestamp: headers["X-Signature-Timestamp"] ?? "", body: Buffer.from(body) };
      t.ok(
        signatureMatches(headers["X-Signature"] ?? "", new SigningKey("secret"), signed),
        canonicalText(signed).toString(),
      );
    }
  }
});

/** @param processor Microseconds by server. */
function raceOf(
  prices: number,
  name: HttpQuestionName,
  processor: Partial<Record<ServerName, number>>,
): HttpRaceResult {
  const figures = Object.entries(processor).map(([server, microseconds]): [string, ServerFigures] => [
    server,
    {
      requestsPerSecond: 1e6 / microseconds,
      processorMicroseconds: microseconds,
      latency: { p50: microseconds, p99: 3 * microseconds },
    },
  ]);
  return { prices, titles: [], skipped: [], results: [{ name, figures: Object.fromEntries(figures) }] };
}

t.test("a target is met up to its ratio", async (t) => {
  const verdicts = (race: HttpRaceResult) => targetResults(race).map(({ what, ratio, isMet }) => [what, ratio, isMet]);
  t.same(verdicts(raceOf(1e6, "price by uuid", { koa: 10, sqlite: 20, postgres: 100, ours: 18.5, cached: 18 })), [
    ["processor time to bare Koa", 1.85, true],
    ["processor time to Fastify + SQLite", 0.925, true],
    ["processor time to Fastify + PostgreSQL", 0.185, true],
    ["processor time to bare Koa, answer cache", 1.8, false],
    ["p99 at half of capacity to bare Koa", 1.85, true],
  ]);
  t.same(verdicts(raceOf(26_745, "mixed load", { sqlite: 60, ours: 40 })), [
    ["requests/s to Fastify + SQLite", 1.5, false],
  ]);
  t.same(verdicts(raceOf(1e6, "mixed load", { sqlite: 60, ours: 40 })), [], "held at few prices only");
  t.same(verdicts(raceOf(1e6, "price by uuid", { ours: 40 })), [], "nothing to compare with");
});

t.test("the report has a row a server, its ratios, and says who is left out", async (t) => {
  const race = {
    ...raceOf(1e6, "price by uuid", { koa: 10, ours: 25 }),
    titles: ["koa 3"],
    skipped: ["X is left out."],
  };
  const text = httpReportText({ machine: { ...describeMachine(), processor: "Model 7" }, races: [race] });
  t.match(text, /^### 1 M prices over HTTP, on Model 7$/m);
  t.match(text, /koa 3/);
  t.match(text, /X is left out\./);
  t.match(text, /\| price by uuid \| ours +\| +40000 \| +25\.0 µs \| 25\.0 µs \| 75\.0 µs \| +2\.50× \| +– \|/);
  t.match(text, /Targets met: 0 of 2\./);
});

t.test("the gate fails above a limit, and for a question without one", async (t) => {
  const race = raceOf(26_745, "price by uuid", { koa: 10, ours: 25, limited: 27 });
  const results = race.results.flatMap(gateResultsOf);
  const failures = (plain: number, limited: number): string[] =>
    limitFailures(results, { "price by uuid": plain, "price by uuid, rate limits on": limited });
  t.same(failures(2.5, 2.7), []);
  t.match(failures(2.4, 2.6), [
    /^"price by uuid": 2\.50× the processor time.*at most 2\.40×/,
    /^"price by uuid, rate limits on": 2\.70× the processor time.*at most 2\.60×/,
  ]);
  t.match(limitFailures(results, {}), [/has no limit/, /has no limit/]);
});

const sized = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";
const empty = "HTTP/1.1 304 Not Modified\r\ncontent-length:0\r\n\r\n";
const chunked =
  "HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1a\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n";

t.test("an answer is complete with its last byte, however it is cut", async (t) => {
  for (const [answer, status] of [
    [sized, 200],
    [empty, 304],
    [chunked, 503],
  ] as const) {
    for (let size = 1; size <= answer.length; size++) {
      const reader = new ResponseReader();
      // One reader takes the answers of a connection one after the other.
      for (let round = 0; round < 2; round++) {
        for (let at = 0; at < answer.length; at += size) {
          const found = reader.read(Buffer.from(answer.slice(at, at + size)));
          const expected = at + size >= answer.length ? status : undefined;
          if (found !== expected) t.fail(`pieces of ${size}, at ${at}: found ${found}, expected ${expected}`);
        }
      }
    }
  }
});

t.test("what is no such answer is refused", async (t) => {
  const read = (answer: string) => () => new ResponseReader().read(Buffer.from(answer));
  t.throws(read("HTTP/1.1 200 OK\r\nDate: today\r\n\r\n"), /neither Content-Length nor chunks/);
  t.throws(read(`${sized}!`), /1 bytes longer than its Content-Length/);
  t.throws(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n"), /expected its size/);
});

function listen(t: Test, answer: RequestListener): Promise<number> {
  return listenOn(t, createServer(answer));
}

const targetRequests = ["/a", "/b", "/c"].map((target) => Buffer.from(`GET ${target} HTTP/1.1\r\nHost: here\r\n\r\n`));

t.test("a closed loop asks the requests in turn on all its connections, and counts every answer", async (t) => {
  const asked: Record<string, number> = {};
  const ports = new Set<number | undefined>();
  const port = await listen(t, (request, response) => {
    asked[String(request.url)] = (asked[String(request.url)] ?? 0) + 1;
    ports.add(request.socket.remotePort);
    response.end("done");
  });
  const { answers, seconds, p50, p99 } = await runLoad({
    port,
    connections: 4,
    milliseconds: 100,
    requests: targetRequests,
    perSecond: null,
  });
  const counts = ["/a", "/b", "/c"].map((target) => asked[target] ?? 0);
  t.equal(
    counts.reduce((sum, count) => sum + count),
    answers,
  );
  t.ok(Math.max(...counts) - Math.min(...counts) <= 1, `asked ${counts}`);
  t.equal(ports.size, 4);
  t.ok(seconds >= 0.1 && answers > 4, `${answers} in ${seconds} s`);
  t.ok(p50 > 0 && p50 <= p99, `${p50}, ${p99}`);
});

t.test("an open loop keeps its rate, and waiting for a connection counts", async (t) => {
  let isFirst = true;
  const port = await listen(t, (_request, response) => {
    // The only connection is busy for a fifth of a second, in which twenty more requests become due.
    setTimeout(() => response.end("done"), isFirst ? 200 : 0);
    isFirst = false;
  });
  const { answers, p50, p99 } = await runLoad({
    port,
    connections: 1,
    milliseconds: 400,
    requests: targetRequests,
    perSecond: 100,
  });
  t.equal(answers, 40);
  t.ok(p99 >= 190_000, `p99 is ${p99} µs`);
  t.ok(p50 < p99, `p50 is ${p50} µs`);
});

t.test("the generator does not sleep while it waits for answers, and sleeps afterwards", async (t) => {
  const port = await listen(t, (_request, response) => {
    setTimeout(() => response.end("done"), 50);
  });
  const before = performance.eventLoopUtilization();
  await runLoad({ port, connections: 2, milliseconds: 100, requests: targetRequests, perSecond: null });
  const during = performance.eventLoopUtilization(before);
  await delay(20);
  const { idle } = performance.eventLoopUtilization(performance.eventLoopUtilization(), before);
  t.ok(during.idle < 10, `slept ${during.idle} of ${during.idle + during.active} ms`);
  t.ok(idle - during.idle > 5, `slept ${idle - during.idle} of 20 ms afterwards`);
});

t.test("an answer other than 200 and a broken connection end the load", async (t) => {
  const load = { connections: 2, milliseconds: 10_000, requests: targetRequests, perSecond: null };
  const refusing = await listen(t, (_request, response) => response.writeHead(503).end("busy"));
  await t.rejects(runLoad({ ...load, port: refusing }), /status 503, expected 200: GET \/[abc] HTTP\/1.1/);
  const breaking = await listen(t, (request) => request.socket.end());
  await t.rejects(runLoad({ ...load, port: breaking }), /closed a connection/);
});
