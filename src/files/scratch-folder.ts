import { mkdtemp, rm } from "node:fs/promises";

/**
 * Does some work that may need a folder of its own, which is gone afterwards, however the work ends.
 *
 * @param prefix Path that the folder's begins with; a few random characters follow.
 * @param work Given a function that makes the folder when it is called first.
 */
export async function withScratchFolder<T>(
  prefix: string,
  work: (makeFolder: () => Promise<string>) => Promise<T>,
): Promise<T> {
  let made: Promise<string> | undefined;
  try {
    return await work(() => {
      made ??= mkdtemp(prefix);
      return made;
    });
  } finally {
    if (made !== undefined) await rm(await made, { recursive: true, force: true });
  }
}
