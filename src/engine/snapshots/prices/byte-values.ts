/**
 * Values of prices read from the bytes of a file by arithmetic, without making texts of them. Digits are looked up two
 * at a time, and texts compared eight bytes at a time, so readers may look a few bytes past a value: the memory must go
 * on after it.
 */
import { dayMilliseconds } from "../../model/calendar.ts";

/** A piece of a file in memory that several threads may share, in two views. */
export interface FileBytes {
  readonly bytes: Uint8Array<ArrayBufferLike>;
  readonly view: DataView<ArrayBufferLike>;
}

/** Bytes after the last byte given that a reader may look at. */
export const bytesAfterMax = 64;

/** Two characters as one little-endian number → the number they write, -1 where they are no digits. */
const hexPairs: Int16Array = pairsOf(16, "0123456789abcdefABCDEF");
const decimalPairs: Int16Array = pairsOf(10, "0123456789");

function pairsOf(base: number, digits: string): Int16Array {
  const pairs = new Int16Array(0x1_0000).fill(-1);
  for (const first of digits) {
    for (const second of digits) {
      pairs[first.charCodeAt(0) | (second.charCodeAt(0) << 8)] = Number.parseInt(first + second, base);
    }
  }
  return pairs;
}

/** Length of a UUID's text. */
export const uuidBytes = 36;

/** Positions at which the pairs of digits of a UUID's text begin. */
const uuidPairs = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34);

const quotationMark = 0x22;
const plus = 0x2b;
const hyphen = 0x2d;
const point = 0x2e;
const zero = 0x30;
const colon = 0x3a;
const capitalT = 0x54;
const capitalZ = 0x5a;

/**
 * Reads a UUID into four words, most significant first.
 *
 * @param at The first byte after its opening quotation mark.
 * @returns True if it is one: 36 characters of either case, then a quotation mark. If not, the words mean nothing.
 */
export function readUuidWords({ view }: FileBytes, at: number, words: Uint32Array, to: number): boolean {
  let all = 0;
  for (let word = 0; word < 4; word++) {
    let value = 0;
    for (let pair = 4 * word; pair < 4 * word + 4; pair++) {
      const byte = hexPairs[view.getUint16(at + (uuidPairs[pair] as number), true)] as number;
      all |= byte;
      value = (value << 8) | byte;
    }
    words[to + word] = value;
  }
  return (
    all >= 0 &&
    view.getUint8(at + 8) === hyphen &&
    view.getUint8(at + 13) === hyphen &&
    view.getUint8(at + 18) === hyphen &&
    view.getUint8(at + 23) === hyphen &&
    view.getUint8(at + uuidBytes) === quotationMark
  );
}

