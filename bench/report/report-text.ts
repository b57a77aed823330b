/** The report of a run, as Markdown that reads well in a terminal too. */
import { type ContenderName, contenderNames } from "../contenders/contender.ts";
import type { LoadRaceResult } from "../load/run-load-race.ts";
import type { QuestionResult, RaceResult } from "../race/run-race.ts";
import { bytesText, countText, durationText, ratioText } from "./figure-text.ts";
import { describedMachine, type Machine } from "./machine.ts";
import { markdownTable } from "./markdown-table.ts";

/** Everything a run has found out. */
export interface BenchReport {
  readonly machine: Machine;
  readonly races: readonly RaceResult[];
  readonly load: LoadRaceResult | null;
}

/** How many times longer an answer may take at ten million prices than at one million. */
export const growthMax = 1.5;

/** How long an answer may take in the median. */
const answerMicrosecondsMax = 10_000;

/** Milliseconds that a question may keep its thread. */
export const stretchMax = 10;

export function reportText({ machine, races, load }: BenchReport): string {
  return [
    machineText(machine, races),
    ...races.map(raceText),
    ...inProcessText(races),
    ...growthText(races),
    ...(load === null ? [] : [loadText(load)]),
  ].join("\n\n");
}

function machineText(machine: Machine, races: readonly RaceResult[]): string {
  const titles = contenderNames.flatMap((name) =>
    name === "ours" ? [] : (races.find(({ preparations }) => preparations[name])?.preparations[name]?.title ?? []),
  );
  return describedMachine(machine, titles);
}

function raceText({ prices, preparations, results }: RaceResult): string {
  const names = contenderNames.filter((name) => preparations[name] !== undefined);
  const missed = results.filter((result) => !isMet(result));
  return [
    `### ${countText(prices)} prices`,
    questionTable(names, results),
    `Targets met: ${results.length - missed.length} of ${results.length}. ${worstText(results)}`,
    preparationTable(names, preparations),
  ].join("\n\n");
}

function questionTable(names: readonly ContenderName[], results: readonly QuestionResult[]): string {
  const header = [
    "question",
    ...names.flatMap((name) => [` ${name} p50`, " p99"]),
    " to the best peer",
    " target",
    "met",
  ];
  const rows = results.map((result) => {
    const { name, timings, bestPeer, ratio, target } = result;
    return [
      name,
      ...names.flatMap((contender) => {
        const timing = timings[contender];
        return timing === undefined ? ["–", "–"] : [durationText(timing.p50), durationText(timing.p99)];
      }),
      `${ratioText(ratio)} ${bestPeer}`,
      target === null ? "–" : `${target}×`,
      isMet(result) ? "yes" : "no",
    ];
  });
  return markdownTable(header, rows);
}

/** Whether a question meets its target, and answers within the limit in the median. */
export function isMet({ ratio, target, timings }: QuestionResult): boolean {
  return ratio >= (target ?? 0) && (timings.ours?.p50 ?? 0) < answerMicrosecondsMax;
}

function worstText(results: readonly QuestionResult[]): string {
  const stretches = results.map(({ name, stretch }) => ({ name, stretch: stretch ?? 0 }));
  const worst = stretches.reduce((longest, result) => (result.stretch > longest.stretch ? result : longest));
  const over = stretches.filter(({ stretch }) => stretch > stretchMax).map(({ name }) => name);
  return (
    `Longest time for which a question of ours keeps its thread: ${durationText(worst.stretch * 1000)} ` +
    `(${worst.name}); over ${stretchMax} ms: ${over.length === 0 ? "none" : over.join("; ")}.`
  );
}

function preparationTable(names: readonly ContenderName[], preparations: RaceResult["preparations"]): string {
  const header = ["contender", " columns to ready", " resident"];
  const rows = names.flatMap((name) => {
    const made = preparations[name];
    return made === undefined
      ? []
      : [[made.title, durationText(made.loadSeconds * 1e6), bytesText(made.residentBytes)]];
  });
  return markdownTable(header, rows);
}

/** For the largest size alone; the JSON has them all. */
function inProcessText(races: readonly RaceResult[]): string[] {
  const largest = races.at(-1);
  const measured = (largest?.results ?? []).flatMap(({ name, inProcess }) =>
    inProcess === null ? [] : [{ name, ...inProcess }],
  );
  if (largest === undefined || measured.length === 0) return [];
  const header = ["ours", " average", " p99", " memory taken"];
  const rows = measured.map(({ name, averageMicroseconds, p99Microseconds, heapBytes }) => [
    name,
    durationText(averageMicroseconds),
    durationText(p99Microseconds),
    heapBytes === null ? "–" : bytesText(heapBytes),
  ]);
  return [`### Ours in process by mitata, ${countText(largest.prices)} prices\n\n${markdownTable(header, rows)}`];
}

function growthText(races: readonly RaceResult[]): string[] {
  const [small, large] = [1e6, 1e7].map((prices) => races.find((race) => race.prices === prices));
  if (small === undefined || large === undefined) return [];
  const rows = large.results
    .filter(({ staysFlat }) => staysFlat)
    .flatMap(({ name, timings }) => {
      const before = small.results.find((result) => result.name === name)?.timings.ours?.p50;
      const after = timings.ours?.p50;
      if (before === undefined || after === undefined) return [];
      const growth = after / before;
      return [[name, durationText(before), durationText(after), ratioText(growth), growth <= growthMax ? "yes" : "no"]];
    });
  const header = ["question", " 1 M", " 10 M", " growth", `at most ${growthMax}×`];
  return [`### Growth of our times from 1 M to 10 M prices\n\n${markdownTable(header, rows)}`];
}

function loadText({ prices, ours, duckdb, ratio, target }: LoadRaceResult): string {
  const rows = [
    { title: "this service", figures: ours },
    { title: "DuckDB read_ndjson", figures: duckdb },
  ].map(({ title, figures: { prepareSeconds, loadSeconds, indexSeconds, peakBytes } }) => [
    title,
    durationText(prepareSeconds * 1e6),
    durationText(loadSeconds * 1e6),
    bytesText(peakBytes),
    durationText(indexSeconds * 1e6),
  ]);
  const header = ["loader", " start", " NDJSON to columns", " peak memory", " sorting and indexes"];
  const isMet = ratio >= target;
  const verdict = `Ours is ${ratioText(ratio)} as fast; target ${ratioText(target)}, ${isMet ? "met" : "missed"}.`;
  return `### Loading ${countText(prices)} lines of NDJSON\n\n${markdownTable(header, rows)}\n\n${verdict}`;
}
