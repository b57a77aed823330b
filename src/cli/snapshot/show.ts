import type { Command } from "commander";
import type { Manifest, ManifestFile } from "../../dataset/manifest.ts";
import type { SnapshotId } from "../../dataset/snapshot-layout.ts";
import { instantText } from "../../domain/instant.ts";
import { visibleText } from "../../domain/visible-text.ts";
import { listSnapshots, type SnapshotEntry } from "../../publish/list-snapshots.ts";
import { countRejectedRows } from "../../publish/rejected-rows.ts";
import { examplesText, RefusedError } from "../command.ts";
import { printReport } from "../output.ts";
import { textTable } from "../text-table.ts";
import { rowsText, writeJson } from "./candidate-report.ts";
import { bytesText } from "./figure-text.ts";
import { entryReport, placeText } from "./list.ts";
import { type DirectoryOptions, dataDirectoryOption, jsonOption, snapshotIdArgument } from "./snapshot-options.ts";

/** Adds `show ID`: what a snapshot is and which files it consists of. */
export function addShowCommand(program: Command): void {
  program
    .command("show")
    .description("Show what a snapshot is and which files it consists of.")
    .argument("<id>", "the snapshot's id, as list shows it", snapshotIdArgument)
    .addOption(dataDirectoryOption())
    .addOption(jsonOption())
    .addHelpText("after", examplesText(["npm run snapshot -- show 20261121T231320Z-087a84d1bad5"]))
    .action(show);
}

async function show(id: SnapshotId, { dataDir, json }: DirectoryOptions): Promise<void> {
  const { snapshots } = await listSnapshots(dataDir);
  const entry = snapshots.find((one) => one.id === id);
  if (entry?.manifest === undefined) {
    const message = entry?.fault ?? `${dataDir}: no snapshot ${id} there`;
    if (json) writeJson({ ok: false, message });
    throw new RefusedError(message);
  }
  const { manifest } = entry;
  const rejected = await countRejectedRows(dataDir, id);
  if (json) {
    const { timeZone: time_zone, attribution, files } = manifest;
    writeJson({ ok: true, ...entryReport(entry), time_zone, attribution, rejected_rows: rejected, files });
    return;
  }
  printReport(`${shownText(entry, manifest, rejected)}\n`);
}

function shownText(entry: SnapshotEntry, manifest: Manifest, rejected: number): string {
  const facts: readonly (readonly [string, string])[] = [
    ["id", `${manifest.id} (${placeText(entry) === "-" ? "not current, nor a parent of it" : placeText(entry)})`],
    ["created", instantText(manifest.createdAt)],
    ["parent", manifest.parent ?? "none"],
    ["note", manifest.note ?? "none"],
    ["time zone", manifest.timeZone],
    ["attribution", manifest.attribution.join("; ") || "none"],
    ["records", entry.rows === undefined ? "-" : rowsText(entry.rows)],
    ["rejected", rejected === 0 ? "no rows" : `${rejected} rows, in rejected.ndjson`],
    ["compiled", entry.isCompiled ? "yes" : "no"],
  ];
  const files = textTable(["FILE", "ROWS", "BYTES", "SEQUENCE", "REPLACES", "SHA-256"], manifest.files.map(fileCells));
  return `${facts.map(([name, value]) => `${`${name}:`.padEnd(13)}${visibleText(value)}`).join("\n")}\n\n${files}`;
}

function fileCells({ name, rows, bytes, sequence, replaces, sha256 }: ManifestFile): string[] {
  return [
    name,
    String(rows),
    bytesText(bytes),
    sequence === 0 ? "-" : String(sequence),
    sequence === 0 ? "-" : String(replaces),
    sha256,
  ];
}