/** With so few digits a number is an integer below 2^53 divided by an exact power of ten: rounded once, hence exact. */
const exactDigitsMax = 15;
const powersOfTen = Float64Array.from({ length: exactDigitsMax + 1 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * Reads a number above 0 in plain digits, with or without a fraction, into a column.
 *
 * @returns Its end; -1 for anything else.
 */
export function readPlainNumber(bytes: Uint8Array, at: number, column: Float64Array, row: number): number {
  let value = 0;
  let end = at;
  let digit = (bytes[end] as number) - zero;
  for (; digit >= 0 && digit <= 9; digit = (bytes[++end] as number) - zero) value = value * 10 + digit;
  const whole = end - at;
  // JSON writes no number without a digit before the point, and none but 0 with a zero in front.
  if (whole === 0 || (bytes[at] === zero && whole > 1)) return -1;
  let digits = whole;
  if (bytes[end] === point) {
    end++;
    digit = (bytes[end] as number) - zero;
    for (; digit >= 0 && digit <= 9; digit = (bytes[++end] as number) - zero) value = value * 10 + digit;
    digits = end - at - 1;
    if (digits === whole || digits > exactDigitsMax) return -1;
    value /= powersOfTen[digits - whole] as number;
  }
  column[row] = value;
  return digits <= exactDigitsMax && value > 0 ? end : -1;
}

const minuteMilliseconds = 60_000;
const hourMilliseconds = 60 * minuteMilliseconds;

/** Years that need no care at the ends of the calendar: 1900 to 2199. */
const centuryMin = 19;
const centuryMax = 21;

/** The day, since 1970-01-01, on which each of their months begins, and the end of the last. */
const monthStarts = Int32Array.from(
  { length: (centuryMax - centuryMin + 1) * 100 * 12 + 1 },
  (_, month) => Date.UTC(centuryMin * 100, month) / dayMilliseconds,
);

/**
 * Reads an RFC 3339 time in its ordinary forms (no fraction or three digits of it, years 1900 to 2199) into a column,
 * in milliseconds since 1970-01-01T00:00:00Z.
 *
 * @param at The first byte after its opening quotation mark.
 * @returns The byte after its closing quotation mark; -1 if the text is of another form or its day does not exist, then
 *   the row means nothing.
 */
export function readInstant(view: DataView, at: number, column: Float64Array, row: number): number {
  const hour = decimalPairs[view.getUint16(at + 11, true)] as number;
  const minute = decimalPairs[view.getUint16(at + 14, true)] as number;
  const second = decimalPairs[view.getUint16(at + 17, true)] as number;
  if ((hour | minute | second) < 0 || hour > 23 || minute > 59 || second > 59) return -1;
  if (view.getUint8(at + 13) !== colon || view.getUint8(at + 16) !== colon) return -1;
  let time = hour * hourMilliseconds + minute * minuteMilliseconds + second * 1000;
  let end = at + 19;
  if (view.getUint8(end) === point) {
    const hundredths = decimalPairs[view.getUint16(end + 1, true)] as number;
    const thousandths = view.getUint8(end + 3) - zero;
    if (hundredths < 0 || thousandths < 0 || thousandths > 9) return -1;
    time += hundredths * 10 + thousandths;
    end += 4;
  }
  const sign = view.getUint8(end);
  if (sign === capitalZ) {
    end += 1;
  } else {
    const offset = offsetAt(view, end + 1);
    if (offset === -1 || (sign !== plus && sign !== hyphen)) return -1;
    time += sign === plus ? -offset : offset;
    end += 6;
  }
  const day = dayAt(view, at);
  if (view.getUint8(end) !== quotationMark || Number.isNaN(day)) return -1;
  column[row] = day * dayMilliseconds + time;
  return end + 1;
}

/** The day of `2026-01-15T` since 1970-01-01; NaN when it is none. */
function dayAt(view: DataView, at: number): number {
  const century = decimalPairs[view.getUint16(at, true)] as number;
  const yearOfCentury = decimalPairs[view.getUint16(at + 2, true)] as number;
  const month = decimalPairs[view.getUint16(at + 5, true)] as number;
  const day = decimalPairs[view.getUint16(at + 8, true)] as number;
  if ((century | yearOfCentury | month | day) < 0 || century < centuryMin || century > centuryMax) return Number.NaN;
  if (view.getUint8(at + 4) !== hyphen || view.getUint8(at + 7) !== hyphen) return Number.NaN;
  if (view.getUint8(at + 10) !== capitalT || month < 1 || month > 12 || day < 1) return Number.NaN;
  const months = ((century - centuryMin) * 100 + yearOfCentury) * 12 + month - 1;
  const date = (monthStarts[months] as number) + day - 1;
  return date < (monthStarts[months + 1] as number) ? date : Number.NaN;
}

/** The milliseconds of `03:00`; -1 when it is none. */
function offsetAt(view: DataView, at: number): number {
  const hours = decimalPairs[view.getUint16(at, true)] as number;
  const minutes = decimalPairs[view.getUint16(at + 3, true)] as number;
  if ((hours | minutes) < 0 || hours > 23 || minutes > 59 || view.getUint8(at + 2) !== colon) return -1;
  return hours * hourMilliseconds + minutes * minuteMilliseconds;
}
