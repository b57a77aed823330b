import { createServer } from "node:http";
import { join } from "node:path";
import t from "tap";
import { prepareBodies, requireOurAnswers } from "../../bench/http/ask-server.ts";
import { dataDirectoryOf } from "../../bench/http/http-data.ts";
import { makeHttpQuestions } from "../../bench/http/http-question.ts";
import { runHttpRace } from "../../bench/http/http-race.ts";
import type { ServerProcess } from "../../bench/http/server-process.ts";
import { generateDataset } from "../../bench/sample/generate-dataset.ts";
import { listenOn } from "../support/listen-on.ts";

const checkout = join(import.meta.dirname, "../..");

t.test("a race times every server that needs no other package, and leaves none behind", async (t) => {
  const folder = t.testdir();
  const dataDirectory = await dataDirectoryOf(folder, "3000");
  const stages: string[] = [];
  const { prices, titles, skipped, results } = await runHttpRace({
    dataDirectory,
    folder,
    checkout,
    servers: ["koa", "ours", "limited"],
    questionNames: ["price by uuid", "signed search"],
    rounds: 1,
    seconds: 0.1,
    warmUpSeconds: 0.1,
    measuresLatency: true,
    onProgress: (stage) => stages.push(stage),
  });
  t.equal(prices, 3000);
  t.match(titles, [/^koa \d/, /^@koa\/router \d/]);
  t.same(skipped, []);
  t.equal(results.length, 2);
  for (const { name, figures } of results) {
    t.same(Object.keys(figures), ["koa", "ours", "limited"]);
    for (const { requestsPerSecond, processorMicroseconds, latency } of Object.values(figures)) {
      t.ok(
        requestsPerSecond > 0 && processorMicroseconds > 1,
        `${name}: ${requestsPerSecond}, ${processorMicroseconds}`,
      );
      t.ok(latency !== null && latency.p50 <= latency.p99, name);
    }
  }
  t.equal(await dataDirectoryOf(folder, "3000"), dataDirectory, "written once");
});

t.test("a server that answers otherwise is found before anything is timed", async (t) => {
  let figure = 1;
  const server = createServer((_request, response) => response.end(JSON.stringify({ data: figure })));
  const port = await listenOn(t, server);
  const asked = { name: "sqlite", port } as ServerProcess;
  const keys = { publicKey: "public", secretKey: "secret" };
  const questions = makeHttpQuestions(generateDataset({ prices: 1000, seed: 1 })).slice(0, 1);
  const bodies = await prepareBodies(asked, questions, keys);
  await requireOurAnswers(asked, questions, keys, bodies, true);
  figure += 5e-7;
  await requireOurAnswers(asked, questions, keys, bodies, false);
  await t.rejects(requireOurAnswers(asked, questions, keys, bodies, true), /"price by uuid".*does not send our bytes/);
  figure += 1;
  await t.rejects(
    requireOurAnswers(asked, questions, keys, bodies, false),
    /Fastify \+ SQLite has 2\.\d+ at data, ours has 1/,
  );
});

t.test("a question that is unknown is named, with those there are", async (t) => {
  const folder = t.testdir();
  const dataDirectory = await dataDirectoryOf(folder, "1000");
  const options = {
    servers: [],
    rounds: 1,
    seconds: 1,
    warmUpSeconds: 0,
    measuresLatency: false,
    onProgress: () => {},
  };
  await t.rejects(
    runHttpRace({ ...options, dataDirectory, folder, checkout, questionNames: ["weather"] }),
    /no question is called weather; there are "price by uuid"/,
  );
});
