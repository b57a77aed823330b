/**
 * `changes.csv.gz` of a snapshot: the prices that its publication has added, corrected, withdrawn or dropped. It stands
 * beside the files of the manifest, which does not list it: no reader of records depends on it.
 */
import { pipeline } from "node:stream";
import { constants, createGzip } from "node:zlib";
import { csvCell, csvRow, guardFormula } from "../../engine/model/csv-text.ts";
import { getOrInsert } from "../../engine/model/get-or-insert.ts";
import { compareUuids, readUuid, UuidSet, wordsPerUuid } from "../../engine/model/ids.ts";
import type { PriceDecision } from "../../engine/model/records.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import { sortPositions } from "../../engine/store/radix-sort.ts";
import type { Store } from "../../engine/store/store.ts";
import { noRow, type PriceChanges } from "./price-changes.ts";

export const changeKinds = ["added", "corrected", "withdrawn", "gone"] as const;

/** The change of a price. */
export type ChangeKind = (typeof changeKinds)[number];

/** The columns; unit and currency of the price before stand there where they differ. */
export const changeColumns = [
  "uuid",
  "product",
  "market",
  "day",
  "unit",
  "currency",
  "change",
  "price_before",
  "price_after",
  "unit_before",
  "currency_before",
] as const;

/** Stand for the kind of change, without a uuid, where there are no changes to list. */
export const firstPublication = "first publication";
export const notCompared = "not compared";

const rowsPerPiece = 4096;

/**
 * The content of the file where nothing was compared: the head, and a line that says why.
 */
export function uncomparedFile(reason: typeof firstPublication | typeof notCompared): AsyncIterable<Buffer> {
  const cells = changeColumns.map((name) => (name === "change" ? reason : ""));
  return compressed([csvRow(changeColumns), csvRow(cells)]);
}

/**
 * The content of the file, by uuid.
 *
 * @param withdrawals The withdrawals of the snapshot after: a price that is gone and withdrawn is called withdrawn.
 * Cost: the changes are sorted; a text for each, a few thousand at a time.
 */
export function changesFile(
  before: Store,
  after: Store,
  changes: PriceChanges,
  withdrawals: readonly PriceDecision[],
): AsyncIterable<Buffer> {
  return compressed(changeLines(before, after, changes, withdrawals));
}

/** Text as gzip has it, at its least level: a publication waits for it. */
export function compressed(pieces: Iterable<string> | AsyncIterable<string>): AsyncIterable<Buffer> {
  // The callback is where pipeline reports; the same error reaches the reader of the result, which is destroyed too.
  return pipeline(pieces, createGzip({ level: constants.Z_BEST_SPEED }), () => {}) as AsyncIterable<Buffer>;
}

function* changeLines(
  before: Store,
  after: Store,
  changes: PriceChanges,
  withdrawals: readonly PriceDecision[],
): Generator<string> {
  const withdrawn = new UuidSet(withdrawals.map(({ uuid }) => uuid));
  const words = uuidsOf(before, after, changes);
  const order = sortByUuid(words);
  const [textBefore, textAfter] = [rowTexts(before), rowTexts(after)];
  let text = csvRow(changeColumns);
  let count = 0;
  let last: string | undefined;
  for (const at of order) {
    const [rowBefore = noRow, row = noRow] = [changes.before[at], changes.after[at]];
    const uuid = readUuid(words, at);
    // A publication may touch a price twice.
    if (uuid === last) continue;
    last = uuid;
    const was = rowBefore === noRow ? undefined : textBefore(rowBefore);
    const is = row === noRow ? undefined : textAfter(row);
    const isWithdrawn = is === undefined && withdrawn.positionOf(words, at) !== undefined;
    const kind = was === undefined ? "added" : is !== undefined ? "corrected" : isWithdrawn ? "withdrawn" : "gone";
    text += changeLine(uuid, kind, was, is);
    if (++count % rowsPerPiece > 0) continue;
    yield text;
    text = "";
  }
  yield text;
}

/** The uuids of the changed prices, by position. */
function uuidsOf({ prices: a }: Store, { prices: b }: Store, changes: PriceChanges): Uint32Array {
  const words = new Uint32Array(changes.before.length * wordsPerUuid);
  for (let at = 0; at < changes.before.length; at++) {
    const row = changes.after[at] as number;
    const uuids = row === noRow ? a.uuids : b.uuids;
    const from = row === noRow ? (changes.before[at] as number) : row;
    // Without a view for each: that takes as long as sorting them.
    for (let word = 0; word < wordsPerUuid; word++) {
      words[at * wordsPerUuid + word] = uuids[from * wordsPerUuid + word] as number;
    }
  }
  return words;
}

/** Bits of the second word that a key has: with the first word as many as a number holds exactly. */
const secondWordBits = 21;

/**
 * The positions of some uuids, the least first.
 *
 * Cost: that of `sortPositions`, and of a comparator for uuids that begin with the same 53 bits, as those of one
 * millisecond do (RFC 9562, version 7).
 */
function sortByUuid(words: Uint32Array): Uint32Array {
  const keys = new Float64Array(words.length / wordsPerUuid);
  for (let at = 0; at < keys.length; at++) {
    const [first, second] = [words[at * wordsPerUuid] as number, words[at * wordsPerUuid + 1] as number];
    keys[at] = first * 2 ** secondWordBits + (second >>> (32 - secondWordBits));
  }
  const order = sortPositions(keys);
  for (let from = 0, to = 0; from < order.length; from = to) {
    const key = keys[order[from] as number];
    while (to < order.length && keys[order[to] as number] === key) to++;
    if (to - from > 1) order.subarray(from, to).sort((a, b) => compareUuids(words, a, b));
  }
  return order;
}

/** Cells of a price, as text of CSV. */
interface RowText {
  readonly place: string;
  readonly unit: string;
  readonly currency: string;
  readonly price: number;
}

function changeLine(uuid: string, kind: ChangeKind, was: RowText | undefined, is: RowText | undefined): string {
  const { place, unit, currency } = (is ?? was) as RowText;
  const unitBefore = was === undefined || was.unit === unit ? "" : was.unit;
  const currencyBefore = was === undefined || was.currency === currency ? "" : was.currency;
  const prices = `${was?.price ?? ""},${is?.price ?? ""}`;
  return `${uuid},${place},${unit},${currency},${kind},${prices},${unitBefore},${currencyBefore}\r\n`;
}

/** Makes the cells of a row; the text of a name is made once. */
function rowTexts({ prices, catalogue, periods }: Store): (row: number) => RowText {
  const cell = (text: string): string => csvCell(guardFormula(text));
  const products = cached((code) => cell(recordAt(catalogue.products, code).name));
  const markets = cached((code) => cell(recordAt(catalogue.markets, code).name));
  const units = cached((code) => cell(prices.unitNames[code] as string));
  const currencies = cached((code) => cell(prices.currencyCodes[code] as string));
  return (row) => {
    const [product, market] = [products(prices.products[row] as number), markets(prices.markets[row] as number)];
    return {
      place: `${product},${market},${periods.day.labels[periods.dayCodes[row] as number]}`,
      unit: units(prices.units[row] as number),
      currency: currencies(prices.currencies[row] as number),
      price: prices.prices[row] as number,
    };
  };
}

function cached(make: (code: number) => string): (code: number) => string {
  const texts = new Map<number, string>();
  return (code) => getOrInsert(texts, code, make);
}
