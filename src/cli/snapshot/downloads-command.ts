import type { Command } from "commander";
import { LockUnusableError } from "../../engine/files/exclusive-lock.ts";
import { isSystemError, systemErrorCode } from "../../engine/files/read-regular-file.ts";
import { readCurrent } from "../../engine/snapshots/current-snapshot.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { makeDownloads } from "../../publishing/publish/make-downloads.ts";
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
  const made = await makeDownloads(dataDir, wanted ?? (await readCurrent(dataDir)), { onWaiting });
  const { id, outcome, path, bytes } = made;
  const isMade = outcome === "made";
  return {
    json: { id, outcome, path, bytes, seconds: seconds() },
    lines: [isMade ? `made ${path} in ${seconds()} s: ${bytesText(bytes)}` : `${path} is there already`],
  };
}

/**
 * Makes the downloads of a snapshot that was just published. That they cannot be written is a warning: it is published.
 */
export async function makePublishedDownloads(dataDirectory: string, id: SnapshotId): Promise<void> {
  try {
    await makeDownloads(dataDirectory, id, { onWaiting });
  } catch (error) {
    const isUnwritable = error instanceof LockUnusableError || isSystemError(error);
    if (!isUnwritable) throw error;
    const cause = error instanceof LockUnusableError ? error.message : systemErrorCode(error);
    const remedy = `npm run snapshot -- downloads ${id} makes them`;
    printProblem(`warning: the downloads could not be written (${cause}); ${remedy}\n`);
  }
}

function onWaiting(): void {
  printProblem("another process makes downloads in this dataset directory; waiting for its end\n");
}
