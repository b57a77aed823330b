import type { Command } from "commander";
import type { SnapshotId } from "../../dataset/snapshot-layout.ts";
import { rollbackSnapshot } from "../../publish/rollback-snapshot.ts";
import { printProblem } from "../output.ts";
import { rowsText } from "../problem-report.ts";
import { runReported } from "../report.ts";
import {
  addDirectoryCommand,
  compilationWarnings,
  type DirectoryOptions,
  snapshotIdArgument,
} from "./snapshot-command.ts";

/** Adds `rollback [ID]`: makes an existing snapshot the current one again. */
export function addRollbackCommand(program: Command): void {
  addDirectoryCommand(program, "rollback", "Check an existing snapshot completely and make it the current one.", [
    "",
    "20261120T083000Z-1f2e3d4c5b6a",
  ])
    .argument("[id]", "id of a snapshot; the parent of the current one when absent", snapshotIdArgument)
    .action(rollback);
}

async function rollback(wanted: SnapshotId | undefined, { dataDir, json }: DirectoryOptions): Promise<void> {
  await runReported(
    json,
    () => rollbackSnapshot({ dataDirectory: dataDir, id: wanted }),
    ({ outcome, id, from = null, rows, compilation }, seconds) => {
      // With JSON too, which does not report it.
      for (const line of compilationWarnings(compilation)) printProblem(`${line}\n`);
      const done = `rolled back from ${from ?? "nothing"} to ${id} in ${seconds} s: ${rowsText(rows)}`;
      return {
        json: { outcome, id, from, rows, seconds },
        lines: [outcome === "already-current" ? `${id} is current already, nothing changed` : done],
      };
    },
  );
}
