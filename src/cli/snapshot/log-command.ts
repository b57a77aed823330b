import type { Command } from "commander";
import { counted } from "../../engine/model/counted.ts";
import type { Uuid } from "../../engine/model/ids.ts";
import { findEntriesOfPrice } from "../../publishing/publish/price-life.ts";
import { type LogEntry, readLog } from "../../publishing/publish/publication-log.ts";
import type { Report } from "../render-report-lines.ts";
import { textTable } from "../text-table.ts";
import { decisionVerb } from "./decision-commands.ts";
import { lapsedText } from "./publication-fields.ts";
import { addDirectoryCommand, type DirectoryOptions, onDirectory, priceOption } from "./snapshot-command.ts";

interface LogOptions extends DirectoryOptions {
  readonly price?: Uuid;
}

const description = "Show who published what: every change of the dataset directory, oldest first.";

/** Adds `log`: shows the log of the dataset directory. */
export function addCommands(program: Command): void {
  addDirectoryCommand(program, "log", description, ["", "--json", "--price f3faf40b-e013-51db-8734-96f1c3e4ce4e"])
    .option("--price <uuid>", "only what has brought, changed or decided on this price", priceOption)
    .action(onDirectory(showLog));
}

async function showLog({ dataDir, price }: LogOptions): Promise<Report> {
  const log = await readLog(dataDir);
  const { entries, unknown } =
    price === undefined ? { ...log, unknown: 0 } : await findEntriesOfPrice(dataDir, log.entries, price);
  return {
    json: { entries, faults: log.faults, ...(price === undefined ? {} : { price, unknown }) },
    problems: log.faults.map((fault) => `warning: ${fault}`),
    lines: [
      ...(entries.length === 0 ? ["no entry"] : [entriesTable(entries)]),
      ...(unknown > 0
        ? [`not looked into, because their snapshots are removed: ${counted(unknown, "entry", "entries")}`]
        : []),
    ],
  };
}

function entriesTable(entries: readonly LogEntry[]): string {
  return textTable(
    ["TIME", "WHO", "COMMAND", "FROM", "TO", "COUNTS", "NOTE"],
    entries.map((entry) => [
      entry.time.slice(0, "2026-11-20T08:30:00".length),
      whoText(entry),
      [entry.command, ...entry.arguments.filter((argument) => argument === "--draft")].join(" "),
      entry.from ?? "-",
      (entry.to === entry.from ? entry.subject : entry.to) ?? "-",
      countsText(entry),
      entry.note ?? "",
    ]),
  );
}

function whoText({ user, host, by }: LogEntry): string {
  const login = `${user ?? "?"}@${host ?? "?"}`;
  return by === null ? login : `${by} (${login})`;
}

/** `2 prices added, 1 warning`: what is not 0. */
function countsText(entry: LogEntry): string {
  const warnings = Object.values(entry.warnings ?? {}).reduce((sum, count) => sum + count, 0);
  const all = Object.entries({ ...entry.counts, warnings }).filter(([, count]) => count !== 0);
  return all.map(([name, count]) => countText(name, count, entry)).join(", ");
}

/** The things that the counts of the log count, and what was done with them. */
const countedThings: Readonly<Record<string, readonly [noun: string, verb: string]>> = {
  added: ["price", "added"],
  replaced: ["price", "replaced"],
  known: ["price", "known already"],
  withheld: ["price", "withheld"],
  kept_withdrawn: ["withdrawn price", "replaced"],
  rejected: ["row", "rejected"],
  rows: ["row", "of the feed"],
  rowsBefore: ["row", "before"],
  changed: ["price", "changed"],
  dropped: ["price", "dropped"],
  carriedOver: ["price", "carried over"],
  correctionsKept: ["correction", "kept"],
  additionsKept: ["addition", "kept"],
  adopted: ["appended price", "adopted by the feed"],
  conflicts: ["conflict", ""],
  gone: ["price", "gone"],
  restored: ["price", "restored"],
  stays: ["price", "as a later file says"],
  kept_withdrawals: ["withdrawal", "kept"],
  removed: ["snapshot", "removed"],
  drafts: ["draft", "removed"],
  orphans: ["orphaned file", "removed"],
  warnings: ["warning", ""],
};

function countText(name: string, count: number, { command, arguments: args }: LogEntry): string {
  if (name === "ruled") {
    const kind = command === "accept-price" ? "accepted" : "withdrawals";
    return `${counted(count, "price")} ${decisionVerb(kind, command === "reinstate" || args.includes("--undo"))}`;
  }
  if (name === "lapsed") return lapsedText(count);
  const [noun, verb] = countedThings[name] ?? [];
  // Another version of the commands may have counted something else.
  return noun === undefined ? `${name} ${count}` : `${counted(count, noun)} ${verb}`.trimEnd();
}
