import type { Command } from "commander";
import type { SnapshotId } from "../../dataset/snapshot-layout.ts";
import { pinSnapshot, unpinSnapshot } from "../../publish/pin-snapshot.ts";
import { readFollowedOrigin } from "../../transfer/followed-origin.ts";
import { openOrigin, remoteFolder } from "../../transfer/origin.ts";
import { readS3Access } from "../../transfer/s3-access.ts";
import { runReported } from "../report.ts";
import {
  addDirectoryCommand,
  changedDirectory,
  type DirectoryOptions,
  publicKeyOfOrigin,
  snapshotIdArgument,
  writingWarnings,
} from "./snapshot-command.ts";

interface PinOptions extends DirectoryOptions {
  readonly reason?: string;
}

/** Adds `pin ID`: holds services at a snapshot. */
export function addPinCommand(program: Command): void {
  addDirectoryCommand(program, "pin", "Hold what services serve at a snapshot, whatever is published or announced.", [
    '20261120T083000Z-1f2e3d4c5b6a --reason "prices of Kisumu are being checked"',
  ])
    .argument("<id>", "id of a snapshot; fetched where the directory follows an origin that has it", snapshotIdArgument)
    .option("--reason <text>", "why, in a line")
    .action(pin);
}

/** Adds `unpin`: lets services follow what is published again. */
export function addUnpinCommand(program: Command): void {
  addDirectoryCommand(program, "unpin", "Let services serve what is published or announced again.", [""]).action(unpin);
}

async function pin(id: SnapshotId, options: PinOptions): Promise<void> {
  const { dataDir, json, reason } = options;
  await runReported(
    json,
    async () => {
      const address = await readFollowedOrigin(dataDir);
      const folder = address === undefined ? undefined : remoteFolder(address, readS3Access(process.env));
      const origin = address === undefined || folder === undefined ? undefined : openOrigin(address, folder);
      return await pinSnapshot({ ...changedDirectory(options), id, reason, origin, publicKey: publicKeyOfOrigin() });
    },
    ({ isFetched, logFault }) => ({
      problems: writingWarnings(undefined, logFault),
      json: { id, reason: reason ?? null, fetched: isFetched },
      lines: [`pinned to ${id}${isFetched ? ", which was fetched" : ""}; unpin lets go of it`],
    }),
  );
}

async function unpin(options: DirectoryOptions): Promise<void> {
  await runReported(
    options.json,
    async () => await unpinSnapshot(changedDirectory(options)),
    ({ removed, logFault }) => ({
      problems: writingWarnings(undefined, logFault),
      json: { removed: removed?.id ?? null },
      lines: [removed === undefined ? "there is no pin, nothing changed" : `no longer pinned to ${removed.id}`],
    }),
  );
}
