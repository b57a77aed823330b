import type { Command } from "commander";
import { systemErrorCode } from "../../files/read-regular-file.ts";
import { createPublisherKey } from "../../transfer/publisher-key.ts";
import { RefusedError, WrongUseError } from "../command.ts";
import { type Report, reported } from "../report.ts";
import { addCommand } from "./snapshot-command.ts";

const description = "Make the key that signs announcements (SNAPSHOT_KEY_FILE), and show its public half.";

/** Adds `publisher-key`: makes the key of a publisher. */
export function addPublisherKeyCommand(program: Command): void {
  addCommand(program, "publisher-key", description, ["--out /etc/farm-prices/publisher.pem"])
    .option("--out <file>", "file to make; SNAPSHOT_KEY_FILE when absent")
    .action(reported(makeKey));
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
