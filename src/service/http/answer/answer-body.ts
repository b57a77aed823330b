/** Bodies of answers: as a handler makes them, and as they leave; and headers. */

import type { OpenDownload } from "../resources/downloads/snapshot-downloads.ts";
import type { ByteText } from "./byte-text.ts";
import type { ContentCoding } from "./compress.ts";

/** A body: whole, or in pieces, each made when it is needed, also empty ones. Gone through once. */
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

/** Bytes that leave; a buffer where they are not made for one answer. */
export type AnswerBytes = ByteText | Buffer;

/** A whole body as it leaves. */
export interface CodedBody<Bytes extends AnswerBytes = AnswerBytes> {
  readonly bytes: Bytes;
  /** A short body is in none, whatever the client prefers. */
  readonly coding: ContentCoding;
  /** Its length in no coding. */
  readonly plainBytes: number;
}
