import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import t, { type Test } from "tap";
import { runLoad } from "../../../bench/http/load/run-load.ts";

async function listen(t: Test, answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

const requests = ["/a", "/b", "/c"].map((target) => Buffer.from(`GET ${target} HTTP/1.1\r\nHost: here\r\n\r\n`));

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
    requests,
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
  const { answers, p50, p99 } = await runLoad({ port, connections: 1, milliseconds: 400, requests, perSecond: 100 });
  t.equal(answers, 40);
  t.ok(p99 >= 190_000, `p99 is ${p99} µs`);
  t.ok(p50 < p99, `p50 is ${p50} µs`);
});

t.test("the generator does not sleep while it waits for answers, and sleeps afterwards", async (t) => {
  const port = await listen(t, (_request, response) => {
    setTimeout(() => response.end("done"), 50);
  });
  const before = performance.eventLoopUtilization();
  await runLoad({ port, connections: 2, milliseconds: 100, requests, perSecond: null });
  const during = performance.eventLoopUtilization(before);
  await delay(20);
  const { idle } = performance.eventLoopUtilization(performance.eventLoopUtilization(), before);
  t.ok(during.idle < 10, `slept ${during.idle} of ${during.idle + during.active} ms`);
  t.ok(idle - during.idle > 5, `slept ${idle - during.idle} of 20 ms afterwards`);
});

t.test("an answer other than 200 and a broken connection end the load", async (t) => {
  const load = { connections: 2, milliseconds: 10_000, requests, perSecond: null };
  const refusing = await listen(t, (_request, response) => response.writeHead(503).end("busy"));
  await t.rejects(runLoad({ ...load, port: refusing }), /status 503, expected 200: GET \/[abc] HTTP\/1.1/);
  const breaking = await listen(t, (request) => request.socket.end());
  await t.rejects(runLoad({ ...load, port: breaking }), /closed a connection/);
});
