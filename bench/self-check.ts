/**
 * Whether the benchmarks themselves work: `node scripts/run.js bench/self-check.ts`, some seconds. Their arithmetic
 * on examples, then every question at a few thousand prices, where all contenders that are installed must give our
 * answers.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ContenderName } from "./contenders/contender.ts";
import { figuresOf } from "./contenders/sample-figures.ts";
import { columnsOf } from "./memory/columns-of.ts";
import { compareAnswers } from "./race/compare-answers.ts";
import { longestStretch } from "./race/longest-stretch.ts";
import { startRace } from "./race/run-race.ts";
import { readCount } from "./read-count.ts";
import { bytesText, durationText, ratioText } from "./report/figure-text.ts";
import { markdownTable } from "./report/markdown-table.ts";

checkComparison();
checkFigures();
checkTexts();
checkColumns();
await checkStretch();
await checkContenders();
process.stdout.write("The benchmarks work.\n");

function checkComparison(): void {
  const answer = { data: [{ price: 1.5, name: "Maize" }], meta: { total: 1 } };
  assert.equal(compareAnswers(answer, structuredClone(answer)), undefined);
  assert.equal(compareAnswers({ a: 1, b: 73_052.477_813 }, { b: 73_052.477_812, a: 1 }), undefined);
  assert.deepEqual(compareAnswers({ a: 1 }, { a: 1.000_002 }), { path: "a", ours: 1, theirs: 1.000_002 });
  assert.equal(
    compareAnswers(answer, { data: [{ price: 1.5, name: "maize" }], meta: answer.meta })?.path,
    "data[0].name",
  );
  assert.equal(compareAnswers({ data: [1] }, { data: [1, 2] })?.path, "data[1]");
  assert.equal(compareAnswers({ a: null }, {})?.path, "a");
  assert.equal(compareAnswers({ a: [] }, { a: {} })?.path, "a");
}

function checkFigures(): void {
  const { average, median, deviation, min, max, count } = figuresOf(0, Float64Array.of(4, 2, 4, 5, 4, 5, 7, 9));
  assert.deepEqual({ average, median, min, max, count }, { average: 5, median: 4.5, min: 2, max: 9, count: 8 });
  assert.ok(Math.abs(deviation - Math.sqrt(32 / 7)) < 1e-12);
}

function checkTexts(): void {
  assert.deepEqual([readCount("100k"), readCount("10M"), readCount("7")], [100_000, 10_000_000, 7]);
  assert.throws(() => readCount("0"), RangeError);
  assert.throws(() => readCount("1g"), RangeError);
  assert.deepEqual([0.5, 12.34, 4560, 2.5e6].map(durationText), ["500 ns", "12.3 µs", "4.56 ms", "2.50 s"]);
  assert.deepEqual([ratioText(12.34), bytesText(1024)], ["12.3×", "1.00 KiB"]);
  assert.equal(markdownTable(["a", " b"], [["x", "10"]]), "| a   |   b |\n|-----|----:|\n| x   |  10 |");
}

function checkColumns(): void {
  const shared = new SharedArrayBuffer(8);
  const store = {
    a: { b: new Uint32Array(shared) },
    again: new Uint32Array(shared),
    list: [new Uint8Array(1), new Uint8Array(2)],
  };
  assert.deepEqual(columnsOf(store), [
    { path: "a.b", kind: "Uint32Array", bytes: 8 },
    { path: "list[]", kind: "2 Uint8Array", bytes: 3 },
  ]);
}

async function checkStretch(): Promise<void> {
  const busy = (milliseconds: number): void => {
    const until = performance.now() + milliseconds;
    while (performance.now() < until);
  };
  const whole = await longestStretch(() => busy(60));
  const sliced = await longestStretch(async () => {
    for (let slice = 0; slice < 6; slice++) {
      busy(10);
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  assert.ok(whole >= 60, `60 ms of work held the thread for ${whole} ms`);
  assert.ok(sliced >= 10 && sliced < 60, `slices of 10 ms held the thread for ${sliced} ms`);
}

async function checkContenders(): Promise<void> {
  const contenders: ContenderName[] = ["ours", "sqlite", "javascript"];
  if (existsSync(join(import.meta.dirname, "node_modules", "@duckdb"))) contenders.push("duckdb");
  const race = await startRace({
    sample: { prices: 5000, seed: 7 },
    contenders,
    variants: 4,
    rounds: 1,
    turnMilliseconds: 1,
    questionNames: [],
    loadsTogether: true,
    examinesOurs: false,
    onProgress: () => {},
  });
  await race.stop();
}
