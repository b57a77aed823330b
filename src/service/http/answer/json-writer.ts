/**
 * JSON text written as bytes, for what an answer has hundreds of: rows and figures. Texts joined by `+` become a tree
 * that the runtime flattens at last; for an answer of statistics that takes three times as long.
 */

import type { ByteText } from "../../../contract/byte-text.ts";
import { answerChunkBytes } from "../../../contract/limits.ts";
import { dayMilliseconds, dayPrefix, type Instant } from "../../../engine/model/calendar.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { hexCharacters, wordsPerUuid } from "../../../engine/model/ids.ts";
import { figureScale, roundFigure, scaleFigure } from "../../../engine/store/figures.ts";
import type { Store } from "../../../engine/store/store.ts";

/**
 * A text that is written again and again: its bytes in UTF-8, eight in a number, little-endian; zeros fill up the last.
 */
export interface Fragment {
  readonly words: Float64Array;
  /** In bytes. */
  readonly length: number;
}

const wordBytes = Float64Array.BYTES_PER_ELEMENT;

/** @param text Without lone surrogates; JSON has escapes for them. */
export function fragmentOf(text: string): Fragment {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.alloc(Math.ceil(length / wordBytes) * wordBytes);
  bytes.write(text);
  // Eight bytes of UTF-8 are never a NaN, whose bits the runtime may change: it ends with a byte 7F or FF behind one
  // from F0 on.
  const words = Float64Array.from({ length: bytes.length / wordBytes }, (_, at) => bytes.readDoubleLE(at * wordBytes));
  return { words, length };
}

/** Bytes at the start, enough for the texts of most answers; more are made as they are needed. */
const startBytes = 65_536;

/** At most, of a number that is put together from tables. */
const numberBytes = 16;

/** The least number that tables have no text for: seven digits before the point, in millionths. */
const tableEnd = 1e12;

/** Characters up to which a loop is faster than a call of the runtime. */
const shortText = 40;

const uuidBytes = 36;

/** `00:00:00.000Z`. */
const timeBytes = 13;

/** Up to three characters in the lower bytes of a number, as a little-endian write puts them down. */
function pack(text: string): number {
  return [...text].reduce((packed, character, at) => packed | (character.charCodeAt(0) << (8 * at)), 0);
}

const numbers = Array.from({ length: 1000 }, (_, number) => String(number));
const paddedNumbers = numbers.map((text) => text.padStart(3, "0"));

/**
 * 0 to 999 as they are written: alone, and how many digits; with three digits; and how many of these are not zeros at
 * the end.
 */
const alone = Uint32Array.from(numbers, pack);
const aloneLength = Uint8Array.from(numbers, (text) => text.length);
const padded = Uint32Array.from(paddedNumbers, pack);
const fractionLength = Uint8Array.from(paddedNumbers, (text) => text.replace(/0+$/, "").length);

/** 0 to 59 with two digits, and what stands behind them in a time. */
const beforeColon = Uint32Array.from({ length: 60 }, (_, number) => pack(`${String(number).padStart(2, "0")}:`));
const beforePoint = Uint32Array.from({ length: 60 }, (_, number) => pack(`${String(number).padStart(2, "0")}.`));

const point = ".".charCodeAt(0);
const hyphen = "-".charCodeAt(0);
const utc = "Z".charCodeAt(0);

/** Writes one text after the other. */
export class JsonWriter {
  #bytes = Buffer.allocUnsafeSlow(startBytes);
  #view = viewOf(this.#bytes);
  #length = 0;

  /** Bytes that have been written. */
  get length(): number {
    return this.#length;
  }

  /** Drops what has been written. */
  clear(): void {
    this.#length = 0;
  }

  /** Takes what has been written; what follows begins again. */
  take(): ByteText {
    const text = this.#bytes.toString("latin1", 0, this.#length) as ByteText;
    this.clear();
    return text;
  }

