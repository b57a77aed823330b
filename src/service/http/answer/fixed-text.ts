/**
 * Texts that are the same for all clients. Each is compressed once in each coding, when that is first asked for, and
 * sent from memory: an unread answer holds no copy.
 */

import type { Admission } from "../admission/admission.ts";
import type { Context } from "../context.ts";
import type { CodedBody, HeaderList } from "./answer-body.ts";
import { acceptedCodings, BodyCompressor, type ContentCoding, compressedBytesMin } from "./compress.ts";
import { textTags } from "./etag.ts";
import { answerIfUnchanged, writeKept } from "./write-answer.ts";

export class FixedText {
  /** Its tag in a coding. */
  readonly etag: (coding: ContentCoding) => string;
  readonly #plain: Buffer;
  readonly #bodies = new Map<ContentCoding, Promise<CodedBody>>();

  constructor(text: string) {
    this.etag = textTags(text);
    this.#plain = Buffer.from(text);
  }

  /** The text in a coding; a short one is in none. Cost: compressed in Node's pool of threads for the first request. */
  bodyIn(wanted: ContentCoding): Promise<CodedBody> {
    const coding = this.#plain.length < compressedBytesMin ? "identity" : wanted;
    let body = this.#bodies.get(coding);
    if (body === undefined) {
      body = this.#compress(coding);
      this.#bodies.set(coding, body);
      // The next request tries again.
      body.catch(() => this.#bodies.delete(coding));
    }
    return body;
  }

  async #compress(coding: ContentCoding): Promise<CodedBody> {
    const plain = this.#plain;
    if (coding === "identity") return { bytes: plain, coding, plainBytes: plain.length };
    const compressor = new BodyCompressor(coding);
    try {
      return { bytes: await compressor.compress(plain, true), coding, plainBytes: plain.length };
    } finally {
      compressor.close();
    }
  }
}

/**
 * Answers with a text, or with 304.
 *
 * @returns Done when the answer has left or its client has gone.
 * @throws {ApiError} As `writeAnswer`.
 */
export async function writeFixed(
  ctx: Context,
  text: FixedText,
  { type, headers }: { readonly type: string; readonly headers: HeaderList },
  admission: Admission,
): Promise<void> {
  const { etag } = text;
  const codings = acceptedCodings(ctx.req.headers["accept-encoding"] as string | undefined);
  if (answerIfUnchanged(ctx, codings, etag, headers)) return;
  const body = await text.bodyIn(codings[0] as ContentCoding);
  await writeKept(ctx, body, { type, headers, coding: body.coding, etag }, admission);
}
