import { constants, fstatSync, openSync } from "node:fs";
import { type Logger, type LoggerOptions, pino } from "pino";
import { visibleLines, visibleText } from "../domain/visible-text.ts";

/** How the log is written; plain data, so that every thread of the process writes it alike. */
export interface LogForm {
  readonly level: string;
  /** Coloured text instead of JSON lines. */
  readonly isForPerson: boolean;
  /** The destination; a write to it does not wait for a reader. */
  readonly descriptor: number;
  /** One number, shared by all threads: lines that were dropped because the log was not read. */
  readonly droppedLines: BigUint64Array<SharedArrayBuffer>;
}

/** Most bytes of log that one thread keeps while its writes fail; lines beyond them are dropped and counted. */
export const waitingBytesMax = 1_048_576;

/**
 * Most bytes of one write, and of one line. Linux writes so much to a pipe (PIPE_BUF) or a socket whole or not at all, so
 * the lines of threads that write to one descriptor do not mix.
 */
const writeBytesMax = 4096;

/** How often lines that could not be written are tried again when no further line comes. */
const retryMilliseconds = 100;

const standardError = 2;

/**
 * The form of the log: text where a person's terminal is attached and NODE_ENV is not `production`. For the main thread,
 * once.
 */
export function logForm(level: string, isProduction: boolean): LogForm {
  // On a pipe or socket, this first use of `process.stderr` also sets O_NONBLOCK.
  const isTerminal = process.stderr.isTTY;
  const droppedLines = new BigUint64Array(new SharedArrayBuffer(BigUint64Array.BYTES_PER_ELEMENT));
  return { level, isForPerson: isTerminal && !isProduction, descriptor: openUnblocked(isTerminal), droppedLines };
}

/**
 * A descriptor for stderr whose writes fail with EAGAIN instead of waiting for a reader.
 *
 * A pipe or terminal is opened once more, because O_NONBLOCK belongs to what was opened, and other processes have the same:
 * Node sets the flags of its stderr back when it ends, and clears them for each child. A socket cannot be opened again; it
 * has O_NONBLOCK from `process.stderr`. A file never waits for a reader.
 */
function openUnblocked(isTerminal: boolean): number {
  if (!isTerminal && !fstatSync(standardError).isFIFO()) return standardError;
  try {
    return openSync(`/proc/self/fd/${standardError}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // No /proc, or stderr belongs to another user.
    return standardError;
  }
}

/**
 * A log on stderr, one line an event. stdout stays free for what a person or script waits for. A line is written at once,
 * because the last lines before the end of a process are those that matter most. What cannot be written waits, up to
 * `waitingBytesMax`, for the next line, the next try or the end of the thread; how many lines were dropped beyond that is
 * logged when writing succeeds again.
 *
 * @param fields Beside the process id in every line.
 */
export async function openLog(form: LogForm, fields: object = {}): Promise<Logger> {
  const stream = openStream(form.descriptor);
  // Loaded only for a terminal, because it would make every start slower.
  const format = form.isForPerson ? (await import("pino-pretty")).prettyFactory({ colorize: true }) : undefined;
  const options: LoggerOptions = {
    level: form.level,
    timestamp: pino.stdTimeFunctions.isoTime,
    base: { pid: process.pid, ...fields },
  };
  const log = pino(options, {
    write(line: string) {
      const fitting = fit(line);
      stream.write(format === undefined ? fitting : format(visibleLogLine(fitting)));
    },
  });
  let dropped = 0;
  stream.on("drop", () => {
    dropped++;
    Atomics.add(form.droppedLines, 0, 1n);
    if (dropped === 1) stream.once("drain", reportDropped);
  });
  return log;

  function reportDropped(): void {
    const lines = dropped;
    dropped = 0;
    // An error, because such lines may be among those dropped, and may be all that is logged.
    log.error({ dropped_lines: lines }, "lines of the log were dropped here because nobody read it");
  }
}

/** Writes without waiting and keeps what cannot be written. */
function openStream(descriptor: number): ReturnType<typeof pino.destination> {
  const stream = pino.destination({
    dest: descriptor,
    // From the calling thread: a write never waits, and one in Node's pool of threads would come after the end.
    sync: true,
    retryEAGAIN: () => false,
    // The least with which flushing does anything.
    minLength: 1,
    maxLength: waitingBytesMax,
    maxWrite: writeBytesMax,
    periodicFlush: retryMilliseconds,
  });
  // pino's own listener gives up the stream when a reader has gone, and counts nothing from then on.
  stream.removeAllListeners("error");
  // A pipe or disk that is full, or a reader that has gone, costs lines of the log, not the service.
  stream.on("error", () => undefined);
  // Before, nothing waits.
  stream.once("error", () => process.on("exit", () => stream.flush()));
  return stream;
}

/** A line that one write can take: texts of a longer one are cut, so that it stays JSON. */
function fit(line: string): string {
  let fitting = line;
  for (let charactersMax = writeBytesMax / 2; Buffer.byteLength(fitting) > writeBytesMax; charactersMax /= 2) {
    const cut = (_name: string, value: unknown): unknown =>
      typeof value === "string" && value.length > charactersMax ? `${value.slice(0, charactersMax)}…` : value;
    fitting = `${JSON.stringify(JSON.parse(line), cut)}\n`;
    if (charactersMax < 1) return fitting;
  }
  return fitting;
}

/**
 * A line of the log in which nothing can move the cursor of a terminal or forge another line.
 *
 * @param line One JSON object with its line end.
 */
function visibleLogLine(line: string): string {
  const show = (key: string, value: unknown): unknown => {
    if (typeof value !== "string") return value;
    // The line ends of a stack are its own.
    return key === "stack" ? visibleLines(value) : visibleText(value);
  };
  return `${JSON.stringify(JSON.parse(line, show))}\n`;
}
