import { hash } from "node:crypto";
import type { Context } from "./context.ts";

/** Part of every ETag. Raise it when the same store and target begin to give another body. */
const representationVersion = 1;

const mediaType = "application/json";
const contentCoding = "identity";

/**
 * The strong ETag of a GET answer. The store never changes, so what identifies the answer is the snapshot, this code's
 * way of presenting it, and the target exactly as asked.
 */
export function etagOf(snapshotId: string, target: string): string {
  const identity = [snapshotId, representationVersion, target, mediaType, contentCoding].join("\n");
  return tagOf(identity);
}

/** A strong ETag: 162 bits of the SHA-256 of what identifies the answer. */
export function tagOf(identity: string): string {
  return `"${hash("sha256", identity, "base64url").slice(0, 27)}"`;
}

/** Sets the caching headers of a GET answer, and answers 304 when the client has it already. */
export function answerIfUnchanged(ctx: Context, snapshotId: string): boolean {
  const etag = etagOf(snapshotId, ctx.url);
  ctx.set({ ETag: etag, "Cache-Control": "private, no-cache", Vary: "Accept, Accept-Encoding" });
  if (!matchesTag(ctx.get("If-None-Match"), etag)) return false;
  ctx.status = 304;
  return true;
}

/**
 * Whether a client names the ETag among those it has: weak comparison over the list, RFC 9110, section 13.1.2. `*` never
 * matches: it would answer 304 to clients that have never seen the answer.
 */
export function matchesTag(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === etag);
}
