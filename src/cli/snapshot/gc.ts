import { type Command, Option } from "commander";
import { counted } from "../../engine/model/counted.ts";
import { collectGarbage } from "../../publishing/publish/collect-garbage.ts";
import { duration, wholeNumber } from "../argument.ts";
import type { Report } from "../render-report-lines.ts";
import { onAnnouncedDirectory } from "./push-after.ts";
import { addDirectoryCommand, changedDirectory, type DirectoryOptions } from "./snapshot-command.ts";

interface GarbageOptions extends DirectoryOptions {
  readonly keep: number;
  /** Milliseconds. */
  readonly minAge: number;
  /** Milliseconds. */
  readonly draftAge: number;
  readonly dryRun?: boolean;
}

const keepDefault = 5;
const keepLimits = { min: 1, max: 1_000_000 };
const ageDefault = "7d";
const draftAgeDefault = "30d";
const ageArgument = duration({ min: 0, max: Number.MAX_SAFE_INTEGER, words: "an age" });
const description = "Remove old snapshots, but never the current one, and the orphaned files of killed publishers.";

/** Adds `gc`: removes old snapshots and orphaned files. */
export function addCommands(program: Command): void {
  const minAge = new Option("--min-age <age>", "keep what is younger: 7d, 12h, 30m, 0s");
  const draftAge = new Option("--draft-age <age>", "remove drafts that are as old");
  addDirectoryCommand(program, "gc", description, ["--dry-run", "--keep 5 --min-age 7d"])
    .option("--keep <n>", "keep the current snapshot and its parents, this many", wholeNumber(keepLimits), keepDefault)
    .addOption(minAge.argParser(ageArgument).default(ageArgument(ageDefault), ageDefault))
    .addOption(draftAge.argParser(ageArgument).default(ageArgument(draftAgeDefault), draftAgeDefault))
    .option("--dry-run", "show what would be removed, remove nothing")
    .action(onAnnouncedDirectory(collect));
}

async function collect({ keep, minAge, draftAge, dryRun = false, ...options }: GarbageOptions): Promise<Report> {
  const ages = { ageMillisecondsMin: minAge, draftAgeMillisecondsMin: draftAge };
  const collected = await collectGarbage({ ...changedDirectory(options), ...ages, keep, dryRun });
  const { removed, kept, expired = [], orphans } = collected;
  const verb = dryRun ? "would remove" : "removed";
  // A dry run does not hold the lock.
  const isUncertain = dryRun && orphans.length > 0;
  return {
    json: { dry_run: dryRun, removed, kept, orphans, ...(expired.length === 0 ? {} : { drafts: expired }) },
    lines: [
      ...removed.map((id) => `${verb} snapshot ${id}`),
      ...expired.map((id) => `${verb} draft ${id}`),
      ...orphans.map((path) => `${verb} orphaned ${path}`),
      ...(isUncertain ? ["a running publisher may own what looks orphaned; gc itself waits for it"] : []),
      `kept ${counted(kept.length, "snapshot")}`,
    ],
    end: { done: "collected", isPublished: false, left: collected.unfinished },
  };
}
