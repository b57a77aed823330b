import { type Command, InvalidArgumentError, Option } from "commander";
import type { Instant } from "../../domain/instant.ts";
import { collectGarbage } from "../../publish/collect-garbage.ts";
import { examplesText } from "../command.ts";
import { printReport } from "../output.ts";
import { wholeNumber } from "../whole-number.ts";
import { reportRefusal, writeJson } from "./candidate-report.ts";
import { type DirectoryOptions, dataDirectoryOption, jsonOption } from "./snapshot-options.ts";

interface GarbageOptions extends DirectoryOptions {
  readonly keep: number;
  /** Milliseconds. */
  readonly minAge: number;
  readonly dryRun?: true;
}

const keepDefault = 5;
const keepMax = 1_000_000;
const ageDefault = "7d";
const unitMilliseconds: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

/** Adds `gc`: remove old snapshots and what killed publishers left. */
export function addGarbageCommand(program: Command): void {
  program
    .command("gc")
    .description("Remove old snapshots, but never the current one, and whatever killed publishers left behind.")
    .option("--keep <n>", "keep the current snapshot and its parents, this many", keepArgument, keepDefault)
    .addOption(
      new Option("--min-age <age>", "keep what is younger: 7d, 12h, 30m, 0s")
        .argParser(ageArgument)
        .default(ageArgument(ageDefault), ageDefault),
    )
    .option("--dry-run", "tell what would be removed, remove nothing")
    .addOption(dataDirectoryOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examplesText(["npm run snapshot -- gc --dry-run", "npm run snapshot -- gc --keep 5 --min-age 7d"]),
    )
    .action(collect);
}

const keepArgument = wholeNumber({ min: 1, max: keepMax });

/** Milliseconds of an age as it is typed. @throws {InvalidArgumentError} which exits as wrong use. */
export function ageArgument(text: string): number {
  const match = /^(\d{1,6})([dhms])$/.exec(text);
  const unit = unitMilliseconds[match?.[2] ?? ""];
  if (unit === undefined) throw new InvalidArgumentError("Expected a number and a unit: 7d, 12h, 30m or 0s.");
  return Number(match?.[1]) * unit;
}

async function collect({ dataDir, keep, minAge, dryRun, json }: GarbageOptions): Promise<void> {
  const isDryRun = dryRun ?? false;
  const { removed, kept, strays } = await reportRefusal(json ?? false, () =>
    collectGarbage({
      dataDirectory: dataDir,
      now: Date.now() as Instant,
      keep,
      ageMillisecondsMin: minAge,
      dryRun: isDryRun,
    }),
  );
  if (json) {
    writeJson({ ok: true, dry_run: isDryRun, removed, kept, strays });
    return;
  }
  const verb = isDryRun ? "would remove" : "removed";
  const lines = [...removed.map((id) => `${verb} snapshot ${id}`), ...strays.map((path) => `${verb} stray ${path}`)];
  // Without the lock nobody knows who is at work.
  if (isDryRun && strays.length > 0) lines.push("strays may be a publisher's that is at work; gc itself waits for it");
  printReport(`${[...lines, `kept ${kept.length} snapshots`].join("\n")}\n`);
}
