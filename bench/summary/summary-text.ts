/** The tables that people cite, of the figures of several benchmarks: a few questions at every size. */
import { contenderNames } from "../contenders/contender.ts";
import type { HttpReport } from "../http/http-report.ts";
import { targetResults } from "../http/http-targets.ts";
import { type ServerName, serverTitles } from "../http/server-names.ts";
import type { QuestionResult } from "../race/run-race.ts";
import { bytesText, countText, durationText, ratioText } from "../report/figure-text.ts";
import { describedMachine } from "../report/machine.ts";
import { markdownTable } from "../report/markdown-table.ts";
import type { BenchReport } from "../report/report-text.ts";
import { isMet } from "../report/report-text.ts";
import type { StartReport } from "./measure-starts.ts";

/** The figures that there are; a part that has not run is left out. */
export interface SummaryParts {
  readonly race?: BenchReport | undefined;
  readonly http?: HttpReport | undefined;
  readonly start?: StartReport | undefined;
}

/** The questions of the race that stand for their kind. */
const questions = [
  "price by uuid",
  "latest: one product",
  "search: product; page 1",
  "statistics: ten years by month",
  "statistics: ten years by county",
];

const servers: readonly ServerName[] = ["ours", "sqlite", "postgres"];

/**
 * The tables as Markdown, each under the machine on which its figures were taken, then every target that was missed.
 */
export function summaryText({ race, http, start }: SummaryParts): string {
  return [
    ...(race === undefined ? [] : [raceText(race)]),
    ...(http === undefined ? [] : [httpText(http)]),
    ...(start === undefined ? [] : [startText(start)]),
    ...missedText(race, http),
  ].join("\n\n");
}

function raceText({ machine, races }: BenchReport): string {
  const titles = contenderNames.flatMap((name) =>
    name === "ours" ? [] : (races.find(({ preparations }) => preparations[name])?.preparations[name]?.title ?? []),
  );
  const rows = questions.flatMap((question) =>
    races.flatMap(({ prices, results }) =>
      results
        .filter(({ name }) => name === question)
        .map((result) => [question, countText(prices), ...raceRow(result)]),
    ),
  );
  const header = ["question", " prices", " ours", " DuckDB", " SQLite", " to the best peer", " target", "met"];
  const title = "### In process: the median of one answer";
  return [title, describedMachine(machine, titles), markdownTable(header, rows)].join("\n\n");
}

function raceRow(result: QuestionResult): string[] {
  const { timings, ratio, bestPeer, target } = result;
  const times = (["ours", "duckdb", "sqlite"] as const).map((name) => {
    const timing = timings[name];
    return timing === undefined ? "–" : durationText(timing.p50);
  });
  return [
    ...times,
    `${ratioText(ratio)} ${bestPeer}`,
    target === null ? "–" : `${target}×`,
    isMet(result) ? "yes" : "no",
  ];
}

function httpText({ machine, races }: HttpReport): string {
  const titles = [...new Set(races.flatMap((race) => race.titles))];
  const names = [...new Set(races.flatMap(({ results }) => results.map(({ name }) => name)))];
  const rows = names.flatMap((question) =>
    races.flatMap(({ prices, results }) =>
      results
        .filter(({ name }) => name === question)
        .map(({ figures }) => {
          const latency = figures.ours?.latency;
          return [
            question,
            countText(prices),
            ...servers.map((server) => rateText(figures[server]?.requestsPerSecond)),
            latency ? durationText(latency.p50) : "–",
            latency ? durationText(latency.p99) : "–",
          ];
        }),
    ),
  );
  const titlesOfServers = servers.map((server) => ` ${serverTitles[server]}`);
  const header = ["request", " prices", ...titlesOfServers, " ours, p50 at half", " p99"];
  const skipped = [...new Set(races.flatMap((race) => race.skipped))];
  return [
    "### Over HTTP: requests a second of one server thread",
    describedMachine(machine, titles),
    ...skipped,
    markdownTable(header, rows),
  ].join("\n\n");
}

function rateText(perSecond: number | undefined): string {
  return perSecond === undefined ? "–" : String(Math.round(perSecond));
}

function startText({ machine, starts }: StartReport): string {
  const rows = starts.map(({ prices, withoutSeconds, withSeconds, residentBytes, storeBytes }) => [
    countText(prices),
    durationText(withoutSeconds * 1e6),
    durationText(withSeconds * 1e6),
    bytesText(residentBytes),
    bytesText(storeBytes),
    String(Math.round(storeBytes / prices)),
  ]);
  const header = [" prices", " without compiled store", " with it", " resident", " of it the store", " bytes a price"];
  return (
    `### Start until it listens, and memory, with two threads\n\n${describedMachine(machine, [])}\n\n` +
    markdownTable(header, rows)
  );
}

/** Every target of the race and of the requests that was missed, not only those of the tables. */
function missedText(race: BenchReport | undefined, http: HttpReport | undefined): string[] {
  const ofRace = (race?.races ?? []).flatMap(({ prices, results }) =>
    results
      .filter((result) => !isMet(result))
      .map(({ name, ratio, bestPeer, target }) => {
        const found = `${ratioText(ratio)} ${bestPeer} instead of ${target ?? 0}×`;
        return `- ${countText(prices)} prices, ${name}: ${found}`;
      }),
  );
  const ofHttp = (http?.races ?? []).flatMap((one) =>
    targetResults(one)
      .filter(({ isMet: met }) => !met)
      .map(({ question, what, ratio, target, isLeast }) => {
        const found = `${what} ${ratioText(ratio)} instead of ${isLeast ? "at least" : "at most"} ${target}×`;
        return `- ${countText(one.prices)} prices over HTTP, ${question}: ${found}`;
      }),
  );
  if (race === undefined && http === undefined) return [];
  const missed = [...ofRace, ...ofHttp];
  return ["### Targets that were missed", missed.length === 0 ? "None." : missed.join("\n")];
}
