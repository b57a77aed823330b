import { type Logger, type LoggerOptions, pino } from "pino";

/**
 * The process's log on stderr: one JSON line an event, or coloured text where a person's terminal is attached and
 * NODE_ENV is not `production`. stdout stays free for what a person or script waits for.
 */
export async function createLog(level: string, isProduction: boolean): Promise<Logger> {
  const options: LoggerOptions = { level, timestamp: pino.stdTimeFunctions.isoTime, base: { pid: process.pid } };
  const isForPerson = process.stderr.isTTY && !isProduction;
  const standardError = 2;
  // Written at once: the last lines before the end of a process are those that matter most.
  if (!isForPerson) return pino(options, pino.destination({ dest: standardError, sync: true }));
  // Loaded only where somebody sees it, for it would make every start slower.
  const { default: pretty } = await import("pino-pretty");
  return pino(options, pretty({ colorize: true, destination: standardError, sync: true }));
}
