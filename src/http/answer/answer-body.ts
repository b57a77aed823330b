/** Bodies of answers: as a handler makes them, and as they leave. */

import type { OpenDownload } from "../resources/downloads/downloads.ts";
import type { ByteText } from "./byte-text.ts";
import type { ContentCoding } from "./compress.ts";

/** A body: whole, or in pieces, each made when it is needed, also empty ones. Gone through once. */
export type AnswerBody = ByteText | Iterable<ByteText>;

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
