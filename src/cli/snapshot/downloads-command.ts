import type { Command } from "commander";
import { commandLine } from "../../contract/command-line.ts";
import { faultText } from "../../engine/files/with-file.ts";
import { readCurrent } from "../../engine/snapshots/current-snapshot.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { type DownloadsReport, makeDownloads } from "../../publishing/publish/make-downloads.ts";
import { refuseRootInForeignDirectory } from "../../publishing/publish/publish-lock.ts";
import { bytesText } from "../bytes-text.ts";
import { printProblem, printReport } from "../output.ts";
import { withProgress } from "../progress.ts";
import type { Report } from "../render-report-lines.ts";
import { addDirectoryCommand, type DirectoryOptions, onDirectory, snapshotIdArgument } from "./snapshot-command.ts";

const description = "Make the files that hold the whole of a snapshot, as publish and append do when they are done.";

/** Adds `downloads [ID]`: makes the downloads of a snapshot. */
export function addCommands(program: Command): void {
  addDirectoryCommand(program, "downloads", description, ["", "20261129T014906Z-d29501def8a2"])
    .argument("[id]", "id of a snapshot; the current one when absent", snapshotIdArgument)
    .action(onDirectory(downloads));
}

async function downloads(wanted: SnapshotId | undefined, options: DirectoryOptions): Promise<Report> {
  const { dataDir, onBytes, seconds } = options;
  await refuseRootInForeignDirectory(dataDir);
  const id = wanted ?? (await readCurrent(dataDir));
  const made = await makeShown(dataDir, id, onBytes !== undefined);
  const { outcome, path, bytes } = made;
  const isMade = outcome === "made";
  return {
    json: { id, outcome, path, bytes, seconds: seconds() },
    lines: [isMade ? `made ${path} in ${seconds()} s: ${bytesText(bytes)}` : `${path} is there already`],
  };
}

/**
 * Makes the downloads of a snapshot that was just published. That they cannot be made is a warning: it is published.
 *
 * @param options Those of the command; with JSON nothing is said but a warning.
 */
export async function makePublishedDownloads(
  { dataDir, json, seconds }: DirectoryOptions,
  id: SnapshotId,
): Promise<void> {
  const say = (line: string): void => (json ? undefined : printReport(`${line}\n`));
  try {
    say(`published ${id} in ${seconds()} s, served now; making downloads`);
    const { outcome, bytes } = await makeShown(dataDir, id, !json);
    const done = outcome === "made" ? `made downloads, ${bytesText(bytes)}` : "the downloads are there";
    say(`${done}, in ${seconds()} s in all`);
  } catch (error) {
    const remedy = `${commandLine("snapshot")} downloads ${id} makes them`;
    printProblem(`warning: the downloads could not be made (${faultText(error)}); ${remedy}\n`);
  }
}

/** Makes downloads. @param isShown Whether a bar on stderr shows how far they are. */
async function makeShown(dataDirectory: string, id: SnapshotId, isShown: boolean): Promise<DownloadsReport> {
  return await withProgress("making downloads", isShown, (onPrices) =>
    makeDownloads(dataDirectory, id, { onWaiting, ...(onPrices && { onPrices }) }),
  );
}

function onWaiting(): void {
  printProblem("another process makes downloads in this dataset directory; waiting for its end\n");
}
