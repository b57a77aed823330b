/** The log of the service on stderr: pino, with lines gathered, and without ever waiting for a reader. */
import { constants, fstatSync, openSync } from "node:fs";
import { type Logger, type LoggerOptions, pino } from "pino";
import { type Instant, instantText } from "../../engine/model/calendar.ts";
import { visibleLines, visibleText } from "../../engine/model/visible-text.ts";
import type { RequestEntry, RequestLogger } from "../http/request/request-dependencies.ts";

/** pino with a quicker way for the lines of requests. */
export type ServiceLog = Logger & Required<Pick<RequestLogger, "request">>;

/** The form of the log; plain data, so that every thread of the process writes it alike. */
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
 * Most bytes of one line, and of one write to a pipe or socket. Linux writes so much there whole or not at all
 * (PIPE_BUF), so the lines of threads that write to one descriptor do not mix.
 */
const lineBytesMax = 4096;

/** Most bytes of one write to a file, which Linux never mixes with others. */
const fileWriteBytesMax = 65_536;

/**
 * Time for which a line may wait for others, so that a busy thread writes a dozen with one system call. Errors wait for
 * nothing: they may be the last lines before the end of a process, those that matter most.
 */
const gatherMilliseconds = 10;

/** Interval at which lines that could not be written are tried again when no further line comes. */
const retryMilliseconds = 100;

const standardError = 2;

/** Levels of pino. */
const infoLevel = 30;
const errorLevel = 50;

/**
 * The form of the log: text where a person's terminal is attached and NODE_ENV is not `production`. For the main
 * thread, once.
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
 * A pipe or terminal is opened once more, because O_NONBLOCK belongs to what was opened, and other processes have the
 * same: Node sets the flags of its stderr back when it ends, and clears them for each child. A socket cannot be opened
 * again; it has O_NONBLOCK from `process.stderr`. A file never waits for a reader.
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
 * A log on stderr, one line an event. stdout stays free for what a person or script waits for. Lines are written
 * together, within `gatherMilliseconds`, at an error, and at the end of the thread; only a killed process loses those
 * that wait. What cannot be written waits, up to `waitingBytesMax`, for the next line, the next try or the end of the
 * thread; how many lines were dropped beyond that is logged when writing succeeds again.
 *
 * @param fields Beside the process id in every line.
 */
export async function openLog(form: LogForm, fields: object = {}): Promise<ServiceLog> {
  const writeBytesMax = fstatSync(form.descriptor).isFile() ? fileWriteBytesMax : lineBytesMax;
  const stream = openStream(form.descriptor, writeBytesMax);
  // Loaded only for a terminal, because it would make every start slower.
  const format = form.isForPerson ? (await import("pino-pretty")).prettyFactory({ colorize: true }) : undefined;
  const options: LoggerOptions = {
    level: form.level,
    timestamp: () => `,"time":"${instantText(Date.now() as Instant)}"`,
    base: { pid: process.pid, ...fields },
  };
  let gathered = "";
  let gatheredBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  process.on("exit", writeGathered);
  const destination = {
    // pino then says the level of each line.
    [Symbol.for("pino.metadata")]: true,
    lastLevel: 0,
    write(line: string) {
      gather(line);
      if (destination.lastLevel >= errorLevel) writeGathered();
    },
    /** For `flush` of the log. */
    flush: writeGathered,
  };
  const log = pino(options, destination);
  const own = JSON.stringify(options.base).slice(1, -1);
  const request: ServiceLog["request"] = (entry) => {
    if (log.isLevelEnabled("info")) gather(requestLine(own, entry));
  };
  let dropped = 0;
  stream.on("drop", (lines: string) => {
    const count = lines.split("\n").length - 1;
    if (dropped === 0) stream.once("drain", reportDropped);
    dropped += count;
    Atomics.add(form.droppedLines, 0, BigInt(count));
  });
  return Object.assign(log, { request });

  function gather(line: string): void {
    const fitting = fit(line);
    const written = format === undefined ? fitting : format(visibleLogLine(fitting));
    const bytes = Buffer.byteLength(written);
    if (gatheredBytes + bytes > writeBytesMax) writeGathered();
    gathered += written;
    gatheredBytes += bytes;
    timer ??= setTimeout(writeGathered, gatherMilliseconds).unref();
  }

  function writeGathered(): void {
    clearTimeout(timer);
    timer = undefined;
    const lines = gathered;
    gathered = "";
    gatheredBytes = 0;
    if (lines !== "") stream.write(lines);
  }

  function reportDropped(): void {
    const lines = dropped;
    dropped = 0;
    // An error, because such lines may be among those dropped, and may be all that is logged.
    log.error({ dropped_lines: lines }, "lines of the log were dropped here because it was not read");
  }
}

/**
 * The line of a request, as pino would write it in several times the time; it is the only line that a busy service
 * writes often. Texts without quotes, controls or characters outside ASCII by their form need no escapes.
 *
 * @param own Fields of every line, as JSON.
 */
function requestLine(own: string, entry: RequestEntry): string {
  const { request_id, method, target, status, code, bytes, duration_ms, aborted, key, snapshot, client } = entry;
  const { trace_id, parent_id, trace_flags } = entry;
  let line = `{"level":${infoLevel},"time":"${instantText(Date.now() as Instant)}",${own}`;
  line += `,"request_id":"${request_id}","method":"${method}","target":${JSON.stringify(target)}`;
  if (status !== undefined) line += `,"status":${status}`;
  if (code !== undefined) line += `,"code":"${code}"`;
  if (bytes !== undefined) line += `,"bytes":${bytes}`;
  line += `,"duration_ms":${duration_ms}`;
  if (aborted) line += ',"aborted":true';
  if (key !== undefined) line += `,"key":"${key}"`;
  if (snapshot !== undefined) line += `,"snapshot":"${snapshot}"`;
  if (client !== undefined) line += `,"client":"${client}"`;
  if (trace_id !== undefined) {
    line += `,"trace_id":"${trace_id}","parent_id":"${parent_id}","trace_flags":"${trace_flags}"`;
  }
  return `${line},"msg":"request"}\n`;
}

/** Writes without waiting and keeps what cannot be written. */
function openStream(descriptor: number, writeBytesMax: number): ReturnType<typeof pino.destination> {
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
  // A character has three bytes at most.
  if (line.length * 3 <= lineBytesMax) return line;
  for (let charactersMax = lineBytesMax / 2; Buffer.byteLength(fitting) > lineBytesMax; charactersMax /= 2) {
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
