import t from "tap";
import type { HttpReport } from "../../bench/http/http-report.ts";
import type { Machine } from "../../bench/report/machine.ts";
import type { BenchReport } from "../../bench/report/report-text.ts";
import type { StartReport } from "../../bench/summary/measure-starts.ts";
import { summaryText } from "../../bench/summary/summary-text.ts";

const machine: Machine = {
  date: "2026-11-27",
  processor: "Some Processor",
  cores: 2,
  memoryBytes: 16 * 2 ** 30,
  platform: "linux x64",
  node: "26.10.0",
  loadBefore: 0.1,
};

const timing = (p50: number) => ({ p50, p99: 2 * p50, calls: 10 });

function question(name: string, ours: number, sqlite: number, target: number | null) {
  const timings = { ours: timing(ours), duckdb: timing(1000), sqlite: timing(sqlite) };
  const ratio = sqlite / ours;
  return { name, target, staysFlat: true, timings, bestPeer: "sqlite" as const, ratio, stretch: 1, inProcess: null };
}

const preparations = { duckdb: { title: "DuckDB 1.5", loadSeconds: 1, residentBytes: 1 } };

const race = {
  machine,
  races: [
    {
      prices: 100_000,
      preparations,
      results: [question("price by uuid", 2, 8, 3), question("statistics: one year by day", 10, 30, 20)],
    },
    { prices: 1e6, preparations, results: [question("price by uuid", 4, 8, 3)] },
  ],
  load: null,
} as unknown as BenchReport;

const served = (requestsPerSecond: number) => ({
  requestsPerSecond,
  processorMicroseconds: 1e6 / requestsPerSecond,
  latency: { p50: 400, p99: 900 },
});

const http = {
  machine,
  races: [
    {
      prices: 1e6,
      titles: ["Fastify 5"],
      skipped: ["PostgreSQL is not there."],
      results: [{ name: "price by uuid", figures: { ours: served(20_000), sqlite: served(25_000) } }],
    },
  ],
} as unknown as HttpReport;

const start: StartReport = {
  machine,
  starts: [{ prices: 1e6, withoutSeconds: 2.5, withSeconds: 0.5, residentBytes: 300 * 2 ** 20, storeBytes: 90 * 1e6 }],
};

t.test("the chosen questions stand at every size, beside each database, with target and verdict", async (t) => {
  const text = summaryText({ race });
  const rows = text.split("\n").filter((line) => line.startsWith("| price by uuid"));
  t.same(
    rows.map((row) =>
      row
        .split("|")
        .map((cell) => cell.trim())
        .slice(2, 9),
    ),
    [
      ["100 k", "2.00 µs", "1.00 ms", "8.00 µs", "4.00× sqlite", "3×", "yes"],
      ["1 M", "4.00 µs", "1.00 ms", "8.00 µs", "2.00× sqlite", "3×", "no"],
    ],
  );
  t.match(text, "2026-11-27: Some Processor, 2 cores, 16.0 GiB, linux x64; Node 26.10.0, DuckDB 1.5.");
  t.notMatch(text, "| statistics: one year by day");
});

t.test("every target that was missed is listed, also of questions that are in no table", async (t) => {
  const [, missed] = summaryText({ race, http }).split("### Targets that were missed\n\n");
  t.equal(
    missed,
    [
      "- 100 k prices, statistics: one year by day: 3.00× sqlite instead of 20×",
      "- 1 M prices, price by uuid: 2.00× sqlite instead of 3×",
      "- 1 M prices over HTTP, price by uuid: processor time to Fastify + SQLite 1.25× instead of at most 1×",
    ].join("\n"),
  );
  const met = { ...race, races: race.races.slice(0, 1).map((one) => ({ ...one, results: one.results.slice(0, 1) })) };
  t.match(summaryText({ race: met }), /### Targets that were missed\n\nNone\.$/);
});

t.test("a server that was not there has no figure, and the page says why", async (t) => {
  const text = summaryText({ http });
  t.match(text, "PostgreSQL is not there.");
  const row = text.split("\n").find((line) => line.startsWith("| price by uuid")) ?? "";
  t.same(
    row
      .split("|")
      .map((cell) => cell.trim())
      .slice(2, 8),
    ["1 M", "20000", "25000", "–", "400 µs", "900 µs"],
  );
});

t.test("starts have both times, memory, and bytes a price", async (t) => {
  const row = summaryText({ start }).split("\n").at(-1) ?? "";
  t.same(
    row
      .split("|")
      .map((cell) => cell.trim())
      .slice(1, 7),
    ["1 M", "2.50 s", "500 ms", "300 MiB", "85.8 MiB", "90"],
  );
});
