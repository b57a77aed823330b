import type { Command } from "commander";
import { instantText } from "../../domain/instant.ts";
import { listSnapshots, type SnapshotEntry, type SnapshotListing } from "../../publish/list-snapshots.ts";
import { examplesText, RefusedError } from "../command.ts";
import { printProblem, printReport } from "../output.ts";
import { textTable } from "../text-table.ts";
import { reportRefusal, writeJson } from "./candidate-report.ts";
import { bytesText } from "./figure-text.ts";
import { type DirectoryOptions, dataDirectoryOption, jsonOption } from "./snapshot-options.ts";

/** Adds `list`: the snapshots of the dataset directory. */
export function addListCommand(program: Command): void {
  program
    .command("list")
    .description("List the snapshots, newest first: which is current, which are its parents, which are compiled.")
    .addOption(dataDirectoryOption())
    .addOption(jsonOption())
    .addHelpText("after", examplesText(["npm run snapshot -- list", "npm run --silent snapshot -- list --json"]))
    .action(list);
}

async function list({ dataDir, json }: DirectoryOptions): Promise<void> {
  const listing = await reportRefusal(json ?? false, () => listSnapshots(dataDir));
  const isEmpty = listing.snapshots.length === 0;
  if (json) {
    const { current = null, currentFault = null } = listing;
    writeJson({ ok: !isEmpty, current, current_fault: currentFault, snapshots: listing.snapshots.map(entryReport) });
    if (isEmpty) throw new RefusedError(`${dataDir}: no snapshot there`);
    return;
  }
  if (listing.currentFault !== undefined) printProblem(`warning: ${listing.currentFault}\n`);
  for (const { fault } of listing.snapshots) if (fault !== undefined) printProblem(`warning: ${fault}\n`);
  if (isEmpty) throw new RefusedError(`${dataDir}: no snapshot there`);
  printReport(`${listingTable(listing)}\n`);
}

function listingTable({ snapshots }: SnapshotListing): string {
  return textTable(
    ["ID", "CREATED", "PRICES", "BYTES", "COMPILED", "PLACE", "NOTE"],
    snapshots.map((entry) => [
      entry.id,
      entry.manifest === undefined ? "-" : instantText(entry.manifest.createdAt).slice(0, "2026-11-20T08:30:00".length),
      String(entry.rows?.prices ?? "-"),
      entry.bytes === undefined ? "-" : bytesText(entry.bytes),
      entry.isCompiled ? "yes" : "no",
      placeText(entry),
      entry.manifest === undefined ? "(broken)" : (entry.manifest.note ?? ""),
    ]),
  );
}

/** `current`, `parent`, `parent 2` for the parent of the parent …; a dash for what `CURRENT` does not descend from. */
export function placeText({ generation }: Pick<SnapshotEntry, "generation">): string {
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
