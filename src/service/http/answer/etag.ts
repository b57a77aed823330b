/** Entity tags and conditional requests, RFC 9110, sections 8.8.3 and 13. */
import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { ContentCoding } from "./compress.ts";

/**
 * The strong tags of answers. A store never changes, so what identifies an answer is the snapshot, the version of the
 * code that presents it, the target exactly as sent, and the coding. A tag is only ever compared with those of the same
 * target; its checksum of the target reveals clients that mix them up.
 */
export class Tags {
  readonly #version: string;
  /** The part that all answers of a snapshot share, of the newest snapshot. */
  #newest = { snapshotId: "", tag: "" };

  /** @param version Of all representations. */
  constructor(version: string) {
    this.#version = version;
  }

  /** The tag of the answer to a GET. */
  of(snapshotId: string, target: string, coding: ContentCoding): string {
    if (this.#newest.snapshotId !== snapshotId) {
      this.#newest = { snapshotId, tag: digest(`${snapshotId}\n${this.#version}`) };
    }
    const tag = `"${this.#newest.tag}-${crc32(target).toString(16).padStart(8, "0")}`;
    return coding === "identity" ? `${tag}"` : `${tag}-${coding}"`;
  }
}

/** The strong tags of a text that does not depend on the target. The text is hashed once. */
export function textTags(text: string): (coding: ContentCoding) => string {
  const tag = digest(text);
  return (coding) => (coding === "identity" ? `"${tag}"` : `"${tag}-${coding}"`);
}

/** 108 bits of SHA-256 as 18 characters. */
function digest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 18);
}

/** Whether `If-Match` has a strong tag: `*`, or the tag itself in the list, RFC 9110, section 13.1.1. */
export function matchesTagStrongly(ifMatch: string, etag: string): boolean {
  return ifMatch.trim() === "*" || ifMatch.split(",").some((candidate) => candidate.trim() === etag);
}

/** The three forms of RFC 9110, section 5.6.7, with the day of the month. */
const dateForms = [
  /^[A-Z][a-z]{2}, (\d\d) [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{5,8}, (\d\d)-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} ([ \d]\d) \d\d:\d\d:\d\d \d{4}$/,
];

/** An HTTP date as milliseconds since 1970-01-01T00:00:00Z; undefined where it is none. */
export function httpDate(text: string): number | undefined {
  const day = dateForms.map((form) => form.exec(text)?.[1]).find((found) => found !== undefined);
  if (day === undefined) return undefined;
  const date = new Date(text.endsWith(" GMT") ? text : `${text} GMT`);
  // 30 February would be a day of March.
  return date.getUTCDate() === Number(day) ? date.getTime() : undefined;
}

/**
 * Whether a client names the tag among those it has: weak comparison over the list, RFC 9110, section 13.1.2. `*` never
 * matches: it would answer 304 to clients that have never seen the answer.
 */
export function matchesTag(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === etag);
}
