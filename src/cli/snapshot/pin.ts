import type { Command } from "commander";
import type { SnapshotId } from "../../dataset/snapshot-layout.ts";
import { pinSnapshot, unpinSnapshot } from "../../publish/pin-snapshot.ts";
import { readFollowedOrigin } from "../../transfer/followed-origin.ts";
import { openOrigin, remoteFolder } from "../../transfer/origin.ts";
import { readS3Access } from "../../transfer/s3-access.ts";
import { type Report, reported } from "../report.ts";
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
    .action(reported(pin));
}

/** Adds `unpin`: lets services follow what is published again. */
export function addUnpinCommand(program: Command): void {
  addDirectoryCommand(program, "unpin", "Let services serve what is published or announced again.", [""]).action(
    reported(unpin),
  );
}

async function pin(id: SnapshotId, { reason, ...options }: PinOptions): Promise<Report> {
  const address = await readFollowedOrigin(options.dataDir);
  const folder = address === undefined ? undefined : remoteFolder(address, readS3Access(process.env));
  const origin = address === undefined || folder === undefined ? undefined : openOrigin(address, folder);
  const asked = { ...changedDirectory(options), id, reason, origin, publicKey: publicKeyOfOrigin() };
  const { isFetched, logFault } = await pinSnapshot(asked);
  return {
    problems: writingWarnings(undefined, logFault),
    json: { id, reason: reason ?? null, fetched: isFetched },
    lines: [`pinned to ${id}${isFetched ? ", which was fetched" : ""}; unpin lets go of it`],
  };
}

async function unpin(options: DirectoryOptions): Promise<Report> {
  const { removed, logFault } = await unpinSnapshot(changedDirectory(options));
  return {
    problems: writingWarnings(undefined, logFault),
    json: { removed: removed?.id ?? null },
    lines: [removed === undefined ? "there is no pin, nothing changed" : `no longer pinned to ${removed.id}`],
  };
}
