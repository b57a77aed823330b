import { decimalPairs, type FileBytes } from "./file-bytes.ts";

const hourMilliseconds = 3_600_000;
const minuteMilliseconds = 60_000;
/** Centuries whose years need no care at the ends of the calendar. */
const centuryMin = 19;
const centuryMax = 21;

const quotationMark = 0x22;
const plus = 0x2b;
const hyphen = 0x2d;
const point = 0x2e;
const colon = 0x3a;
const capitalT = 0x54;
const capitalZ = 0x5a;

/**
 * Reads RFC 3339 times by arithmetic on their digits: the ordinary forms with no fraction or three digits of it, of the
 * years 1900 to 2199. Remembers the day read last, for files of prices stay on one day for many lines.
 */
export class InstantReader {
  /** Where the text read last ends: position of its closing quotation mark. */
  end = 0;
  #dateHead = 0;
  #dateTail = 0;
  #dateStart = Number.NaN;

  /**
   * @param at First byte of the text.
   * @returns Milliseconds since 1970-01-01T00:00:00Z; NaN when the text is none of these forms or its day does not exist.
   */
  read({ view }: FileBytes, at: number): number {
    const hour = decimalPairs[view.getUint16(at + 11, true)] as number;
    const minute = decimalPairs[view.getUint16(at + 14, true)] as number;
    const second = decimalPairs[view.getUint16(at + 17, true)] as number;
    if ((hour | minute | second) < 0 || hour > 23 || minute > 59 || second > 59) return Number.NaN;
    if (view.getUint8(at + 13) !== colon || view.getUint8(at + 16) !== colon) return Number.NaN;
    let instant = this.#dateAt(view, at) + hour * hourMilliseconds + minute * minuteMilliseconds + second * 1000;
    let end = at + 19;
    if (view.getUint8(end) === point) {
      const hundredths = decimalPairs[view.getUint16(end + 1, true)] as number;
      const thousandths = view.getUint8(end + 3) - 0x30;
      if (hundredths < 0 || thousandths < 0 || thousandths > 9) return Number.NaN;
      instant += hundredths * 10 + thousandths;
      end += 4;
    }
    const sign = view.getUint8(end);
    if (sign === capitalZ) {
      end += 1;
    } else {
      const offset = offsetAt(view, end + 1);
      if (sign === plus) instant -= offset;
      else if (sign === hyphen) instant += offset;
      else return Number.NaN;
      end += 6;
    }
    this.end = end;
    return view.getUint8(end) === quotationMark ? instant : Number.NaN;
  }

  /** The first instant of `2026-01-15T`; NaN when it is no day. */
  #dateAt(view: DataView, at: number): number {
    // Eight bytes compared as a number, see known-texts.ts: digits and hyphens write no zero and no NaN, and what is
    // remembered of other bytes is that they are no day.
    const head = view.getFloat64(at, true);
    const tail = view.getInt32(at + 7, true);
    if (head !== this.#dateHead || tail !== this.#dateTail) {
      this.#dateStart = readDate(view, at);
      this.#dateHead = head;
      this.#dateTail = tail;
    }
    return this.#dateStart;
  }
}

function readDate(view: DataView, at: number): number {
  const century = decimalPairs[view.getUint16(at, true)] as number;
  const yearOfCentury = decimalPairs[view.getUint16(at + 2, true)] as number;
  const month = decimalPairs[view.getUint16(at + 5, true)] as number;
  const day = decimalPairs[view.getUint16(at + 8, true)] as number;
  if ((century | yearOfCentury | month | day) < 0 || century < centuryMin || century > centuryMax) return Number.NaN;
  if (view.getUint8(at + 4) !== hyphen || view.getUint8(at + 7) !== hyphen) return Number.NaN;
  if (view.getUint8(at + 10) !== capitalT) return Number.NaN;
  const start = Date.UTC(century * 100 + yearOfCentury, month - 1, day);
  const date = new Date(start);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? start : Number.NaN;
}

/** The milliseconds of `03:00`; NaN when it is none. */
function offsetAt(view: DataView, at: number): number {
  const hours = decimalPairs[view.getUint16(at, true)] as number;
  const minutes = decimalPairs[view.getUint16(at + 3, true)] as number;
  if ((hours | minutes) < 0 || hours > 23 || minutes > 59 || view.getUint8(at + 2) !== colon) return Number.NaN;
  return hours * hourMilliseconds + minutes * minuteMilliseconds;
}
