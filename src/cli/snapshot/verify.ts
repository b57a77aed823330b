import type { Command } from "commander";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { verifyAnnouncement } from "../../publishing/publish/announce-snapshot.ts";
import { verifySnapshot } from "../../publishing/publish/verify-snapshot.ts";
import { rowsText } from "../problem-report.ts";
import type { Report } from "../render-report-lines.ts";
import { pendingReport } from "./push-after.ts";
import {
  addDirectoryCommand,
  type DirectoryOptions,
  knownPublicKey,
  onDirectory,
  snapshotIdArgument,
} from "./snapshot-command.ts";

const description = "Check a published snapshot from the beginning: files, records, compiled store, announcement.";

/** Adds `verify [ID]`: checks whether a published snapshot is unchanged. */
export function addCommands(program: Command): void {
  addDirectoryCommand(program, "verify", description, ["", "20261120T083000Z-1f2e3d4c5b6a"])
    .argument("[id]", "id of a snapshot; the current one when absent", snapshotIdArgument)
    .action(onDirectory(verify));
}

async function verify(wanted: SnapshotId | undefined, options: DirectoryOptions): Promise<Report> {
  const { dataDir, onBytes, seconds } = options;
  const { id, rows, isCompiled, otherLayout, logFaults } = await verifySnapshot(dataDir, wanted, onBytes);
  const fault = await verifyAnnouncement(dataDir, await knownPublicKey(dataDir));
  const pending = await pendingReport(dataDir);
  const warnings = [...logFaults, ...(fault?.isForged === false ? [fault.message] : [])];
  const uncompiled = otherLayout === undefined ? "it is not compiled" : "its compiled store is of another version";
  const compiled = isCompiled ? "its compiled store equals its records" : uncompiled;
  const note = `note: ${otherLayout}; the next start of this version compiles it again`;
  return {
    json: {
      id,
      rows,
      is_compiled: isCompiled,
      other_layout: otherLayout ?? null,
      log_faults: logFaults,
      announcement_fault: fault?.message ?? null,
      push_pending: pending.json,
      seconds: seconds(),
    },
    problems: [...warnings.map((line) => `warning: ${line}`), ...pending.warnings],
    refusal: fault?.isForged === true ? fault.message : undefined,
    lines: [
      `${id} is as it was published, ${compiled}; checked in ${seconds()} s: ${rowsText(rows)}`,
      ...(otherLayout === undefined ? [] : [note]),
    ],
  };
}
