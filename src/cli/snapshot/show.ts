import type { Command } from "commander";
import { type Manifest, optionalParts } from "../../dataset/manifest.ts";
import type { SnapshotId } from "../../dataset/snapshot-layout.ts";
import { instantText } from "../../domain/instant.ts";
import { visibleText } from "../../domain/visible-text.ts";
import { listSnapshots, type SnapshotEntry } from "../../publish/list-snapshots.ts";
import { countRejectedRows } from "../../publish/rejected-rows.ts";
import { RefusedError } from "../command.ts";
import { rowsText } from "../problem-report.ts";
import { runReported } from "../report.ts";
import { textTable } from "../text-table.ts";
import { bytesText, descentText, entryReport } from "./list.ts";
import { addDirectoryCommand, type DirectoryOptions, snapshotIdArgument } from "./snapshot-command.ts";

/** Adds `show ID`: what a snapshot is and which files it consists of. */
export function addShowCommand(program: Command): void {
  addDirectoryCommand(program, "show", "Show what a snapshot is and which files it consists of.", [
    "20261123T090254Z-d78e24ea1808",
  ])
    .argument("<id>", "the snapshot's id, as list shows it", snapshotIdArgument)
    .action(show);
}

async function show(id: SnapshotId, { dataDir, json }: DirectoryOptions): Promise<void> {
  await runReported(
    json,
    async () => {
      const entry = (await listSnapshots(dataDir)).snapshots.find((snapshot) => snapshot.id === id);
      if (entry?.manifest === undefined) throw new RefusedError(entry?.fault ?? `${dataDir}: no snapshot ${id} there`);
      return { entry, manifest: entry.manifest, rejected: await countRejectedRows(dataDir, id) };
    },
    ({ entry, manifest, rejected }) => {
      const { timeZone: time_zone, attribution, files } = manifest;
      return {
        json: {
          ...entryReport(entry),
          time_zone,
          attribution,
          ...optionalParts(manifest),
          rejected_rows: rejected,
          files,
        },
        lines: [...factLines(entry, manifest, rejected), "", filesTable(manifest)],
      };
    },
  );
}

function factLines(entry: SnapshotEntry, manifest: Manifest, rejected: number): string[] {
  const descent = entry.generation === undefined ? "not current, nor a parent of it" : descentText(entry);
  const periods = Object.entries(manifest.periods);
  const facts = {
    id: `${manifest.id} (${descent})`,
    created: instantText(manifest.createdAt),
    parent: manifest.parent ?? "none",
    note: manifest.note ?? "none",
    "time zone": manifest.timeZone,
    attribution: manifest.attribution.join("; ") || "none",
    periods: periods.map(([source, period]) => `${source} ${period}`).join("; ") || "none",
    records: entry.rows === undefined ? "-" : rowsText(entry.rows),
    rejected: rejected === 0 ? "no rows" : `${rejected} rows, in rejected.ndjson`,
    compiled: entry.isCompiled ? "yes" : "no",
  };
  return Object.entries(facts).map(([name, value]) => `${`${name}:`.padEnd(13)}${visibleText(value)}`);
}

function filesTable({ files }: Manifest): string {
  return textTable(
    ["FILE", "ROWS", "BYTES", "SEQUENCE", "REPLACES", "SHA-256"],
    files.map(({ name, rows, bytes, sequence, replaces, sha256 }) => {
      const appended = sequence === 0 ? ["-", "-"] : [String(sequence), String(replaces)];
      return [name, String(rows), bytesText(bytes), ...appended, sha256];
    }),
  );
}
