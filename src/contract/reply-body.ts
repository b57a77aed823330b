/** Bodies of answers as handlers make them, and headers. */

import type { ByteText } from "./byte-text.ts";
import type { OpenDownload } from "./downloads.ts";

/** A body: whole, or in pieces, each made when it is needed, also empty ones. Iterated once. */
export type AnswerBody = ByteText | Iterable<ByteText>;

/** Names and values of headers alternate, as Node takes them. */
export type HeaderList = readonly string[];

/** A body with headers of its own, which cite the sources of its rows. */
export class CitedTexts implements Iterable<ByteText> {
  readonly headers: HeaderList;
  readonly #texts: Iterable<ByteText>;

  constructor(headers: HeaderList, texts: Iterable<ByteText>) {
    this.headers = headers;
    this.#texts = texts;
  }

  [Symbol.iterator](): Iterator<ByteText> {
    return this.#texts[Symbol.iterator]();
  }
}

/** A file that a handler has opened; the answer closes it. */
export class FileAnswer {
  readonly snapshot: string;
  readonly file: OpenDownload;

  constructor(snapshot: string, file: OpenDownload) {
    this.snapshot = snapshot;
    this.file = file;
  }
}
