import t from "tap";
import { gateResultsOf, limitFailures } from "../../../bench/http/http-gate.ts";
import type { HttpQuestionName } from "../../../bench/http/http-question.ts";
import type { HttpRaceResult, ServerFigures } from "../../../bench/http/http-race.ts";
import { httpReportText } from "../../../bench/http/http-report.ts";
import { targetResults } from "../../../bench/http/http-targets.ts";
import type { ServerName } from "../../../bench/http/server-names.ts";
import { describeMachine } from "../../../bench/report/machine.ts";

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
