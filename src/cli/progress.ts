import { type Options, SingleBar } from "cli-progress";

/** Shows how far a long piece of work is. */
export interface Progress {
  /** @param done How much is done, in the unit of `total`. */
  update(done: number): void;
  stop(): void;
}

/**
 * A progress bar on stderr, or nothing at all where no terminal is attached, so that logs stay clean.
 *
 * @param label What is being done, for example `reading`.
 * @param total How much there is to do.
 */
export function startProgress(label: string, total: number): Progress {
  if (!process.stderr.isTTY) return { update() {}, stop() {} };
  const options: Options = { format: `${label} {bar} {percentage} %  {eta_formatted}`, stream: process.stderr };
  const bar = new SingleBar({ ...options, clearOnComplete: true, hideCursor: true });
  bar.start(total, 0);
  return {
    update: (done) => bar.update(done),
    stop: () => bar.stop(),
  };
}
