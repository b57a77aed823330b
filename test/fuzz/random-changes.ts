/** Random changes of texts and bytes. */
import type { RandomChoice } from "../../bench/questions/random-choice.ts";

/** Texts that programs take for something else: empty, invisible, special in URLs, in JavaScript, in other formats. */
export const unusualTexts = [
  ...["", " ", "\t", "\0", "a\0b", "\u0301", "\ufeff", "\u202e", "\ud800", "\udc00a"],
  ...["😀", "ﬃ", "İ", "ß".repeat(200)],
  ...["__proto__", "constructor", "toString", "%", "%00", "%ff", "%zz", "+", "&", "=", "#", "?", "..", "/", "\\", ";"],
  ...["null", "undefined", "true", "TRUE", "[object Object]", "' OR 1=1 --", "{{7*7}}", "<script>", "\r\n"],
  ...["2026-02-30", "2026-2-3", "0000-00-00", "9999-12-31", "10000-01-01", "2026-01-01T00:00:00Z", "١٢٣", "１"],
  ...["00000000-0000-0000-0000-000000000000", "{63ee0850-d07b-5001-9007-7b8ec8242380}", "x".repeat(200)],
  ...["x".repeat(201), "x".repeat(9000), "é".repeat(3000), "a,b,c", ",", ",,,", "a b c d e f g h i j k l m n o p"],
];

/** A text with a few characters changed, inserted, removed or repeated. */
export function changedText(text: string, random: RandomChoice): string {
  let changed = text;
  for (let change = random.between(1, 3); change > 0; change--) {
    const at = random.below(changed.length + 1);
    const piece = random.of([random.of(unusualTexts).slice(0, 5), String.fromCharCode(random.below(256)), ""]);
    const removed = random.below(3);
    const head = changed.slice(0, at);
    changed = random.below(5) === 0 ? head + head + changed.slice(at) : head + piece + changed.slice(at + removed);
  }
  return changed.slice(0, 20_000);
}

/** Bytes with a few turned, inserted, removed, repeated or exchanged. */
export function changedBytes(bytes: Buffer, random: RandomChoice): Buffer {
  let changed = Buffer.from(bytes);
  for (let change = random.between(1, 6); change > 0 && changed.length > 0; change--) {
    const at = random.below(changed.length);
    const end = Math.min(changed.length, at + random.between(1, 20));
    const [head, middle, tail] = [changed.subarray(0, at), changed.subarray(at, end), changed.subarray(end)];
    switch (random.below(6)) {
      case 0:
        changed[at] = (changed[at] as number) ^ (1 << random.below(8));
        break;
      case 1:
        changed[at] = random.of([0, 9, 10, 13, 32, 58, 127, 128, 255, random.below(256)]);
        break;
      case 2:
        changed = Buffer.concat([head, tail]);
        break;
      case 3:
        changed = Buffer.concat([head, middle, middle, tail]);
        break;
      case 4:
        changed = Buffer.concat([head, tail, middle]);
        break;
      default:
        changed = Buffer.concat([
          head,
          Buffer.from(random.of(["\r\n", "\n", "\r", "\0", ": ", " ", "\r\n\r\n"])),
          middle,
          tail,
        ]);
    }
  }
  return changed;
}
