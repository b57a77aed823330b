import type { Command } from "commander";
import type { SnapshotId } from "../../dataset/snapshot-layout.ts";
import { diffSnapshots } from "../../publish/diff-snapshots.ts";
import { examplesText } from "../command.ts";
import { printReport } from "../output.ts";
import { reportRefusal, writeJson } from "./candidate-report.ts";
import { changesLines, changesReport } from "./changes-report.ts";
import { secondsSince } from "./figure-text.ts";
import { type DirectoryOptions, dataDirectoryOption, jsonOption, snapshotIdArgument } from "./snapshot-options.ts";

/** Adds `diff A B`: what readers see change from one snapshot to another. */
export function addDiffCommand(program: Command): void {
  program
    .command("diff")
    .description("Show what readers see change from one snapshot to another.")
    .argument("<before>", "id of a snapshot", snapshotIdArgument)
    .argument("<after>", "id of a snapshot", snapshotIdArgument)
    .addOption(dataDirectoryOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examplesText(["npm run snapshot -- diff 20261120T083000Z-1f2e3d4c5b6a 20261121T231320Z-087a84d1bad5"]),
    )
    .action(diff);
}

async function diff(before: SnapshotId, after: SnapshotId, { dataDir, json }: DirectoryOptions): Promise<void> {
  const started = performance.now();
  const changes = await reportRefusal(json ?? false, () => diffSnapshots(dataDir, before, after));
  const seconds = secondsSince(started);
  if (json) writeJson({ ok: true, before, after, ...changesReport(changes), seconds });
  else printReport(`${before} → ${after}, compared in ${seconds} s\n${changesLines(changes).join("\n")}\n`);
}
