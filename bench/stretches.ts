/**
 * The longest time for which any permitted question keeps its thread:
 * `npm run bench -- stretches [--prices 10m] [--tries 300] [--seed 1] [--only /prices] [--short] [--write]`. For each
 * endpoint it searches the parameters of its schemas for the worst input, at random, then by small changes of the worst
 * so far. The questions go through the whole app, by HTTP, in each coding; what counts is the longest turn of the event
 * loop, in processor time of the thread. The worst input is asked again, and the least counts: what is left when no
 * collection of garbage comes in between.
 *
 * Exits with 1 when a turn takes longer than 1.5 times the longest measured (`--calibrate`). `--short` is for machines
 * that other work shares: few tries at 100 k prices, and four times the gate.
 *
 * Files of snapshots are left out: the app of this benchmark has none.
 */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { Endpoint } from "../src/contract/endpoint.ts";
import { apiPrefix } from "../src/contract/paths.ts";
import { endpoints } from "../src/service/http/endpoint-table.ts";
import { publicKey, secretKey } from "../test/support/signed-request.ts";
import { callChild } from "./calls/call-child.ts";
import { headersOf } from "./http/request-headers.ts";
import { readCount } from "./read-count.ts";
import { readOptions } from "./read-options.ts";
import { countText } from "./report/figure-text.ts";
import { calibrate, gateLimit } from "./report/gate-limits.ts";
import { describedMachine, describeMachine } from "./report/machine.ts";
import { markdownTable } from "./report/markdown-table.ts";
import { writeFigures } from "./report/write-readme.ts";
import { SeededRandom } from "./sample/seeded-random.ts";
import { type Facts, type Input, InputMaker } from "./stretches/random-input.ts";

const values = readOptions({
  prices: { type: "string", default: "10m" },
  tries: { type: "string", default: "300" },
  only: { type: "string", default: "" },
  seed: { type: "string", default: "1" },
  short: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
  calibrate: { type: "boolean", default: false },
});
const measurable = endpoints.filter(({ form }) => form.kind !== "file");
const wanted = measurable.filter(({ path }) => path.includes(values.only));
if (wanted.length === 0) {
  const paths = [...new Set(measurable.map(({ path }) => path))].join(", ");
  throw new RangeError(`--only is "${values.only}", expected a part of one of ${paths}`);
}
const prices = readCount(values.short ? "100k" : values.prices);
const triesMax = values.short ? 20 : Number(values.tries);
const codings = ["identity", "gzip", "br", "zstd"];
/** How often the worst input is asked again. */
const repeats = 7;
/** A longer answer is broken off: its slices are alike. */
const readMilliseconds = 300;

interface Worst {
  readonly input: Input;
  readonly coding: string;
  readonly milliseconds: number;
}

const machine = describeMachine();
const child: ChildProcess = fork(join(import.meta.dirname, "stretches/app-main.ts"), {
  serialization: "advanced",
  execArgv: ["--expose-gc"],
});
const call = (name: string, argument: unknown = null): Promise<unknown> => callChild(child, "the app", name, argument);
try {
  const { port } = (await call("prepare", { prices })) as { port: number };
  const baseUrl = `http://127.0.0.1:${port}${apiPrefix}`;
  const facts = await readFacts(baseUrl);
  const random = new SeededRandom(Number(values.seed), "prices");
  const rows: string[][] = [];
  const failures: string[] = [];
  const limit = values.calibrate ? Number.POSITIVE_INFINITY : await gateLimit("stretches");
  const most = values.short ? limit * 4 : limit;
  let longest = 0;
  for (const endpoint of wanted) {
    const { input, coding, milliseconds } = await findWorst(endpoint, facts, random, baseUrl);
    const title = `${endpoint.method} ${endpoint.path}`;
    const text = JSON.stringify({ ...input.params, ...input.fields }, shortenList);
    rows.push([title, milliseconds.toFixed(2), coding, text]);
    process.stdout.write(`${title}: ${milliseconds.toFixed(2)} ms, ${coding}, ${text}\n`);
    longest = Math.max(longest, milliseconds);
    if (milliseconds > most) {
      failures.push(`${title} keeps the thread for ${milliseconds.toFixed(2)} ms, expected at most ${most}: ${text}`);
    }
  }
  if (values.calibrate) await calibrate({ stretches: longest });
  if (values.write) {
    const table = markdownTable(["endpoint", " ms", "coding", "input"], rows);
    const report = [
      describedMachine(machine, []),
      `${countText(prices)} prices, ${triesMax} tries for each endpoint`,
      table,
    ];
    await writeFigures("stretches", report.join("\n\n"));
  }
  if (failures.length > 0) {
    process.stderr.write(`${failures.join("\n")}\n`);
    process.exitCode = 1;
  }
} finally {
  child.kill("SIGKILL");
}

