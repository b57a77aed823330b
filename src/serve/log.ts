import { type Logger, type LoggerOptions, pino } from "pino";
import { visibleLogLine } from "./visible-log-line.ts";

/** How the log is written; plain data, so that every thread of the process writes it alike. */
export interface LogForm {
  readonly level: string;
  /** Coloured text instead of JSON lines. */
  readonly isForPerson: boolean;
}

/** The form of the log: text where a person's terminal is attached and NODE_ENV is not `production`. */
export function logForm(level: string, isProduction: boolean): LogForm {
  return { level, isForPerson: process.stderr.isTTY && !isProduction };
}

/**
 * A log on stderr, one line an event. stdout stays free for what a person or script waits for. Each line is one write,
 * so the lines of several threads do not mix.
 *
 * @param fields Beside the process id in every line.
 */
export async function openLog({ level, isForPerson }: LogForm, fields: object = {}): Promise<Logger> {
  const base = { pid: process.pid, ...fields };
  const options: LoggerOptions = { level, timestamp: pino.stdTimeFunctions.isoTime, base };
  const standardError = 2;
  // Written at once: the last lines before the end of a process are those that matter most.
  if (!isForPerson) {
    const destination = pino.destination({ dest: standardError, sync: true });
    // A full disk behind stderr costs lines of the log, not the service.
    destination.on("error", () => undefined);
    return pino(options, destination);
  }
  // Loaded only where somebody sees it, for it would make every start slower.
  const { default: pretty } = await import("pino-pretty");
  const terminal = pretty({ colorize: true, destination: standardError, sync: true });
  return pino(options, { write: (line) => terminal.write(visibleLogLine(line)) });
}
