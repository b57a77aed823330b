/**
 * Bytes as a text, a character (Latin-1) for each: the form in which bodies leave, and answers are made. Node writes
 * headers and such a body as one string, where a buffer would be a second piece.
 */
export type ByteText = string & { readonly isByteText: true };

/** A text that is not such a text already. */
type Text = string & { readonly isByteText?: never };

/** A text in UTF-8, or bytes, as such a text. Costs a copy, except for a text in ASCII. */
export function byteText(body: Text | Buffer): ByteText {
  if (typeof body !== "string") return body.toString("latin1") as ByteText;
  return (Buffer.byteLength(body) === body.length ? body : Buffer.from(body).toString("latin1")) as ByteText;
}

/** The bytes of such a text. */
export function bytesOf(text: ByteText): Buffer {
  return Buffer.from(text, "latin1");
}

/** The JSON of a value. */
export function jsonText(value: unknown): ByteText {
  return byteText(JSON.stringify(value));
}

export const noBytes: ByteText = byteText("");

/** Two such texts, one behind the other. */
export function joinBytes(first: ByteText, second: ByteText): ByteText {
  return (first + second) as ByteText;
}
