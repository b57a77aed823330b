import type { Command } from "commander";
import type { SnapshotId } from "../../dataset/snapshot-layout.ts";
import { rollbackSnapshot } from "../../publish/rollback-snapshot.ts";
import { examplesText } from "../command.ts";
import { printReport } from "../output.ts";
import { reportRefusal, rowsText, writeCompilation, writeJson } from "./candidate-report.ts";
import { secondsSince } from "./figure-text.ts";
import { type DirectoryOptions, dataDirectoryOption, jsonOption, snapshotIdArgument } from "./snapshot-options.ts";

/** Adds `rollback [ID]`: make an existing snapshot the current one again. */
export function addRollbackCommand(program: Command): void {
  program
    .command("rollback")
    .description("Check an existing snapshot completely and make it the current one.")
    .argument("[id]", "id of a snapshot; the parent of the current one when absent", snapshotIdArgument)
    .addOption(dataDirectoryOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examplesText(["npm run snapshot -- rollback", "npm run snapshot -- rollback 20261120T083000Z-1f2e3d4c5b6a"]),
    )
    .action(rollback);
}

async function rollback(wanted: SnapshotId | undefined, { dataDir, json }: DirectoryOptions): Promise<void> {
  const started = performance.now();
  const report = await reportRefusal(json ?? false, () => rollbackSnapshot({ dataDirectory: dataDir, id: wanted }));
  const { outcome, id, from, rows } = report;
  const seconds = secondsSince(started);
  writeCompilation(report.compilation);
  if (json) writeJson({ ok: true, outcome, id, from: from ?? null, rows, seconds });
  else if (outcome === "already-current") printReport(`${id} is current already, nothing changed\n`);
  else printReport(`rolled back from ${from ?? "nothing"} to ${id} in ${seconds} s: ${rowsText(rows)}\n`);
}
