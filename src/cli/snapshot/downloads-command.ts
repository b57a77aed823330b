import type { Command } from "commander";
import { isSystemError } from "../../engine/files/read-regular-file.ts";
import { ForeseenError } from "../../engine/model/foreseen-error.ts";
import { readCurrent } from "../../engine/snapshots/current-snapshot.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { makeDownloads } from "../../publishing/publish/make-downloads.ts";
import { refuseRootInForeignDirectory } from "../../publishing/publish/publish-lock.ts";
import { bytesText } from "../bytes-text.ts";
import { printProblem } from "../output.ts";
import type { Report } from "../render-report-lines.ts";
import { addDirectoryCommand, type DirectoryOptions, onDirectory, snapshotIdArgument } from "./snapshot-command.ts";

const description = "Make the files that hold the whole of a snapshot, as publish and append do when they are done.";

/** Adds `downloads [ID]`: makes the downloads of a snapshot. */
export function addCommands(program: Command): void {
  addDirectoryCommand(program, "downloads", description, ["", "20261126T222137Z-ecc93bf6ef50"])
    .argument("[id]", "id of a snapshot; the current one when absent", snapshotIdArgument)
    .action(onDirectory(downloads));
}

async function downloads(wanted: SnapshotId | undefined, { dataDir, seconds }: DirectoryOptions): Promise<Report> {
  await refuseRootInForeignDirectory(dataDir);
  const made = await makeDownloads(dataDir, wanted ?? (await readCurrent(dataDir)), { onWaiting });
  const { id, outcome, path, bytes } = made;
  const isMade = outcome === "made";
  return {
    json: { id, outcome, path, bytes, seconds: seconds() },
    lines: [isMade ? `made ${path} in ${seconds()} s: ${bytesText(bytes)}` : `${path} is there already`],
  };
}

/**
 * Makes the downloads of a snapshot that was just published. That they cannot be made is a warning: it is published.
 */
export async function makePublishedDownloads(dataDirectory: string, id: SnapshotId): Promise<void> {
  try {
    await makeDownloads(dataDirectory, id, { onWaiting });
  } catch (error) {
    // A path that is taken, a lock that cannot be used, or a snapshot that another command has removed meanwhile.
    if (!(error instanceof ForeseenError || isSystemError(error))) throw error;
    const cause = error instanceof ForeseenError ? error.message : error.code;
    const remedy = `npm run snapshot -- downloads ${id} makes them`;
    printProblem(`warning: the downloads could not be made (${cause}); ${remedy}\n`);
  }
}

function onWaiting(): void {
  printProblem("another process makes downloads in this dataset directory; waiting for its end\n");
}
