/**
 * The JSON text of answers, written from fragments: an answer over a store names the same few products, markets, units and
 * sources again and again, so their texts are made once, and a row is a template of them.
 */
import { pageCount } from "../query/page.ts";
import type { Store } from "../store/store.ts";

/** JSON text: whole, or in pieces, each made when it is needed. Gone through once. */
export type JsonText = string | Iterable<string>;

/** A list gives a piece when it has so many characters: enough to make pieces cheap, few enough to end a slice in time. */
const pieceCharacters = 8192;

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

/** Texts of what a store has under codes (0, 1, 2, …), each made when it is first asked for. */
export function fragmentsByCode(
  make: (store: Store, code: number) => string,
): (store: Store) => (code: number) => string {
  return byStore((store) => {
    const fragments: string[] = [];
    return (code) => {
      fragments[code] ??= make(store, code);
      return fragments[code];
    };
  });
}

/** As `fragmentsByCode`, of the JSON of values. */
export function textsByCode(
  present: (store: Store, code: number) => unknown,
): (store: Store) => (code: number) => string {
  return fragmentsByCode((store, code) => JSON.stringify(present(store, code)));
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
