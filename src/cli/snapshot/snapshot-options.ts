/** Options and arguments that several of the snapshot commands have. */
import { InvalidArgumentError, Option } from "commander";
import { type SnapshotId, toSnapshotId } from "../../dataset/snapshot-layout.ts";
import { WrongUseError } from "../command.ts";

/** What every command on a dataset directory is given. */
export interface DirectoryOptions {
  readonly dataDir: string;
  readonly json?: true;
}

const dataDirectoryDefault = "data";

/** `--data-dir`; an empty variable counts as absent, as for the service. */
export function dataDirectoryOption(): Option {
  return new Option("--data-dir <dir>", "dataset directory").default(
    process.env["DATA_DIR"] || dataDirectoryDefault,
    `DATA_DIR, or else ${dataDirectoryDefault}`,
  );
}

/** `--json` */
export function jsonOption(): Option {
  return new Option("--json", "print the report as one JSON object");
}

/** `--note` */
export function noteOption(): Option {
  return new Option("--note <text>", "what this snapshot is, in a line");
}

/** Reads the id of a snapshot. @throws {InvalidArgumentError} which exits as wrong use. */
export function snapshotIdArgument(text: string): SnapshotId {
  const id = toSnapshotId(text);
  if (id === undefined) throw new InvalidArgumentError("Expected the id of a snapshot, as list shows it.");
  return id;
}

/** The text of `--note`. @throws {WrongUseError} when there is nothing in it. */
export function checkedNote(text: string | undefined): string | undefined {
  const note = text?.trim();
  if (note === "" || note?.isWellFormed() === false) throw new WrongUseError("--note is empty, expected a text");
  return note;
}