  fragment({ words, length }: Fragment): void {
    const at = this.#reserve(words.length * wordBytes);
    const view = this.#view;
    for (let word = 0; word < words.length; word++) {
      view.setFloat64(at + word * wordBytes, words[word] as number, true);
    }
    this.#length = at + length;
  }

  /** A text that is not written again. */
  text(text: string): void {
    const at = this.#reserve(text.length * 3);
    if (text.length <= shortText && this.#ascii(text, at)) this.#length = at + text.length;
    else this.#length = at + this.#bytes.write(text, at);
  }

  /** Writes a text in ASCII without a call out of JavaScript. @returns False where it has other characters. */
  #ascii(text: string, at: number): boolean {
    const view = this.#view;
    for (let character = 0; character < text.length; character++) {
      const code = text.charCodeAt(character);
      if (code > 0x7f) return false;
      view.setUint8(at + character, code);
    }
    return true;
  }

  /** A finite number. */
  number(value: number): void {
    const scaled = scaleFigure(value);
    if (value >= 0 && scaled < tableEnd && scaled / figureScale === value) this.#decimal(scaled);
    else this.text(String(value));
  }

  /** `roundFigure` of a number. @param value At least 0 and finite. */
  figure(value: number): void {
    const scaled = scaleFigure(value);
    if (scaled < tableEnd) this.#decimal(scaled);
    else this.text(String(roundFigure(value)));
  }

  /**
   * A number put together from tables; `String` would search the shortest digits of each number, and cache the text
   * among long-lived strings. Different decimals of at most 15 digits read as different numbers (IEEE 754), so these 12
   * are the shortest text.
   *
   * @param scaled The number times `figureScale`, below `tableEnd`.
   */
  #decimal(scaled: number): void {
    let at = this.#reserve(numberBytes);
    const view = this.#view;
    const whole = Math.floor(scaled / figureScale);
    const fraction = scaled - whole * figureScale;
    if (whole < 1000) {
      view.setUint32(at, alone[whole] as number, true);
      at += aloneLength[whole] as number;
    } else {
      const thousands = Math.floor(whole / 1000);
      view.setUint32(at, alone[thousands] as number, true);
      at += aloneLength[thousands] as number;
      view.setUint32(at, padded[whole - thousands * 1000] as number, true);
      at += 3;
    }
    if (fraction !== 0) {
      const high = Math.floor(fraction / 1000);
      const low = fraction - high * 1000;
      view.setUint8(at++, point);
      view.setUint32(at, padded[high] as number, true);
      if (low === 0) at += fractionLength[high] as number;
      else {
        view.setUint32(at + 3, padded[low] as number, true);
        at += 3 + (fractionLength[low] as number);
      }
    }
    this.#length = at;
  }

  /** The UUID of a row of a flat array, as `readUuid` reads it. */
  uuid(words: Uint32Array, row: number): void {
    const at = this.#reserve(uuidBytes);
    const view = this.#view;
    const from = row * wordsPerUuid;
    const first = words[from] as number;
    const second = words[from + 1] as number;
    const third = words[from + 2] as number;
    const fourth = words[from + 3] as number;
    view.setUint32(at, hexCharacters(first >>> 16));
    view.setUint32(at + 4, hexCharacters(first & 0xffff));
    view.setUint8(at + 8, hyphen);
    view.setUint32(at + 9, hexCharacters(second >>> 16));
    view.setUint8(at + 13, hyphen);
    view.setUint32(at + 14, hexCharacters(second & 0xffff));
    view.setUint8(at + 18, hyphen);
    view.setUint32(at + 19, hexCharacters(third >>> 16));
    view.setUint8(at + 23, hyphen);
    view.setUint32(at + 24, hexCharacters(third & 0xffff));
    view.setUint32(at + 28, hexCharacters(fourth >>> 16));
    view.setUint32(at + 32, hexCharacters(fourth & 0xffff));
    this.#length = at + uuidBytes;
  }

  /** A moment in the form of `instantText`. */
  instant(instant: Instant): void {
    const day = Math.floor(instant / dayMilliseconds);
    const time = instant - day * dayMilliseconds;
    const seconds = Math.floor(time / 1000);
    const minutes = Math.floor(seconds / 60);
    this.text(dayPrefix(day));
    const at = this.#reserve(timeBytes);
    const view = this.#view;
    view.setUint32(at, beforeColon[Math.floor(minutes / 60)] as number, true);
    view.setUint32(at + 3, beforeColon[minutes % 60] as number, true);
    view.setUint32(at + 6, beforePoint[seconds % 60] as number, true);
    view.setUint32(at + 9, padded[time - seconds * 1000] as number, true);
    view.setUint8(at + 12, utc);
    this.#length = at + timeBytes;
  }

  /** Makes room. @returns The position of the next byte. */
  #reserve(bytes: number): number {
    if (this.#length + bytes > this.#bytes.length) this.#grow(this.#length + bytes);
    return this.#length;
  }

  #grow(bytesMin: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(bytesMin, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
    this.#view = viewOf(grown);
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

