/** What a handler answers with. */

import type { OpenDownload } from "../resources/downloads/downloads.ts";
import type { ByteText } from "./byte-text.ts";

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
