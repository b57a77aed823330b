/** `npm run bench -- NAME`: one benchmark by its name. README.md says what each measures. */
import { type NamedProgram, runNamedProgram } from "../src/cli/named-programs.ts";

const benchmarks: Readonly<Record<string, NamedProgram>> = {
  summary: benchmark("summary", "the page to cite: race, HTTP, starts and memory, in one run"),
  race: benchmark("race", "ours beside DuckDB, SQLite and plain JavaScript, at 100 k, 1 M and 10 M prices"),
  checkouts: benchmark("checkouts", "processor time of a request, here and in another checkout"),
  http: benchmark("http", "whole requests, beside Fastify + SQLite, Fastify + PostgreSQL and bare servers"),
  memory: { ...benchmark("memory", "bytes a price costs, by column and index"), nodeFlags: ["--expose-gc"] },
  open: { ...benchmark("open-store", "writing and opening compiled stores"), nodeFlags: ["--expose-gc"] },
  append: benchmark("append", "a market day on ten million prices, from the command to the last thread"),
  swaps: benchmark("swap", "200 swaps of snapshots under load, counted and timed"),
  exports: benchmark("exports", "bytes a second of exports, their memory, and look-ups beside them"),
  answers: benchmark("answers", "what compressing answers costs, and what the answer cache saves"),
  threads: benchmark("threads", "memory with 1, 2 and 4 threads"),
  isolation: benchmark("isolation", "how much one client and swaps slow the look-ups of others"),
  fairness: benchmark("fairness", "how the work of one client affects others, here and in another checkout"),
  stretches: benchmark("stretches", "the longest time for which any permitted question keeps its thread"),
  overload: benchmark("overload", "three times capacity: who is answered and refused, and how fast"),
  ci: benchmark("ci", "the gate of CI: ratios to SQLite and plain JavaScript, held to floors"),
};

function benchmark(name: string, description: string): NamedProgram {
  return { file: new URL(`${name}.ts`, import.meta.url), description };
}

runNamedProgram("bench", benchmarks);
