/** Bodies as they leave. */

import type { ByteText } from "../../../contract/byte-text.ts";
import type { ContentCoding } from "./compress.ts";

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
