import type { Command } from "commander";
import { instantText } from "../../engine/model/calendar.ts";
import { listSnapshots, type SnapshotEntry } from "../../publishing/publish/list-snapshots.ts";
import { bytesText } from "../bytes-text.ts";
import type { Report } from "../render-report-lines.ts";
import { textTable } from "../text-table.ts";
import { pendingReport } from "./push-after.ts";
import { addDirectoryCommand, type DirectoryOptions, onDirectory } from "./snapshot-command.ts";

const description = "List the snapshots, newest first: which is current, which are its parents, which are compiled.";

/** Adds `list`: the snapshots of the dataset directory. */
export function addCommands(program: Command): void {
  addDirectoryCommand(program, "list", description, ["", "--json"]).action(onDirectory(list));
}

async function list({ dataDir }: DirectoryOptions): Promise<Report> {
  const { snapshots, current, currentFault } = await listSnapshots(dataDir);
  const faults = [currentFault, ...snapshots.map(({ fault }) => fault)].filter((fault) => fault !== undefined);
  const pending = await pendingReport(dataDir);
  const isEmpty = snapshots.length === 0;
  return {
    json: {
      current: current ?? null,
      current_fault: currentFault ?? null,
      push_pending: pending.json,
      snapshots: snapshots.map(entryReport),
    },
    problems: [...faults.map((fault) => `warning: ${fault}`), ...pending.warnings],
    lines: isEmpty ? [] : [listingTable(snapshots)],
    refusal: isEmpty ? `${dataDir}: no snapshot there` : undefined,
  };
}

function listingTable(snapshots: readonly SnapshotEntry[]): string {
  return textTable(
    ["ID", "CREATED", "PRICES", "BYTES", "COMPILED", "PLACE", "NOTE"],
    snapshots.map((entry) => [
      entry.id,
      entry.manifest === undefined ? "-" : instantText(entry.manifest.createdAt).slice(0, "2026-11-20T08:30:00".length),
      String(entry.rows?.prices ?? "-"),
      entry.bytes === undefined ? "-" : bytesText(entry.bytes),
      entry.isCompiled ? "yes" : "no",
      descentText(entry),
      entry.manifest === undefined ? "(broken)" : (entry.manifest.note ?? ""),
    ]),
  );
}

/** `current`, `parent`, `parent 2` for the parent of the parent …; a dash for what `CURRENT` does not descend from. */
export function descentText({ generation }: Pick<SnapshotEntry, "generation">): string {
  if (generation === undefined) return "-";
  if (generation === 0) return "current";
  return generation === 1 ? "parent" : `parent ${generation}`;
}

/** One snapshot for programs. */
export function entryReport(entry: SnapshotEntry): Readonly<Record<string, unknown>> {
  const { id, manifest, fault, rows, bytes, generation, isCompiled } = entry;
  return {
    id,
    created_at: manifest === undefined ? null : instantText(manifest.createdAt),
    note: manifest?.note ?? null,
    parent: manifest?.parent ?? null,
    rows: rows ?? null,
    bytes: bytes ?? null,
    generation: generation ?? null,
    is_current: generation === 0,
    is_compiled: isCompiled,
    fault: fault ?? null,
  };
}
