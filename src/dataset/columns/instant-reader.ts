import { decimalPairs, type FileBytes } from "./file-bytes.ts";

const hourMilliseconds = 3_600_000;
const dayMilliseconds = 24 * hourMilliseconds;
const minuteMilliseconds = 60_000;

/** Years that need no care at the ends of the calendar: 1900 to 2199. */
const yearMin = 1900;
const centuryMin = 19;
const centuryMax = 21;

/** The day, since 1970-01-01, on which each of their months begins, and the end of the last. */
const monthStarts = Int32Array.from(
  { length: (centuryMax - centuryMin + 1) * 100 * 12 + 1 },
  (_, month) => Date.UTC(yearMin, month) / dayMilliseconds,
);

const quotationMark = 0x22;
const plus = 0x2b;
const hyphen = 0x2d;
const point = 0x2e;
const colon = 0x3a;
const capitalT = 0x54;
const capitalZ = 0x5a;

/**
 * Reads the RFC 3339 times of one field by arithmetic on their digits: the ordinary forms, with no fraction or three digits
 * of it, of the years 1900 to 2199. Remembers the day read last, for files of prices stay on one day for many lines.
 */
export class InstantReader {
  /** Position of the closing quotation mark of the text read last. */
  end = 0;
  readonly #view: DataView;
  #dateHead = 0;
  #dateTail = 0;
  #day = Number.NaN;

  constructor(file: FileBytes) {
    this.#view = file.view;
  }

  /**
   * Reads one text into a column, in milliseconds since 1970-01-01T00:00:00Z. Sets `end`.
   *
   * @param at The first byte behind its opening quotation mark.
   * @returns Whether the text is of one of these forms and its day exists. If not, the row means nothing.
   */
  read(at: number, column: Float64Array, row: number): boolean {
    const view = this.#view;
    const hour = decimalPairs[view.getUint16(at + 11, true)] as number;
    const minute = decimalPairs[view.getUint16(at + 14, true)] as number;
    const second = decimalPairs[view.getUint16(at + 17, true)] as number;
    if ((hour | minute | second) < 0 || hour > 23 || minute > 59 || second > 59) return false;
    if (view.getUint8(at + 13) !== colon || view.getUint8(at + 16) !== colon) return false;
    // Eight bytes compared as a number, see known-texts.ts: digits and hyphens write no zero and no NaN, and what is
    // remembered of other bytes is that they are no day.
    const head = view.getFloat64(at, true);
    const tail = view.getInt32(at + 7, true);
    if (head !== this.#dateHead || tail !== this.#dateTail) {
      this.#day = dayAt(view, at);
      this.#dateHead = head;
      this.#dateTail = tail;
    }
    let time = hour * hourMilliseconds + minute * minuteMilliseconds + second * 1000;
    let end = at + 19;
    if (view.getUint8(end) === point) {
      const hundredths = decimalPairs[view.getUint16(end + 1, true)] as number;
      const thousandths = view.getUint8(end + 3) - 0x30;
      if (hundredths < 0 || thousandths < 0 || thousandths > 9) return false;
      time += hundredths * 10 + thousandths;
      end += 4;
    }
    const sign = view.getUint8(end);
    if (sign === capitalZ) {
      end += 1;
    } else {
      const offset = offsetAt(view, end + 1);
      if (offset === -1) return false;
      if (sign === plus) time -= offset;
      else if (sign === hyphen) time += offset;
      else return false;
      end += 6;
    }
    column[row] = this.#day * dayMilliseconds + time;
    this.end = end;
    return view.getUint8(end) === quotationMark && !Number.isNaN(this.#day);
  }
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
