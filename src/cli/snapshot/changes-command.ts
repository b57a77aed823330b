import type { Command } from "commander";
import { writeWholeFile } from "../../engine/files/write-whole-file.ts";
import { counted } from "../../engine/model/counted.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { compressed } from "../../publishing/publish/changes-file.ts";
import { joinChanges, joinedText } from "../../publishing/publish/join-changes.ts";
import type { Report } from "../render-report-lines.ts";
import { addDirectoryCommand, type DirectoryOptions, onDirectory, snapshotIdArgument } from "./snapshot-command.ts";

const description =
  "List the prices that publications have added, replaced, withdrawn or dropped between two snapshots.";

interface ChangesOptions extends DirectoryOptions {
  readonly out?: string;
}

/** Adds `changes A B`: the prices that have changed from one snapshot to another that descends from it. */
export function addCommands(program: Command): void {
  const ids = "20261120T083000Z-1f2e3d4c5b6a 20261129T014906Z-d29501def8a2";
  addDirectoryCommand(program, "changes", description, [ids, `${ids} --out changes.csv`])
    .argument("<before>", "id of a snapshot", snapshotIdArgument)
    .argument("<after>", "id of a snapshot that descends from it", snapshotIdArgument)
    .option("--out <file>", "file to make: CSV, compressed where its name ends in .gz")
    .action(onDirectory(changes));
}

async function changes(before: SnapshotId, after: SnapshotId, { dataDir, out }: ChangesOptions): Promise<Report> {
  const joined = await joinChanges(dataDir, before, after);
  const { counts, publications } = joined;
  if (out !== undefined) {
    await writeWholeFile(out, out.endsWith(".gz") ? compressed(joinedText(joined)) : joinedText(joined));
  }
  const { added, corrected: replaced, withdrawn, gone } = counts;
  const what = `${counted(added, "price")} added, ${replaced} replaced, ${withdrawn} withdrawn, ${gone} gone`;
  return {
    json: { before, after, publications, added, replaced, withdrawn, gone, out: out ?? null },
    lines: [
      `${before} → ${after}, ${counted(publications.length, "publication")}: ${what}`,
      out === undefined ? "--out FILE lists them" : `wrote ${out}`,
    ],
  };
}
