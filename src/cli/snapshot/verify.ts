import type { Command } from "commander";
import type { SnapshotId } from "../../dataset/snapshot-layout.ts";
import { verifySnapshot } from "../../publish/verify-snapshot.ts";
import { examplesText } from "../command.ts";
import { printReport } from "../output.ts";
import { reportRefusal, rowsText, writeJson } from "./candidate-report.ts";
import { secondsSince } from "./figure-text.ts";
import { withReadingProgress } from "./reading-progress.ts";
import { type DirectoryOptions, dataDirectoryOption, jsonOption, snapshotIdArgument } from "./snapshot-options.ts";

/** Adds `verify [ID]`: is a published snapshot still what was published? */
export function addVerifyCommand(program: Command): void {
  program
    .command("verify")
    .description("Check a published snapshot from the beginning: its files, its records, its compiled store.")
    .argument("[id]", "id of a snapshot; the current one when absent", snapshotIdArgument)
    .addOption(dataDirectoryOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examplesText(["npm run snapshot -- verify", "npm run snapshot -- verify 20261120T083000Z-1f2e3d4c5b6a"]),
    )
    .action(verify);
}

async function verify(wanted: SnapshotId | undefined, options: DirectoryOptions): Promise<void> {
  const { dataDir } = options;
  const json = options.json ?? false;
  const started = performance.now();
  const { id, rows, isCompiled } = await reportRefusal(json, () =>
    withReadingProgress(!json, (onBytes) => verifySnapshot(dataDir, wanted, { onBytes })),
  );
  const seconds = secondsSince(started);
  if (json) {
    writeJson({ ok: true, id, rows, is_compiled: isCompiled, seconds });
    return;
  }
  const compiled = isCompiled ? "its compiled store is what the records make" : "it is not compiled";
  printReport(`${id} is as it was published, ${compiled}; checked in ${seconds} s: ${rowsText(rows)}\n`);
}
