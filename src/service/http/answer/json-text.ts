/**
 * The JSON text of answers, written from fragments: an answer over a store names the same few products, markets, units
 * and sources again and again, so their texts are made once, and a row is written from them.
 */

import { type ByteText, byteText, joinBytes, jsonText, noBytes } from "../../../contract/byte-text.ts";
import { requiredFields } from "../../../contract/schema.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import type { ObjectSchema } from "../../../engine/model/json-schema.ts";
import { pageCount } from "../../../engine/query/page.ts";
import type { Store } from "../../../engine/store/store.ts";
import { byStore, type JsonText, pieceBytes } from "./json-writer.ts";
import { presentRecord } from "./present-record.ts";

/** A text that is in ASCII by its form. */
function ascii(text: string): ByteText {
  return text as ByteText;
}

/**
 * `[item,item,…]`, the text of each item made when it is needed.
 *
 * @returns The whole text when it fits in one piece, as that of most pages does: a generator costs as much as several
 *   rows.
 */
export function listText<Item>(items: ArrayLike<Item>, itemText: (item: Item) => JsonText): JsonText {
  let text = ascii("[");
  for (let at = 0; at < items.length; at++) {
    if (text.length >= pieceBytes) return restOfList(text, items, at, itemText);
    if (at > 0) text = joinBytes(text, ascii(","));
    const item = itemText(items[at] as Item);
    if (typeof item !== "string") return joinTexts(text, item, restOfList(noBytes, items, at + 1, itemText));
    text = joinBytes(text, item);
  }
  return joinBytes(text, ascii("]"));
}

/** @param text The text before the item at `start`. */
function* restOfList<Item>(
  text: ByteText,
  items: ArrayLike<Item>,
  start: number,
  itemText: (item: Item) => JsonText,
): Generator<ByteText> {
  for (let at = start; at < items.length; at++) {
    if (text.length >= pieceBytes) {
      yield text;
      text = noBytes;
    }
    if (at > 0) text = joinBytes(text, ascii(","));
    const item = itemText(items[at] as Item);
    if (typeof item === "string") text = joinBytes(text, item);
    else {
      yield text;
      text = noBytes;
      yield* item;
    }
  }
  yield joinBytes(text, ascii("]"));
}

/** Texts one behind the other; whole when all are. */
export function joinTexts(...texts: readonly JsonText[]): JsonText {
  let whole = noBytes;
  for (const text of texts) {
    if (typeof text !== "string") return piecesOf(texts);
    whole = joinBytes(whole, text);
  }
  return whole;
}

function* piecesOf(texts: readonly JsonText[]): Generator<ByteText> {
  for (const text of texts) {
    if (typeof text === "string") yield text;
    else yield* text;
  }
}

/** An object of texts by their names, which are in ASCII; whole when all are. */
export function objectText(fields: Readonly<Record<string, JsonText>>): JsonText {
  const texts: JsonText[] = [];
  for (const name of Object.keys(fields)) {
    texts.push(ascii(`${texts.length === 0 ? "{" : ","}"${name}":`), fields[name] as JsonText);
  }
  return joinTexts(...texts, ascii("}"));
}

/** `{"data":…}`, with `meta` behind it where there is one: the whole body of a successful answer. */
export function answerText(data: JsonText, meta?: ByteText): JsonText {
  if (meta === undefined) return joinTexts(ascii('{"data":'), data, ascii("}"));
  return joinTexts(ascii('{"data":'), data, ascii(',"meta":'), meta, ascii("}"));
}

/** `meta` of a paginated list. @param further Fields behind its own. */
export function pageText(page: number, pageSize: number, total: number, further?: object): ByteText {
  const start = `{"page":${page},"page_size":${pageSize},"total":${total},"total_pages":${pageCount(total, pageSize)}`;
  if (further === undefined) return ascii(`${start}}`);
  return byteText(`${start},${JSON.stringify(further).slice(1)}`);
}

/**
 * The JSON texts of records of a store, each made when it is first asked for: without `detail` the fields that the
 * schema requires, with it all.
 *
 * @param schema The fields that an answer has of a record, see `presentRecord`.
 * @param join Adds what the schema has of other records.
 */
export function textsByRecord<Entry extends object>(
  schema: ObjectSchema,
  join: (entry: Entry, store: Store) => object = (entry) => entry,
): (store: Store, isDetailed?: boolean) => (entry: Entry) => ByteText {
  const textsOf = (form: ObjectSchema): ((store: Store) => (entry: Entry) => ByteText) =>
    byStore((store) => {
      const texts = new Map<Entry, ByteText>();
      const present = (entry: Entry): ByteText => jsonText(presentRecord(form, join(entry, store)));
      return (entry) => getOrInsert(texts, entry, present);
    });
  const properties = Object.entries(schema.properties).filter(([name]) => requiredFields(schema).includes(name));
  const plain = textsOf({ ...schema, properties: Object.fromEntries(properties) });
  const detailed = textsOf(schema);
  return (store, isDetailed = false) => (isDetailed ? detailed : plain)(store);
}

/** A list of records of a store as JSON text. @param schema The fields that an answer has of a record. */
export function textOfRecords(
  schema: ObjectSchema,
  recordsOf: (store: Store) => readonly object[],
): (store: Store) => ByteText {
  return byStore((store) => jsonText(recordsOf(store).map((record) => presentRecord(schema, record))));
}
