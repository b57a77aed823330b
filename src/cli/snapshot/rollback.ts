import type { Command } from "commander";
import { counted } from "../../engine/model/counted.ts";
import { snakeCased } from "../../engine/model/snake-case.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { rollbackSnapshot } from "../../publishing/publish/rollback-snapshot.ts";
import { printProblem } from "../output.ts";
import { rowsText } from "../problem-report.ts";
import type { Report } from "../render-report-lines.ts";
import { lapsedLines } from "./publication-fields.ts";
import { onAnnouncedDirectory } from "./push-after.ts";
import {
  addClockOption,
  addDirectoryCommand,
  changedDirectory,
  compilationWarnings,
  type DirectoryOptions,
  snapshotIdArgument,
} from "./snapshot-command.ts";

/** Adds `rollback [ID]`: makes an existing snapshot the current one again. */
export function addCommands(program: Command): void {
  const description = "Check an existing snapshot completely and make it the current one.";
  addClockOption(addDirectoryCommand(program, "rollback", description, ["", "20261120T083000Z-1f2e3d4c5b6a"]))
    .argument("[id]", "id of a snapshot; the parent of the current one when absent", snapshotIdArgument)
    .option("--without-withdrawals", "go back exactly: prices that were withdrawn since come back")
    .action(onAnnouncedDirectory(rollback));
}

interface RollbackOptions extends DirectoryOptions {
  readonly withoutWithdrawals?: boolean;
  readonly allowClock?: boolean;
}

async function rollback(wanted: SnapshotId | undefined, options: RollbackOptions): Promise<Report> {
  const { withoutWithdrawals, allowClock } = options;
  const report = await rollbackSnapshot({ ...changedDirectory(options), id: wanted, withoutWithdrawals, allowClock });
  const { outcome, id, target, further, from, rows, keptWithdrawals, compilation, lapsed } = report;
  const seconds = options.seconds();
  // At once, and with JSON too, which does not report it.
  for (const line of compilationWarnings(compilation)) printProblem(`${line}\n`);
  const lines = {
    "already-current": [`${id} is current already, nothing changed`],
    "only-withdrawals": [
      `${id} differs from ${target} by withdrawals alone, which stay in force: nothing changed`,
      `${further === undefined ? "rollback ID goes to another, see list" : `rollback ${further} goes back further`}; ` +
        "reinstate undoes them, --without-withdrawals goes back exactly",
    ],
    "rolled-back": [
      `rolled back from ${from ?? "nothing"} to ${target} in ${seconds} s: ${rowsText(rows)}`,
      ...(id === target ? [] : [`published as ${id}, to keep ${counted(keptWithdrawals, "withdrawal")}`]),
      ...lapsedLines(lapsed),
    ],
  };
  return {
    json: {
      ...{ outcome, id, target, from, rows, kept_withdrawals: keptWithdrawals, further: further ?? null },
      lapsed: snakeCased(lapsed),
      seconds,
    },
    lines: lines[outcome],
    end: { done: `published ${id}`, isPublished: true, left: report.unfinished },
  };
}
