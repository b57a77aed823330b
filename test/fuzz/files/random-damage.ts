/** Ways of spoiling the bytes of a file, and of JSON in particular. */
import type { RandomChoice } from "../../../bench/questions/random-choice.ts";
import { changedBytes } from "../random-changes.ts";

const unusualJson = [
  ...["null", "true", "[]", "{}", "[[]]", '""', '" "', '"\\ud800"', '"\\u0000"', '"__proto__"', "0", "-0", "-1", "1.5"],
  ...[
    "1e999",
    "-1e999",
    "1e-999",
    "9007199254740993",
    "18446744073709551616",
    "01",
    "+1",
    ".5",
    "NaN",
    "0x10",
    "48",
    "4e1",
  ],
  ...['"2026-02-30T00:00:00Z"', '"9999-12-31T23:59:59Z"', '"Africa/Nairobi"', '"../prices.ndjson"', '"prices.ndjson"'],
  ...['"00000000-0000-4000-8000-000000000001"', '"00000000-0000-4000-8000-000000000100"', '"kg"', '"Retail"', "{"],
  JSON.stringify("x".repeat(70_000)),
  "9".repeat(400),
  "[".repeat(50_000),
  '{"a":'.repeat(20_000),
  `${"[".repeat(3000)}${"]".repeat(3000)}`,
  `[${"1,".repeat(10_000)}1]`,
];

const valueExpression = /"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d[\d.eE+-]*|true|false|null/g;
const memberExpression = /"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/g;

/** A file with something wrong, or unusual, at a random place. */
export function damaged(bytes: Buffer, random: RandomChoice): Buffer {
  switch (random.below(10)) {
    case 0:
      return changedBytes(bytes, random);
    case 1:
      return bytes.subarray(0, random.below(bytes.length + 1));
    case 2:
      return Buffer.concat([
        bytes,
        random.of([bytes, Buffer.from("\n"), Buffer.from("\0"), Buffer.from("{}"), Buffer.from("x\n")]),
      ]);
    case 3:
      return otherLines(bytes, random);
    case 4:
      return replacedMatch(bytes, memberExpression, random, (member) => `${member},${member}`);
    case 5:
      return replacedMatch(bytes, memberExpression, random, () => '"x":1');
    case 6:
      return replacedMatch(
        bytes,
        memberExpression,
        random,
        (member) => ` ${member.replace(":", random.of([" :", ": ", ":\t"]))} `,
      );
    case 7:
      // A bound for the look ahead: without one, a long text without a quote takes the square of its length.
      return replacedMatch(bytes, /[A-Za-z0-9](?=[^"]{0,100}")/g, random, escaped);
    default:
      return replacedMatch(bytes, valueExpression, random, () => random.of(unusualJson));
  }
}

/** A file of the same length in which some bytes are others. */
export function overwritten(bytes: Buffer, random: RandomChoice): Buffer {
  const copy = Buffer.from(bytes);
  for (let change = random.between(1, 4); change > 0; change--) {
    copy[random.below(copy.length)] = random.of([0, 1, 127, 128, 255, random.below(256)]);
  }
  return copy;
}

/** A character as JSON may write it as well. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Lines repeated, exchanged, removed, or with other ends. */
function otherLines(bytes: Buffer, random: RandomChoice): Buffer {
  const lines = bytes.toString("latin1").split("\n");
  const [at, other] = [random.below(lines.length), random.below(lines.length)];
  const [line = "", exchanged = ""] = [lines[at], lines[other]];
  switch (random.below(5)) {
    case 0:
      lines.splice(at, 0, exchanged);
      break;
    case 1:
      lines.splice(at, 1);
      break;
    case 2:
      [lines[at], lines[other]] = [exchanged, line];
      break;
    case 3:
      lines[at] = `${line}\r`;
      break;
    default:
      lines[at] = `${line} ${exchanged}`;
  }
  return Buffer.from(lines.join("\n"), "latin1");
}

function replacedMatch(
  bytes: Buffer,
  expression: RegExp,
  random: RandomChoice,
  replace: (match: string) => string,
): Buffer {
  const text = bytes.toString("latin1");
  const matches = [...text.matchAll(expression)];
  if (matches.length === 0) return changedBytes(bytes, random);
  const { 0: match, index } = random.of(matches);
  return Buffer.from(text.slice(0, index) + replace(match) + text.slice(index + match.length), "latin1");
}
