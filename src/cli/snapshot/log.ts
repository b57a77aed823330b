import type { Command } from "commander";
import type { Uuid } from "../../domain/ids.ts";
import { findEntriesOfPrice } from "../../publish/price-life.ts";
import { type LogEntry, readLog } from "../../publish/publication-log.ts";
import { type Report, reported } from "../report.ts";
import { textTable } from "../text-table.ts";
import { addDirectoryCommand, type DirectoryOptions, priceOption } from "./snapshot-command.ts";

interface LogOptions extends DirectoryOptions {
  readonly price?: Uuid;
}

const description = "Show who published what: every change of the dataset directory, oldest first.";

/** Adds `log`: shows the log of the dataset directory. */
export function addCommands(program: Command): void {
  addDirectoryCommand(program, "log", description, ["", "--json", "--price f3faf40b-e013-51db-8734-96f1c3e4ce4e"])
    .option("--price <uuid>", "only what has brought, changed or ruled on this price", priceOption)
    .action(reported(showLog));
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
      ...(unknown > 0 ? [`not looked into, because their snapshots are removed: ${unknown} entries`] : []),
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

/** `added 2, warnings 1`: what is not 0. */
function countsText({ counts, warnings = {} }: LogEntry): string {
  const warned = Object.values(warnings).reduce((sum, count) => sum + count, 0);
  const all = Object.entries({ ...counts, warnings: warned }).filter(([, count]) => count !== 0);
  return all.map(([name, count]) => `${name} ${count}`).join(", ");
}
