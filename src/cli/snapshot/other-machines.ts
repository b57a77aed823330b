/**
 * The commands for other machines and what they serve: `announce`, `forget-sequence`, `push`, `pin`, `unpin` and
 * `publisher-key`.
 */
import type { Command } from "commander";
import { systemErrorCode } from "../../engine/files/read-regular-file.ts";
import { instantText } from "../../engine/model/calendar.ts";
import type { SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { announceSnapshot, forgetSequence } from "../../publishing/publish/announce-snapshot.ts";
import { pinSnapshot, unpinSnapshot } from "../../publishing/publish/pin-snapshot.ts";
import { sequenceChosenMax } from "../../publishing/transfer/announcement.ts";
import { readFollowedOrigin } from "../../publishing/transfer/followed-origin.ts";
import { openOrigin, readS3Access, remoteFolder } from "../../publishing/transfer/origin.ts";
import { createPublisherKey } from "../../publishing/transfer/publisher-key.ts";
import { wholeNumber } from "../argument.ts";
import { RefusedError, WrongUseError } from "../command.ts";
import { type Report, reported } from "../render-report-lines.ts";
import { onAnnouncedDirectory, push, pushJson, pushLine, pushTargetOf } from "./push-after.ts";
import {
  addCommand,
  addDirectoryCommand,
  changedDirectory,
  checkedText,
  type DirectoryOptions,
  onDirectory,
  publicKeyOfOrigin,
  snapshotIdArgument,
} from "./snapshot-command.ts";

interface AnnounceOptions extends DirectoryOptions {
  readonly above?: number;
}

interface PushOptions extends DirectoryOptions {
  readonly keep?: number;
}

interface PinOptions extends DirectoryOptions {
  readonly reason?: string;
}

const announceDescription =
  "Announce the current snapshot, where it is not announced yet, or with a higher sequence number than a number.";
const targetForm = "a folder, or s3://bucket/prefix (S3_ENDPOINT, AWS_REGION, AWS_ACCESS_KEY_ID, …)";
const keyDescription = "Make the key that signs announcements (SNAPSHOT_KEY_FILE), and show its public half.";

/** Adds `announce`, `forget-sequence`, `push [TARGET]`, `pin ID`, `unpin` and `publisher-key`. */
export function addCommands(program: Command): void {
  const sequence = wholeNumber({ min: 0, max: sequenceChosenMax });
  addDirectoryCommand(program, "announce", announceDescription, ["", "--above 120"])
    .option("--above <n>", "after a restored backup: a sequence number that followers may have seen", sequence)
    .action(onAnnouncedDirectory(announce));
  const forgetting =
    "Where an origin is followed: take over its next announcement, also under a lower sequence number.";
  addDirectoryCommand(program, "forget-sequence", forgetting, [""]).action(onDirectory(forget));
  addDirectoryCommand(program, "push", "Copy the announced snapshot to a folder or bucket, the announcement last.", [
    "/srv/prices",
    "s3://prices/kenya --keep 5",
    "--keep 5",
  ])
    .argument("[target]", `${targetForm}; PUSH_TO when absent`)
    .option(
      "--keep <n>",
      "remove older snapshots there, an hour after they were replaced",
      wholeNumber({ min: 1, max: 1_000_000 }),
    )
    .action(onDirectory(pushTo));
  addDirectoryCommand(program, "pin", "Hold what services serve at a snapshot, whatever is published or announced.", [
    '20261120T083000Z-1f2e3d4c5b6a --reason "prices of Kisumu are being checked"',
  ])
    .argument("<id>", "id of a snapshot; fetched where the directory follows an origin that has it", snapshotIdArgument)
    .option("--reason <text>", "why, in a line", checkedText("--reason"))
    .action(onDirectory(pin));
  addDirectoryCommand(program, "unpin", "Let services serve what is published or announced again.", [""]).action(
    onDirectory(unpin),
  );
  addCommand(program, "publisher-key", keyDescription, ["--out /etc/farm-prices/publisher.pem"])
    .option("--out <file>", "file to make; SNAPSHOT_KEY_FILE when absent")
    .action(reported(makeKey));
}

async function announce({ above, ...options }: AnnounceOptions): Promise<Report> {
  const announcement = await announceSnapshot({ ...changedDirectory(options), above });
  const { sequence, snapshot, announcedAt, signature } = announcement;
  const isSigned = signature !== null;
  return {
    json: { sequence, snapshot, announced_at: instantText(announcedAt), is_signed: isSigned },
    lines: [`announcement ${sequence}: ${snapshot}, ${isSigned ? "signed" : "without a signature"}`],
    end: { done: `announced ${snapshot}`, isPublished: false, left: announcement.unfinished },
  };
}

async function forget(options: DirectoryOptions): Promise<Report> {
  const { forgotten: sequence, unfinished: left } = await forgetSequence(changedDirectory(options));
  const next = "the next announcement of the origin is taken over, whatever its number";
  return {
    json: { forgotten: sequence ?? null },
    lines: [
      `${sequence === undefined ? "there is no number to forget" : `announcement ${sequence} is forgotten`}; ${next}`,
    ],
    end: { done: "forgotten", isPublished: false, left },
  };
}

async function pushTo(argument: string | undefined, { keep, ...options }: PushOptions): Promise<Report> {
  const address = argument ?? process.env["PUSH_TO"];
  if (!address) throw new WrongUseError("no target is given, expected one, or PUSH_TO");
  const target = await pushTargetOf(address, argument === undefined ? "PUSH_TO" : "the target", options.dataDir);
  const pushed = await push(target, options, keep);
  const seconds = options.seconds();
  return {
    json: { ...pushJson(pushed, address), seconds },
    lines: [`${pushLine(pushed, address)} in ${seconds} s`, ...pushed.removed.map((id) => `removed ${id} there`)],
    end: { done: `pushed ${pushed.snapshot}`, isPublished: false, left: pushed.unfinished },
  };
}

async function pin(id: SnapshotId, { reason, ...options }: PinOptions): Promise<Report> {
  const address = await readFollowedOrigin(options.dataDir);
  const folder = address === undefined ? undefined : remoteFolder(address, readS3Access(process.env));
  const origin = address === undefined || folder === undefined ? undefined : openOrigin(address, folder);
  const pinRequest = { ...changedDirectory(options), id, reason, origin, publicKey: publicKeyOfOrigin() };
  const { isFetched, unfinished: left } = await pinSnapshot(pinRequest);
  return {
    end: { done: `pinned to ${id}`, isPublished: false, left },
    json: { id, reason: reason ?? null, fetched: isFetched },
    lines: [`pinned to ${id}${isFetched ? ", which was fetched" : ""}; unpin lets go of it`],
  };
}

async function unpin(options: DirectoryOptions): Promise<Report> {
  const { pin: removed, unfinished: left } = await unpinSnapshot(changedDirectory(options));
  let line = "there is no pin, nothing changed";
  if (removed === null) line = "removed a pin that could not be read";
  else if (removed !== undefined) line = `no longer pinned to ${removed.id}`;
  return {
    end: { done: "unpinned", isPublished: false, left },
    json: { removed: removed?.id ?? null },
    lines: [line],
  };
}

async function makeKey({ out }: { readonly out?: string }): Promise<Report> {
  const path = out ?? process.env["SNAPSHOT_KEY_FILE"];
  if (!path) throw new WrongUseError("no file is named, expected --out or SNAPSHOT_KEY_FILE");
  const publicKey = await createPublisherKey(path).catch((error: unknown) => {
    const code = systemErrorCode(error);
    if (!/^E[A-Z0-9]+$/.test(code)) throw error;
    const found = code === "EEXIST" ? "a file already" : code;
    throw new RefusedError(`${path}: found ${found}, expected a new file that can be written`, { cause: error });
  });
  return {
    json: { path, public_key: publicKey },
    lines: [`made ${path}; services that follow this publisher need`, `ORIGIN_PUBLIC_KEY=${publicKey}`],
  };
}
