/**
 * The JSON text of answers, written from fragments: an answer over a store names the same few products, markets, units and
 * sources again and again, so their texts are made once, and a row is a template of them.
 */
import { pageCount } from "../query/page.ts";
import type { Store } from "../store/store.ts";
import { type Fragment, fragmentOf, JsonWriter } from "./json-writer.ts";
import { answerChunkCharacters } from "./limits.ts";

/** JSON text: whole, or in pieces, each made when it is needed. Gone through once. */
export type JsonText = string | Iterable<string>;

const listStart = fragmentOf("[");
const comma = fragmentOf(",");
const listEnd = fragmentOf("]");

/** A list gives a piece when it has so many characters: enough for most answers, few enough to end a slice in time. */
export const pieceCharacters: number = answerChunkCharacters / 2;

/**
 * `[item,item,…]`, the text of each item made when it is needed.
 *
 * @returns The whole text when it fits in one piece, as that of most pages does: a generator costs as much as several rows.
 */
export function listText<Item>(items: ArrayLike<Item>, itemText: (item: Item) => JsonText): JsonText {
  let text = "[";
  for (let at = 0; at < items.length; at++) {
    if (text.length >= pieceCharacters) return restOfList(text, items, at, itemText);
    if (at > 0) text += ",";
    const item = itemText(items[at] as Item);
    if (typeof item !== "string") return joinTexts(text, item, restOfList("", items, at + 1, itemText));
    text += item;
  }
  return `${text}]`;
}

/** @param text What stands before the item at `start`. */
function* restOfList<Item>(
  text: string,
  items: ArrayLike<Item>,
  start: number,
  itemText: (item: Item) => JsonText,
): Generator<string> {
  for (let at = start; at < items.length; at++) {
    if (text.length >= pieceCharacters) {
      yield text;
      text = "";
    }
    if (at > 0) text += ",";
    const item = itemText(items[at] as Item);
    if (typeof item === "string") text += item;
    else {
      yield text;
      text = "";
      yield* item;
    }
  }
  yield `${text}]`;
}

/** Writes the JSON of an item. Makes no list meanwhile: all texts of a thread are written by one writer. */
export type WriteItem<Item> = (writer: JsonWriter, item: Item) => void;

const writer = new JsonWriter();

/** A text that is written at once. */
export function writeText(write: (writer: JsonWriter) => void): string {
  writer.clear();
  write(writer);
  return writer.take();
}

/** A list of which the items before `at` are written. */
interface WrittenList<Item> {
  readonly items: ArrayLike<Item>;
  readonly writeItem: WriteItem<Item>;
  at: number;
}

/** As `listText`, of items that are written. */
export function writeList<Item>(items: ArrayLike<Item>, writeItem: WriteItem<Item>): JsonText {
  const list: WrittenList<Item> = { items, writeItem, at: 0 };
  const first = nextPiece(list);
  return list.at === items.length ? first : piecesFrom(first, list);
}

// Not a closure: the runtime keeps a long-lived object for each generator function, and with it all that a closure holds.
function* piecesFrom<Item>(first: string, list: WrittenList<Item>): Generator<string> {
  yield first;
  while (list.at < list.items.length) yield nextPiece(list);
}

function nextPiece<Item>(list: WrittenList<Item>): string {
  const { items, writeItem } = list;
  // Drops what is left of a text that could not be finished.
  writer.clear();
  let { at } = list;
  if (at === 0) writer.fragment(listStart);
  for (; at < items.length && writer.length < pieceCharacters; at++) {
    if (at > 0) writer.fragment(comma);
    writeItem(writer, items[at] as Item);
  }
  if (at === items.length) writer.fragment(listEnd);
  list.at = at;
  return writer.take();
}

/** Texts one behind the other; whole when all are. */
export function joinTexts(...texts: readonly JsonText[]): JsonText {
  let whole = "";
  for (const text of texts) {
    if (typeof text !== "string") return piecesOf(texts);
    whole += text;
  }
  return whole;
}

function* piecesOf(texts: readonly JsonText[]): Generator<string> {
  for (const text of texts) {
    if (typeof text === "string") yield text;
    else yield* text;
  }
}

/** `{"data":…}`, with `meta` behind it where there is one: the whole body of a successful answer. */
export function answerText(data: JsonText, meta?: string): JsonText {
  return joinTexts('{"data":', data, meta === undefined ? "}" : `,"meta":${meta}}`);
}

/** `meta` of a paginated list. */
export function pageText(page: number, pageSize: number, total: number): string {
  return `{"page":${page},"page_size":${pageSize},"total":${total},"total_pages":${pageCount(total, pageSize)}}`;
}

/** Makes something of a store when it is first asked for; it goes with the store. */
export function byStore<Made>(make: (store: Store) => Made): (store: Store) => Made {
  const made = new WeakMap<Store, { readonly value: Made }>();
  return (store) => {
    let known = made.get(store);
    if (known === undefined) {
      known = { value: make(store) };
      made.set(store, known);
    }
    return known.value;
  };
}

/** What a store has under codes (0, 1, 2, …), in a form that is made when it is first asked for. */
function byCode<Made>(make: (store: Store, code: number) => Made): (store: Store) => (code: number) => Made {
  return byStore((store) => {
    const made: Made[] = [];
    return (code) => {
      made[code] ??= make(store, code);
      return made[code];
    };
  });
}

/** Fragments of what a store has under codes. */
export function fragmentsByCode(
  make: (store: Store, code: number) => string,
): (store: Store) => (code: number) => Fragment {
  return byCode((store, code) => fragmentOf(make(store, code)));
}

/** JSON texts of what a store has under codes. */
export function textsByCode(
  present: (store: Store, code: number) => unknown,
): (store: Store) => (code: number) => string {
  return byCode((store, code) => JSON.stringify(present(store, code)));
}

/** The JSON texts of records of a store, each made when it is first asked for. */
export function textsByRecord<Entry extends object>(
  present: (entry: Entry, store: Store) => object,
): (store: Store) => (entry: Entry) => string {
  return byStore((store) => {
    const texts = new Map<Entry, string>();
    return (entry) => {
      let text = texts.get(entry);
      if (text === undefined) {
        text = JSON.stringify(present(entry, store));
        texts.set(entry, text);
      }
      return text;
    };
  });
}
