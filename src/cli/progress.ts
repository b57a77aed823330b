/** Progress bars of long work, where somebody looks at a terminal. */
import { type Options, SingleBar } from "cli-progress";
import type { BytesObserver } from "../engine/snapshots/stored-file.ts";

/** Shows how far a long piece of work is. */
export interface Progress {
  /**
   * @param done Work done, in the unit of `total`.
   * @param total All of the work, where that has changed.
   */
  update(done: number, total?: number): void;
  stop(): void;
}

/**
 * A progress bar on stderr; a no-op where no terminal is attached, so that logs stay clean.
 *
 * @param label The kind of work, for example `reading`.
 * @param total All of the work.
 * @param terminal The stream to draw on, if it is a terminal.
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

/**
 * Does long work, such as reading record files, and shows a bar for each piece of it, which disappears at its end.
 *
 * @param label The kind of work, as for `startProgress`.
 * @param isWanted False for a report that programs read.
 * @param start Shows a bar, see `startProgress`.
 */
export async function withProgress<T>(
  label: string,
  isWanted: boolean,
  work: (onDone: BytesObserver | undefined) => Promise<T>,
  start: (label: string, total: number) => Progress = startProgress,
): Promise<T> {
  if (!isWanted) return await work(undefined);
  let bar: Progress | undefined;
  try {
    return await work((done, total) => {
      bar ??= start(label, total);
      bar.update(done, total);
      if (done === total) stop();
    });
  } finally {
    stop();
  }

  function stop(): void {
    bar?.stop();
    bar = undefined;
  }
}
