/**
 * `log.ndjson` of a dataset directory: who changed it, when, and how. A line is appended after each change, before the
 * command ends. It is for people: nothing else depends on it, and a log that is missing, cut or cannot be written stops
 * no command.
 */
import { join } from "node:path";
import { appendLine } from "../../engine/files/append-line.ts";
import { openRegularFile, systemErrorCode } from "../../engine/files/read-regular-file.ts";
import { type Instant, instantText } from "../../engine/model/calendar.ts";
import type { Uuid } from "../../engine/model/ids.ts";
import { isObject, parseObject } from "../../engine/model/json-object.ts";
import { logFileName, type SnapshotId, toSnapshotId } from "../../engine/snapshots/snapshot-layout.ts";

/** A command as it was given, and by whom. */
export interface Invocation {
  readonly command: string;
  /** Arguments behind the command. */
  readonly arguments: readonly string[];
  /** Null where the system does not say. */
  readonly user: string | null;
  readonly host: string | null;
  /** The name that was stated, which a snapshot may publish. */
  readonly by: string | null;
}

/** The change that a command has made. */
export interface LoggedChange {
  readonly note: string | null;
  /** The current snapshot before and after; the same where that has not changed. */
  readonly from: SnapshotId | null;
  readonly to: SnapshotId | null;
  /** The snapshot that it was about, where that is not current then: a draft, or what is pinned. */
  readonly subject?: SnapshotId | undefined;
  readonly counts: Readonly<Record<string, number>>;
  /** Number of warnings of each kind that it was published in spite of. */
  readonly warnings?: Readonly<Record<string, number>> | undefined;
  /** The prices that were decided on. */
  readonly prices?: readonly Uuid[] | undefined;
  /** The snapshots that were removed. */
  readonly removed?: readonly SnapshotId[] | undefined;
}

/** A line of the log. */
export interface LogEntry extends Invocation, LoggedChange {
  /** RFC 3339. */
  readonly time: string;
}

/** Others of the team publish as well, and it names users and hosts. */
const logMode = 0o660;

/** A change to be logged. */
export type ChangeToLog = Pick<LoggedChange, "counts"> & Partial<Omit<LoggedChange, "from" | "to">>;

/** The line of a change that is done. */
export function logLine(
  invocation: Invocation,
  now: Instant,
  change: ChangeToLog & Pick<LoggedChange, "from" | "to">,
): string {
  return JSON.stringify({ time: instantText(now), ...invocation, note: null, ...change } satisfies LogEntry);
}

/** Adds a line to the log. The caller holds the lock of the dataset directory. */
export async function addToLog(dataDirectory: string, line: string): Promise<void> {
  await appendLine(join(dataDirectory, logFileName), line, logMode);
}

/** The readable part of a log. */
export interface PublicationLog {
  /** Oldest first. */
  readonly entries: readonly LogEntry[];
  /** Its faults, a line each; none where all is in order. */
  readonly faults: readonly string[];
}

/** Reads the log. Cost: all of it in memory. */
export async function readLog(dataDirectory: string): Promise<PublicationLog> {
  const entries: LogEntry[] = [];
  const faults: string[] = [];
  try {
    await using file = await openRegularFile(join(dataDirectory, logFileName));
    let number = 0;
    for await (const line of file.readLines()) {
      number++;
      const entry = parseEntry(line);
      if (entry === undefined) faults.push(`${logFileName}:${number}: no entry, or half of one`);
      else entries.push(entry);
    }
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "") throw error;
    const isMissing = code === "ENOENT";
    faults.push(
      `${logFileName}: ${isMissing ? "no such file; the next publication begins one" : `unreadable, ${code}`}`,
    );
  }
  return { entries, faults };
}

function parseEntry(line: string): LogEntry | undefined {
  const value = parseObject(line);
  const { time, command, arguments: args, from, to, counts } = value ?? {};
  const isId = (id: unknown): boolean => id === null || toSnapshotId(String(id)) !== undefined;
  const isCommand = typeof time === "string" && typeof command === "string" && Array.isArray(args);
  const isEntry = isCommand && isId(from) && isId(to) && isObject(counts);
  return isEntry ? (value as unknown as LogEntry) : undefined;
}
