import { readStoredFile } from "../dataset/stored-file.ts";

/** One line of a file as it stands there. */
export interface StoredLine {
  /** Counted from 1. */
  readonly line: number;
  /** With its line end, if it has one. */
  readonly bytes: Buffer;
}

const lineFeed = 0x0a;

/**
 * The lines of a file, decompressed where its name ends in `.gz`, in the pieces in which they are read. Joined they are
 * the file's content.
 */
export async function* storedLines(path: string): AsyncGenerator<readonly StoredLine[]> {
  let line = 0;
  let unfinished: Buffer[] = [];
  for await (const chunk of readStoredFile(path).content) {
    const lines: StoredLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      const piece = chunk.subarray(start, end + 1);
      lines.push({ line: ++line, bytes: unfinished.length === 0 ? piece : Buffer.concat([...unfinished, piece]) });
      unfinished = [];
      start = end + 1;
    }
    if (start < chunk.length) unfinished.push(chunk.subarray(start));
    yield lines;
  }
  if (unfinished.length > 0) yield [{ line: line + 1, bytes: Buffer.concat(unfinished) }];
}

/** Whether the line ends, as every line must. */
export function isFinished({ bytes }: StoredLine): boolean {
  return bytes.at(-1) === lineFeed;
}
