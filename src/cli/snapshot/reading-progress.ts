import type { BytesObserver } from "../../dataset/stored-file.ts";
import { type Progress, startProgress } from "../progress.ts";

/**
 * Does work that reads record files, and shows how far each reading is: a bar that goes when all is read, and another one
 * if more is read afterwards.
 *
 * @param isWanted False for a report that programs read.
 * @param start What shows a bar, see `startProgress`.
 */
export async function withReadingProgress<T>(
  isWanted: boolean,
  work: (onBytes: BytesObserver | undefined) => Promise<T>,
  start: (label: string, total: number) => Progress = startProgress,
): Promise<T> {
  if (!isWanted) return await work(undefined);
  let bar: Progress | undefined;
  try {
    return await work((done, total) => {
      bar ??= start("reading", total);
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
