/** Status and headers on the wire, and the end of a reply that cannot be completed. */

import type { ServerResponse } from "node:http";
import type { HeaderList } from "../../../contract/reply-body.ts";
import type { Context } from "../context.ts";

const exposedHeaders = "ETag, X-Snapshot-Id, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After";

/** The headers of every answer, also of one that is written without the app: CORS, and that no type is guessed. */
export const commonHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": exposedHeaders,
  "X-Content-Type-Options": "nosniff",
};

const commonHeaderList = Object.entries(commonHeaders).flat();

/** Headers of files: pages of other origins may read more of them. */
const fileHeaderList = Object.entries({
  ...commonHeaders,
  "Access-Control-Expose-Headers": [
    ...[exposedHeaders, "X-Citation", "Link"],
    ...["Content-Disposition", "Content-Range", "Accept-Ranges"],
  ].join(", "),
}).flat();

/** Writes status and headers, once; Koa writes nothing from then on. */
export function writeHead(ctx: Context, status: number, headers: HeaderList): void {
  const { requestId, store, allowance, isFile } = ctx.state;
  const all = [...(isFile ? fileHeaderList : commonHeaderList), "X-Request-Id", requestId, ...headers];
  if (store !== undefined) all.push("X-Snapshot-Id", store.snapshot.id);
  if (allowance !== undefined) all.push(...allowance.headers);
  ctx.respond = false;
  ctx.res.writeHead(status, all);
}

/**
 * Breaks off an answer whose headers have left, by a reset: the end of an answer of HTTP/1.0 is that of its connection,
 * so a client would take a connection that closes in good order for a whole answer.
 */
export function breakConnection({ socket }: ServerResponse): void {
  socket?.resetAndDestroy();
}