/** JSON text: whole, or in pieces, each made when it is needed. Gone through once. */
export type JsonText = ByteText | Iterable<ByteText>;

const listStart = fragmentOf("[");
const comma = fragmentOf(",");
const listEnd = fragmentOf("]");

/** A list gives a piece when it has so many bytes: enough for most answers, few enough to end a slice in time. */
export const pieceBytes: number = answerChunkBytes / 2;

/** Writes the JSON of an item. Meanwhile no other text is written: a thread has one writer. */
export type WriteItem<Item> = (writer: JsonWriter, item: Item) => void;

const writer = new JsonWriter();

/** A text that is written at once. */
export function writeText(write: (writer: JsonWriter) => void): ByteText {
  writer.clear();
  write(writer);
  return writer.take();
}

const dataStart = fragmentOf('{"data":');
const objectEnd = fragmentOf("}");

/** `{"data":…}` of a text that is written at once: the whole body of an answer. */
export function writeAnswer(write: (writer: JsonWriter) => void): ByteText {
  return writeText((one) => {
    one.fragment(dataStart);
    write(one);
    one.fragment(objectEnd);
  });
}

/** A list of which the items before `at` are written. */
interface WrittenList<Item> {
  readonly items: ArrayLike<Item>;
  readonly writeItem: WriteItem<Item>;
  at: number;
}

/**
 * `[item,item,…]`, the items written when they are needed.
 *
 * @returns The whole text when it fits in one piece.
 */
export function writeList<Item>(items: ArrayLike<Item>, writeItem: WriteItem<Item>): JsonText {
  const list: WrittenList<Item> = { items, writeItem, at: 0 };
  const first = nextPiece(list);
  return list.at === items.length ? first : piecesFrom(first, list);
}

// Not a closure: with one, the texts outlived their answers, and under load V8 collected the whole heap every half
// second.
function* piecesFrom<Item>(first: ByteText, list: WrittenList<Item>): Generator<ByteText> {
  yield first;
  while (list.at < list.items.length) yield nextPiece(list);
}

function nextPiece<Item>(list: WrittenList<Item>): ByteText {
  const { items, writeItem } = list;
  // Drops what is left of a text that could not be finished.
  writer.clear();
  let { at } = list;
  if (at === 0) writer.fragment(listStart);
  for (; at < items.length && writer.length < pieceBytes; at++) {
    if (at > 0) writer.fragment(comma);
    writeItem(writer, items[at] as Item);
  }
  if (at === items.length) writer.fragment(listEnd);
  list.at = at;
  return writer.take();
}

/** Makes something of a store when it is first asked for; it goes with the store. */
export function byStore<Made>(make: (store: Store) => Made): (store: Store) => Made {
  const made = new WeakMap<Store, Made>();
  return (store) => getOrInsert(made, store, make);
}
