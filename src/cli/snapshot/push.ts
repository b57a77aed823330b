import type { Command } from "commander";
import type { Instant } from "../../domain/instant.ts";
import { remoteFolder } from "../../transfer/origin.ts";
import { pushSnapshot } from "../../transfer/push-snapshot.ts";
import { bucketTarget, folderTarget, type PushTarget } from "../../transfer/push-target.ts";
import { readS3Access } from "../../transfer/s3-access.ts";
import { wholeNumber } from "../argument.ts";
import { WrongUseError } from "../command.ts";
import { type Report, reported } from "../report.ts";
import { bytesText } from "./list.ts";
import { addDirectoryCommand, type DirectoryOptions } from "./snapshot-command.ts";

interface PushOptions extends DirectoryOptions {
  readonly keep?: number;
}

/** Adds `push TARGET`: copies what is announced to where other machines fetch it. */
export function addPushCommand(program: Command): void {
  addDirectoryCommand(program, "push", "Copy the announced snapshot to a folder or bucket, the announcement last.", [
    "/srv/prices",
    "s3://prices/kenya --keep 5",
  ])
    .argument("<target>", "a folder, or s3://bucket/prefix (S3_ENDPOINT, AWS_REGION, AWS_ACCESS_KEY_ID, …)")
    .option(
      "--keep <n>",
      "remove older snapshots there, an hour after they were replaced",
      wholeNumber({ min: 1, max: 1_000_000 }),
    )
    .action(reported(push));
}

async function push(address: string, { dataDir, keep, onBytes, seconds }: PushOptions): Promise<Report> {
  const target = targetAt(address);
  const pushed = await pushSnapshot({ dataDirectory: dataDir, target, now: Date.now() as Instant, keep, onBytes });
  const { outcome, snapshot, sequence, written, bytes, removed } = pushed;
  return {
    json: { outcome, snapshot, sequence, target: address, written, bytes, removed, seconds: seconds() },
    lines: [
      outcome === "already-there"
        ? `${address} announces ${snapshot} already, nothing sent`
        : `pushed ${snapshot} to ${address} in ${seconds()} s: ${written} objects, ${bytesText(bytes)}`,
      ...removed.map((id) => `removed ${id} there`),
    ],
  };
}

/** @throws {WrongUseError} for an address that is neither a folder nor a bucket with credentials. */
function targetAt(address: string): PushTarget {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(address)) return folderTarget(address);
  const folder = remoteFolder(address, readS3Access(process.env));
  if (folder?.bucket !== undefined) return bucketTarget(folder, folder.bucket, address);
  throw new WrongUseError(
    `the target is ${JSON.stringify(address)}, expected a folder, or s3://bucket/prefix with AWS_ACCESS_KEY_ID and ` +
      "AWS_SECRET_ACCESS_KEY",
  );
}
