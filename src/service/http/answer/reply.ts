/** A reply as a value: what is known of it without its body, and the function that makes the body. */
import type { ByteText } from "../../../contract/byte-text.ts";
import type { RunWork } from "../../../contract/endpoint.ts";
import type { AnswerBody, FileAnswer, HeaderList } from "../../../contract/reply-body.ts";
import type { Store } from "../../../engine/store/store.ts";
import type { AnswerCache } from "./answer-cache.ts";
import type { ContentCoding } from "./representation.ts";

/** The body of a reply: a text, pieces of one, or an open file, which the reply closes. */
export type ReplyBody = AnswerBody | FileAnswer;

/** The place in a cache of the text of a reply, for the next request of the same. */
export interface CachedText {
  readonly cache: AnswerCache;
  readonly store: Store;
  /** Equal keys have equal texts of a store; the cache distinguishes codings. */
  readonly key: string;
}

export interface Reply {
  readonly status: number;
  /** Media type of the body; absent where the body states it, or where there is none. */
  readonly type?: string | undefined;
  /** Headers of the body and of 304; not those of every reply (`send-reply.ts`), of the tag and of the coding. */
  readonly headers: HeaderList;
  /** The tag of the body in a coding; a client that has it gets 304. Absent where a reply has none. */
  readonly etag?: ((coding: ContentCoding) => string) | undefined;
  /** True for an export, whose headers say more to other origins, and of which HEAD makes no body. */
  readonly isExport?: boolean | undefined;
  /** True if the body probably has more than one chunk. */
  readonly isLong?: boolean | undefined;
  /** Absent where its text is not cached. */
  readonly cached?: CachedText | undefined;
  /** The store that the body is made from, whose publication is its date; pieces are made while they are sent. */
  readonly source?: Store | undefined;
  /**
   * A short text that is there, which is never compressed and needs no place; or makes the body, at once or as a
   * promise. It is called at most once, after 304, HEAD of an export and a cached text are settled. Undefined for a
   * reply without a body.
   *
   * @param run Runs work that can be long in turns of the client.
   */
  readonly body: ByteText | ((run: RunWork) => ReplyBody | Promise<ReplyBody>) | undefined;
}

/** A reply without a body. */
export function emptyReply(status: number, headers: HeaderList): Reply {
  return { status, headers, body: undefined };
}
