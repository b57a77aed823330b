import type { Command } from "commander";
import type { SnapshotId } from "../../dataset/snapshot-layout.ts";
import { verifySnapshot } from "../../publish/verify-snapshot.ts";
import { rowsText } from "../problem-report.ts";
import { runReported } from "../report.ts";
import { addDirectoryCommand, type DirectoryOptions, snapshotIdArgument } from "./snapshot-command.ts";

const description = "Check a published snapshot from the beginning: its files, its records, its compiled store.";

/** Adds `verify [ID]`: checks whether a published snapshot is unchanged. */
export function addVerifyCommand(program: Command): void {
  addDirectoryCommand(program, "verify", description, ["", "20261120T083000Z-1f2e3d4c5b6a"])
    .argument("[id]", "id of a snapshot; the current one when absent", snapshotIdArgument)
    .action(verify);
}

async function verify(wanted: SnapshotId | undefined, { dataDir, json }: DirectoryOptions): Promise<void> {
  await runReported(
    json,
    (onBytes) => verifySnapshot(dataDir, wanted, onBytes),
    ({ id, rows, isCompiled, logFaults }, seconds) => {
      const compiled = isCompiled ? "its compiled store equals its records" : "it is not compiled";
      return {
        json: { id, rows, is_compiled: isCompiled, log_faults: logFaults, seconds },
        problems: logFaults.map((fault) => `warning: ${fault}`),
        lines: [`${id} is as it was published, ${compiled}; checked in ${seconds} s: ${rowsText(rows)}`],
      };
    },
  );
}
