import { type Command, InvalidArgumentError, Option } from "commander";
import type { Instant } from "../../domain/instant.ts";
import { collectGarbage } from "../../publish/collect-garbage.ts";
import { runReported } from "../report.ts";
import { wholeNumber } from "../whole-number.ts";
import { addDirectoryCommand, type DirectoryOptions } from "./snapshot-command.ts";

interface GarbageOptions extends DirectoryOptions {
  readonly keep: number;
  /** Milliseconds. */
  readonly minAge: number;
  readonly dryRun?: boolean;
}

const keepDefault = 5;
const keepLimits = { min: 1, max: 1_000_000 };
const ageDefault = "7d";
const unitMilliseconds: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };
const description = "Remove old snapshots, but never the current one, and the orphaned files of killed publishers.";

/** Adds `gc`: removes old snapshots and orphaned files. */
export function addGarbageCommand(program: Command): void {
  const minAge = new Option("--min-age <age>", "keep what is younger: 7d, 12h, 30m, 0s");
  addDirectoryCommand(program, "gc", description, ["--dry-run", "--keep 5 --min-age 7d"])
    .option("--keep <n>", "keep the current snapshot and its parents, this many", wholeNumber(keepLimits), keepDefault)
    .addOption(minAge.argParser(ageArgument).default(ageArgument(ageDefault), ageDefault))
    .option("--dry-run", "show what would be removed, remove nothing")
    .action(collect);
}

/** Milliseconds of an age as it is typed. @throws {InvalidArgumentError} which exits as wrong use. */
export function ageArgument(text: string): number {
  const match = /^(\d{1,6})([dhms])$/.exec(text);
  const unit = unitMilliseconds[match?.[2] ?? ""];
  if (unit === undefined) throw new InvalidArgumentError("Expected a number and a unit: 7d, 12h, 30m or 0s.");
  return Number(match?.[1]) * unit;
}

async function collect({ dataDir, keep, minAge, dryRun = false, json }: GarbageOptions): Promise<void> {
  const now = Date.now() as Instant;
  await runReported(
    json,
    () => collectGarbage({ dataDirectory: dataDir, now, keep, ageMillisecondsMin: minAge, dryRun }),
    ({ removed, kept, orphans }) => {
      const verb = dryRun ? "would remove" : "removed";
      // A dry run does not hold the lock.
      const isUncertain = dryRun && orphans.length > 0;
      return {
        json: { dry_run: dryRun, removed, kept, orphans },
        lines: [
          ...removed.map((id) => `${verb} snapshot ${id}`),
          ...orphans.map((path) => `${verb} orphaned ${path}`),
          ...(isUncertain ? ["a running publisher may own what looks orphaned; gc itself waits for it"] : []),
          `kept ${kept.length} snapshots`,
        ],
      };
    },
  );
}
