import type { Command } from "commander";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { diffSnapshots } from "../../publishing/publish/snapshot-changes.ts";
import type { Report } from "../render-report-lines.ts";
import { changesLines, changesReport } from "./changes-report.ts";
import { addDirectoryCommand, type DirectoryOptions, onDirectory, snapshotIdArgument } from "./snapshot-command.ts";

/** Adds `diff A B`: what changes for readers from one snapshot to another. */
export function addCommands(program: Command): void {
  addDirectoryCommand(program, "diff", "Show what changes for readers from one snapshot to another.", [
    "20261120T083000Z-1f2e3d4c5b6a 20261129T014906Z-d29501def8a2",
  ])
    .argument("<before>", "id of a snapshot", snapshotIdArgument)
    .argument("<after>", "id of a snapshot", snapshotIdArgument)
    .action(onDirectory(diff));
}

async function diff(before: SnapshotId, after: SnapshotId, { dataDir, seconds }: DirectoryOptions): Promise<Report> {
  const changes = await diffSnapshots(dataDir, before, after);
  return {
    json: { before, after, ...changesReport(changes), seconds: seconds() },
    lines: [`${before} → ${after}, compared in ${seconds()} s`, ...changesLines(changes)],
  };
}
