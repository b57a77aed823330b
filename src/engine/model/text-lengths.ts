/**
 * The greatest lengths of texts and lists in records that are handed in. What is published already may be longer: it is
 * served with a warning, and pages show its texts cut.
 */
export const lengthsMax = {
  /** Code points of a text that names something. */
  name: 200,
  /** Code points of any other text. */
  text: 2000,
  /** Entries of a list inside a record. */
  list: 1000,
  /** Bytes of free-form metadata as JSON. */
  metadata: 16 * 1024,
} as const;

/** Returns whether a text has more code points. Cost: those of `max`. */
export function isLonger(text: string, max: number): boolean {
  return text.length > max && endOf(text, max) < text.length;
}

/** The first code points of a text, with an ellipsis in the place of the last of them where there are more. */
export function shortened(text: string, max: number): string {
  return isLonger(text, max) ? `${text.slice(0, endOf(text, max - 1))}…` : text;
}

/** The position behind so many code points; the length of a text that has fewer. */
function endOf(text: string, count: number): number {
  let end = 0;
  for (let at = 0; at < count && end < text.length; at++) end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1;
  return end;
}