/** A list in a report: how many items it has. */
function shortenList(_name: string, value: unknown): unknown {
  return Array.isArray(value) && value.length > 2 ? `${value.length} items` : value;
}

async function findWorst(endpoint: Endpoint, facts: Facts, random: SeededRandom, baseUrl: string): Promise<Worst> {
  const maker = new InputMaker(endpoint, facts, random);
  const tries = maker.isConstant ? codings.length : triesMax;
  let worst: Worst = { input: maker.make(), coding: "identity", milliseconds: 0 };
  for (let attempt = 0; attempt < tries; attempt++) {
    const input = maker.isConstant || attempt < tries / 3 ? maker.make() : maker.change(worst.input);
    const coding = codings[maker.isConstant ? attempt : random.below(codings.length)] as string;
    const milliseconds = await stretchOf(endpoint, input, coding, baseUrl);
    if (milliseconds <= worst.milliseconds) continue;
    // Once more, so that a collection of garbage is no reason to follow this input.
    const again = Math.min(milliseconds, await stretchOf(endpoint, input, coding, baseUrl));
    if (again > worst.milliseconds) worst = { input, coding, milliseconds: again };
  }
  const times: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    times.push(await stretchOf(endpoint, worst.input, worst.coding, baseUrl));
  }
  return { ...worst, milliseconds: Math.min(...times) };
}

/** The longest turn of the event loop while a question is answered; 0 when its input is refused. */
async function stretchOf(endpoint: Endpoint, input: Input, coding: string, baseUrl: string): Promise<number> {
  await call("watch");
  const status = await ask(endpoint, input, coding, baseUrl);
  const longest = (await call("longest")) as number;
  if (status >= 500) throw new Error(`${endpoint.path} ${JSON.stringify(input)}: ${status}, expected an answer`);
  return status === 200 ? longest : 0;
}

async function ask(
  { method, path, access }: Endpoint,
  { params, fields }: Input,
  coding: string,
  baseUrl: string,
): Promise<number> {
  const pathText = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString();
  const target = `${apiPrefix}${pathText}${method === "GET" && query !== "" ? `?${query}` : ""}`;
  const body = method === "POST" ? JSON.stringify(fields) : "";
  const headers = headersOf({ method, target, body, access }, { publicKey, secretKey });
  const response = await fetch(new URL(target, baseUrl), {
    method,
    headers: { ...headers, "Accept-Encoding": coding },
    ...(method === "POST" && { body }),
  });
  const end = performance.now() + readMilliseconds;
  for await (const _ of response.body ?? []) if (performance.now() >= end) break;
  return response.status;
}

async function readFacts(baseUrl: string): Promise<Facts> {
  const listOf = async (path: string): Promise<Record<string, unknown>[]> => {
    const response = await fetch(baseUrl + path, { headers: { "X-API-Key": publicKey } });
    return ((await response.json()) as { data: Record<string, unknown>[] }).data;
  };
  const uuids = (records: readonly Record<string, unknown>[]): string[] => records.map(({ uuid }) => String(uuid));
  const latest = await listOf("/prices/latest?limit=5");
  const units = await listOf("/reference/units");
  const categories = await listOf("/products/categories");
  return {
    products: uuids(await listOf("/products?page_size=100")),
    markets: uuids(await listOf("/markets?page_size=100")),
    prices: latest.flatMap((group) => uuids(group["prices"] as Record<string, unknown>[])),
    units: units.flatMap(({ units: members }) => (members as { name: string }[]).map(({ name }) => name)),
    categories: categories.map((category) => String(category["category"] ?? category["name"])),
  };
}
