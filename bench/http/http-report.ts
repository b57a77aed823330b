/** The report of a run over HTTP, as Markdown that reads well in a terminal too. */
import { countText, durationText, ratioText } from "../report/figure-text.ts";
import { describedMachine, type Machine } from "../report/machine.ts";
import { markdownTable } from "../report/markdown-table.ts";
import type { HttpQuestionResult, HttpRaceResult } from "./http-race.ts";
import { type TargetResult, targetResults } from "./http-targets.ts";
import { type ServerName, serverNames, serverTitles } from "./server-names.ts";

/** Everything a run has found out. */
export interface HttpReport {
  readonly machine: Machine;
  readonly races: readonly HttpRaceResult[];
}

export function httpReportText({ machine, races }: HttpReport): string {
  const titles = new Set(races.flatMap((race) => race.titles));
  const skipped = new Set(races.flatMap((race) => race.skipped));
  return [
    describedMachine(machine, [...titles]),
    ...skipped,
    ...races.map((race) => raceText(race, machine.processor)),
  ].join("\n\n");
}

function raceText(race: HttpRaceResult, processor: string): string {
  const targets = targetResults(race);
  const met = targets.filter(({ isMet }) => isMet).length;
  return [
    `### ${countText(race.prices)} prices over HTTP, on ${processor}`,
    markdownTable(
      ["request", "server", " requests/s", " processor time", " p50", " p99", " to bare Koa", " to Fastify + SQLite"],
      race.results.flatMap(serverRows),
    ),
    ...(targets.length === 0
      ? []
      : [
          `Targets met: ${met} of ${targets.length}.`,
          markdownTable(["request", "ours", " ratio", " target", "met"], targets.map(targetRow)),
        ]),
  ].join("\n\n");
}

function serverRows({ name, figures }: HttpQuestionResult): string[][] {
  return serverNames.flatMap((server) => {
    const found = figures[server];
    if (found === undefined) return [];
    const { requestsPerSecond, processorMicroseconds, latency } = found;
    const ratioTo = (other: ServerName): string => {
      const theirs = figures[other]?.processorMicroseconds;
      return theirs === undefined ? "–" : ratioText(processorMicroseconds / theirs);
    };
    return [
      [
        name,
        serverTitles[server],
        String(Math.round(requestsPerSecond)),
        durationText(processorMicroseconds),
        latency === null ? "–" : durationText(latency.p50),
        latency === null ? "–" : durationText(latency.p99),
        ratioTo("koa"),
        ratioTo("sqlite"),
      ],
    ];
  });
}

function targetRow({ question, what, ratio, target, isLeast, isMet }: TargetResult): string[] {
  return [question, what, ratioText(ratio), `${isLeast ? "≥" : "≤"} ${target}×`, isMet ? "yes" : "no"];
}
