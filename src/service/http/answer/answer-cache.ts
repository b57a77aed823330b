/**
 * Bodies of answers, cached for requests that ask the same of the same store: as they are sent, in the coding in which
 * they are sent; the least recently used one is dropped first. A body is found by the target and the body of a request
 * as sent. Authentication, permission and validation come before; status, headers and tags are made for each request.
 */

import { LRUCache } from "lru-cache";
import { bytesOf, byteText } from "../../../contract/byte-text.ts";
import { answerCollectionsMax, cachedAnswerBytesMax } from "../../../contract/limits.ts";
import type { Store } from "../../../engine/store/store.ts";
import type { CodedBody, ContentCoding } from "./representation.ts";

/** Beside body and key: an object, a string's head, entries in the tables of the cache. */
const entryBytes = 256;

/** The cached answers of one thread, all of one store. */
export class AnswerCache {
  readonly #entries: LRUCache<string, CodedBody>;
  readonly #currentStore: () => Store;
  readonly #holdsNothing: boolean;
  /** Weak: the answers of a released store stay until the next request, the store itself does not. */
  #store: WeakRef<Store> | undefined;
  #collections = 0;

  /**
   * @param bytesMax The bytes that all entries together may take; with 0 nothing is cached.
   * @param currentStore The store that new requests get.
   */
  constructor(bytesMax: number, currentStore: () => Store) {
    this.#currentStore = currentStore;
    this.#holdsNothing = bytesMax === 0;
    this.#entries = new LRUCache({
      // LRUCache refuses 0.
      maxSize: Math.max(1, bytesMax),
      // V8 may hold a key with two bytes a character.
      sizeCalculation: ({ bytes }, key) => bytes.length + 2 * key.length + entryBytes,
    });
  }

  /** The bytes that the entries take. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** @returns Undefined when the answer is not there. */
  find(store: Store, key: string): CodedBody | undefined {
    return this.#isOf(store) ? this.#entries.get(key) : undefined;
  }

  /** Caches an answer, unless it is longer than `cachedAnswerBytesMax` or its store is no longer served. */
  add(store: Store, key: string, { bytes, coding, plainBytes }: CodedBody): void {
    if (bytes.length > cachedAnswerBytesMax || !this.#isOf(store)) return;
    // A text that was put together holds all its parts; a copy holds its bytes alone.
    this.#entries.set(key, { bytes: byteText(bytesOf(bytes)), coding, plainBytes });
  }

  /**
   * Collects a long answer while it is sent.
   *
   * @returns Undefined when `answerCollectionsMax` are being collected; otherwise `close` follows exactly once.
   */
  collect(store: Store, key: string, coding: ContentCoding): AnswerCollector | undefined {
    if (this.#holdsNothing || this.#collections >= answerCollectionsMax) return undefined;
    this.#collections++;
    const chunks: Buffer[] = [];
    let length = 0;
    let plain = 0;
    return {
      add: (chunk, plainBytes, isLast) => {
        plain += plainBytes;
        length += chunk.length;
        chunks.push(chunk);
        if (length > cachedAnswerBytesMax) chunks.length = 0;
        else if (isLast) this.add(store, key, { bytes: byteText(Buffer.concat(chunks)), coding, plainBytes: plain });
      },
      close: () => void this.#collections--,
    };
  }

  /** Returns whether entries are of a store; the entries of another are dropped once requests get this one. */
  #isOf(store: Store): boolean {
    if (this.#holdsNothing) return false;
    if (this.#store?.deref() === store) return true;
    // A request that has begun on the store before.
    if (this.#currentStore() !== store) return false;
    this.#entries.clear();
    this.#store = new WeakRef(store);
    return true;
  }
}

/** The chunks of a long answer. */
export interface AnswerCollector {
  /** Takes the next chunk, of so many bytes in no coding; with the last one the answer is cached. */
  add(chunk: Buffer, plainBytes: number, isLast: boolean): void;
  close(): void;
}
