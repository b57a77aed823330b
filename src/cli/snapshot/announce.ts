import type { Command } from "commander";
import { instantText } from "../../domain/instant.ts";
import { announceSnapshot } from "../../publish/announce-snapshot.ts";
import { wholeNumber } from "../argument.ts";
import { type Report, reported } from "../report.ts";
import { addDirectoryCommand, changedDirectory, type DirectoryOptions } from "./snapshot-command.ts";

interface AnnounceOptions extends DirectoryOptions {
  readonly above?: number;
}

const description =
  "Announce the current snapshot, where it is not announced yet, or with a higher sequence number than a number.";

/** Adds `announce`: writes the announcement that other machines follow. */
export function addAnnounceCommand(program: Command): void {
  const sequence = wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER - 1 });
  addDirectoryCommand(program, "announce", description, ["", "--above 120"])
    .option("--above <n>", "after a restored backup: a sequence number that followers may have seen", sequence)
    .action(reported(announce));
}

async function announce({ above, ...options }: AnnounceOptions): Promise<Report> {
  const announcement = await announceSnapshot({ ...changedDirectory(options), above });
  const { sequence, snapshot, announcedAt, signature } = announcement;
  const isSigned = signature !== null;
  return {
    json: { sequence, snapshot, announced_at: instantText(announcedAt), is_signed: isSigned },
    lines: [`announcement ${sequence}: ${snapshot}, ${isSigned ? "signed" : "without a signature"}`],
  };
}
