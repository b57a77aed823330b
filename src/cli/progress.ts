import { type Options, SingleBar } from "cli-progress";

/** Shows how far a long piece of work is. */
export interface Progress {
  /**
   * @param done How much is done, in the unit of `total`.
   * @param total How much there is to do, where that has changed.
   */
  update(done: number, total?: number): void;
  stop(): void;
}

/**
 * A progress bar on stderr, or nothing at all where no terminal is attached, so that logs stay clean.
 *
 * @param label What is being done, for example `reading`.
 * @param total How much there is to do.
 * @param terminal Where to, if it is a terminal.
 */
export function startProgress(label: string, total: number, terminal: NodeJS.WriteStream = process.stderr): Progress {
  if (!terminal.isTTY) return { update() {}, stop() {} };
  const options: Options = { format: `${label} {bar} {percentage} %  {eta_formatted}`, stream: terminal };
  const bar = new SingleBar({ ...options, clearOnComplete: true, hideCursor: true });
  bar.start(total, 0);
  return {
    update: (done, total) => {
      if (total !== undefined) bar.setTotal(total);
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
