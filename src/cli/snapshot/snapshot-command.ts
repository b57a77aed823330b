/** The snapshot commands share these: options, arguments, and lines of their reports. */

import { createPublicKey, type KeyObject } from "node:crypto";
import type { Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import { commandLine } from "../../contract/command-line.ts";
import { maskKeys } from "../../contract/credentials.ts";
import { suspectKinds, type WarningKind } from "../../contract/publication-report.ts";
import type { Compilation } from "../../engine/compiled/compiled-folder.ts";
import { systemErrorCode } from "../../engine/files/read-regular-file.ts";
import type { Instant } from "../../engine/model/calendar.ts";
import { toUuid, type Uuid } from "../../engine/model/ids.ts";
import { isLonger, lengthsMax } from "../../engine/model/text-lengths.ts";
import { requireDataDirectory } from "../../engine/snapshots/data-directory.ts";
import { hasHiddenCharacter } from "../../engine/snapshots/input-values.ts";
import {
  pricesDirectoryName,
  recordKindOf,
  tableFileNames,
  toSnapshotId,
} from "../../engine/snapshots/snapshot-layout.ts";
import type { Invocation } from "../../publishing/publish/publication-log.ts";
import type { ChangeRequest } from "../../publishing/publish/publish-lock.ts";
import { parsePublicKey, readPublisherKey } from "../../publishing/transfer/publisher-key.ts";
import { destinationOf } from "../../publishing/transfer/push-destination.ts";
import { checkedArgument } from "../argument.ts";
import { examplesText, RefusedError, WrongUseError } from "../command.ts";
import { type Report, type ReportOptions, reported } from "../render-report-lines.ts";

/** Options of every command on a dataset directory. */
export interface DirectoryOptions extends ReportOptions {
  readonly dataDir: string;
}

/** Further options of the commands that publish. */
export interface PublicationOptions extends DirectoryOptions {
  readonly note?: string;
  readonly by?: string;
  readonly dryRun?: boolean;
  readonly draft?: boolean;
  readonly strict?: ReadonlySet<WarningKind>;
  readonly allowClock?: boolean;
  /** True if the downloads are made as well; true when absent. */
  readonly downloads?: boolean;
}

const dataDirectoryDefault = "data";

/**
 * Adds a command with `--json`.
 *
 * @param examples Arguments and options, which `--help` shows in whole command lines.
 */
export function addCommand(program: Command, name: string, description: string, examples: readonly string[]): Command {
  const lines = examples.map((example) => {
    const isPiped = example.includes("--json");
    return `${commandLine("snapshot", { isPiped })} ${name} ${example}`.trimEnd();
  });
  return program
    .command(name)
    .description(description)
    .option("--json", "print the report as one JSON object")
    .addHelpText("after", examplesText(lines));
}

/** Adds a command with `--data-dir` and `--json`. */
export function addDirectoryCommand(...parameters: Parameters<typeof addCommand>): Command {
  return addCommand(...parameters).addOption(dataDirectoryOption("dataset directory"));
}

/** Returns the option `--data-dir`. An empty DATA_DIR counts as absent, as for the service. */
export function dataDirectoryOption(description: string): Option {
  const directory = process.env["DATA_DIR"] || dataDirectoryDefault;
  return new Option("--data-dir <dir>", description).default(directory, `DATA_DIR, or else ${dataDirectoryDefault}`);
}

/**
 * The action of a command on a dataset directory: as `reported`, once that can be read.
 *
 * @param mayBeMissing True if the command makes the dataset directory where there is none.
 */
export function onDirectory(
  work: (...args: never[]) => Promise<Report>,
  mayBeMissing = false,
): ReturnType<typeof reported> {
  return reported(async (...args: never[]) => {
    const { dataDir } = args.at(-1) as unknown as DirectoryOptions;
    await requireDataDirectory(dataDir, mayBeMissing);
    return await work(...args);
  });
}

/**
 * Options of a command that changes a dataset directory: with its line for the log, and the key that signs
 * announcements.
 *
 * @param by The name of who answers for the change.
 */
export function changedDirectory(
  { dataDir }: DirectoryOptions,
  by?: string,
): ChangeRequest & { readonly now: Instant } {
  return {
    dataDirectory: dataDir,
    now: Date.now() as Instant,
    invocation: currentInvocation(by),
    signingKeyFile: process.env["SNAPSHOT_KEY_FILE"] || undefined,
    pushTo: pushToOf(process.env),
  };
}

/** The place that PUSH_TO names, as it is recorded; undefined where it names none. An empty one counts as absent. */
export function pushToOf({ PUSH_TO: address }: Readonly<Record<string, string | undefined>>): string | undefined {
  return address ? destinationOf(address) : undefined;
}

/** The public key that snapshots of an origin must be signed for; null where none is named. @throws {WrongUseError} */
export function publicKeyOfOrigin(): KeyObject | null {
  const text = process.env["ORIGIN_PUBLIC_KEY"];
  const key = text ? parsePublicKey(text) : null;
  if (key !== undefined) return key;
  throw new WrongUseError(`ORIGIN_PUBLIC_KEY is ${JSON.stringify(text)}, expected the text that publisher-key shows`);
}

/** The public key of this publisher or of the origin that is followed; null where none is named. */
export async function knownPublicKey(dataDirectory: string): Promise<KeyObject | null> {
  const path = process.env["SNAPSHOT_KEY_FILE"];
  return path ? createPublicKey(await readPublisherKey(path, dataDirectory)) : publicKeyOfOrigin();
}

/** Adds a command that publishes record files, with `--note`, `--strict` and `--dry-run` as well. */
export function addPublicationCommand(...parameters: Parameters<typeof addCommand>): Command {
  return addStrictOption(addWritingCommand(...parameters));
}

/** Adds a command that makes a snapshot, with `--note` and `--dry-run` as well. */
export function addWritingCommand(...parameters: Parameters<typeof addCommand>): Command {
  return addClockOption(addDirectoryCommand(...parameters))
    .option("--note <text>", "what this snapshot is, in a line", checkedText("--note"))
    .option(
      "--by <name>",
      "who decides: logged, and published with a withdrawal or acceptance",
      checkedText("--by", lengthsMax.name),
    )
    .option("--draft", "keep it as a draft, which nothing serves until it is approved: preview, approve, reject")
    .option("--no-downloads", "do not make the files for download, see downloads")
    .option("--dry-run", "check, show what changes for readers, write nothing");
}

/** Adds `--allow-clock`, for a command that may make a snapshot current under a new id. */
export function addClockOption(command: Command): Command {
  return command.option("--allow-clock", "publish although the clock does not fit the ids and prices that there are");
}

/** Adds `--strict`, which refuses some kinds of warnings. @param kinds Those of publications when absent. */
export function addStrictOption(command: Command, kinds: readonly string[] = suspectKinds): Command {
  return command.option("--strict <kinds>", "refuse these kinds of warnings, separated by commas, or all", (text) =>
    strictArgument(text, kinds),
  );
}

/** Names that `suspicious` had when several rules judged prices. */
const formerNames: readonly string[] = ["decimal-slip", "unit-slip", "outlier"];

/** Reads kinds of warnings. @throws {InvalidArgumentError} which exits as wrong use and names the kinds there are. */
function strictArgument(text: string, kinds: readonly string[]): ReadonlySet<string> {
  if (text === "all") return new Set(kinds);
  const names = text.split(",").map((name) => name.trim());
  const isFormer = (name: string): boolean => formerNames.includes(name) && kinds.includes("suspicious");
  const named = names.map((name) => (isFormer(name) ? "suspicious" : name));
  const unknown = named.find((name) => !kinds.includes(name));
  if (unknown === undefined) return new Set(named);
  throw new InvalidArgumentError(`Found ${JSON.stringify(unknown)}, expected all or some of ${kinds.join(",")}.`);
}

/** Reads the id of a snapshot. */
export const snapshotIdArgument = checkedArgument(toSnapshotId, "the id of a snapshot, as list shows it");

/** Reads the uuid of `--price`. @throws {WrongUseError} */
export function priceOption(text: string): Uuid {
  const uuid = toUuid(text);
  if (uuid === undefined) throw new WrongUseError("--price is no uuid, expected that of a price");
  return uuid;
}

/** Reads the text of an option, which goes into a snapshot. @param max Its greatest length in code points. */
export function checkedText(option: string, max: number = lengthsMax.text): (text: string) => string {
  return (input) => {
    const text = input.trim();
    if (text === "" || !text.isWellFormed()) throw new WrongUseError(`${option} is empty, expected a text`);
    if (hasHiddenCharacter(text)) throw new WrongUseError(`${option} has a control or bidirectional character`);
    if (isLonger(text, max)) throw new WrongUseError(`${option} is too long, expected at most ${max} characters`);
    return text;
  };
}

/** @throws {WrongUseError} when the argument is not a directory. */
export async function requireDirectory(path: string): Promise<void> {
  const stats = await lookUpPath(path);
  if (stats?.isDirectory() !== true) throw new WrongUseError(`${path}: no such directory`);
}

/** Tables that every whole folder has, and no folder of an import of a spreadsheet. */
const wholeFolderTables: readonly string[] = (["counties", "crops", "market-types"] as const).map(
  (kind) => tableFileNames[kind],
);

/**
 * Requires a directory that may be published whole; what is wrong inside is found by reading it.
 *
 * @throws {WrongUseError} when the argument is not a directory.
 * @throws {RefusedError} when it has prices and none of `wholeFolderTables`.
 */
export async function requireWholeFolder(path: string): Promise<void> {
  await requireDirectory(path);
  // The reader says why a directory cannot be listed.
  const names = await readdir(path).catch((): string[] => []);
  const hasPrices = names.some((name) => name === pricesDirectoryName || recordKindOf(name) === "prices");
  if (!hasPrices || wholeFolderTables.some((table) => names.includes(table))) return;
  const others = "append takes a folder of prices, publish --replace-source those of a feed";
  throw new RefusedError(`${path}: has prices and no ${wholeFolderTables.join(", ")}, expected all tables; ${others}`);
}

/** @throws {WrongUseError} when the argument is neither a file nor a directory. */
export async function requireFileOrDirectory(path: string): Promise<void> {
  const stats = await lookUpPath(path);
  if (stats?.isFile() !== true && stats?.isDirectory() !== true) throw new WrongUseError(`${path}: no such file`);
}

/**
 * Returns what an argument names; undefined where there is nothing.
 *
 * @throws {WrongUseError} when this user may not look: a path in the home of another user need not be missing.
 */
async function lookUpPath(path: string): Promise<Stats | undefined> {
  return await stat(path).catch((error: unknown) => {
    if (systemErrorCode(error) !== "EACCES") return undefined;
    throw new WrongUseError(`${path}: may not be read by this user`, { cause: error });
  });
}

/** The command of this process, for the log. Keys that were typed by mistake are masked. */
function currentInvocation(by: string | null = null): Invocation {
  const [command = "", ...args] = process.argv.slice(2).map(maskKeys);
  return { command, arguments: args, user: userName(), host: hostname() || null, by };
}

/** Null where the system has no name for the user. */
function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

/** Warns of a snapshot that was published without its compiled store. */
export function compilationWarnings(compilation: Compilation | undefined): string[] {
  if (compilation === undefined || compilation.written) return [];
  const consequence = "the snapshot is published, and services build its store from the records";
  return [`warning: the compiled store could not be written (${compilation.message}); ${consequence}`];
}
