/** The bodies that the bare servers send: answers of ours, byte by byte. */
import type { IncomingMessage } from "node:http";
import type { PlainRequest } from "../http-question.ts";

export interface PreparedBody {
  readonly text: string;
  /** With GET. */
  readonly etag: string | null;
}

export type PreparedBodies = ReadonlyMap<string, PreparedBody>;

/** What names the answer to a request: the target, with POST the body as well. */
export function preparedKey({ target, body }: Pick<PlainRequest, "target" | "body">): string {
  return target + body;
}

/** The headers of an answer beside its length, as anyone would set them. */
export function plainHeaders({ etag }: PreparedBody): Record<string, string> {
  const headers = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "private, no-cache" };
  return etag === null ? headers : { ...headers, ETag: etag };
}

/** The body of a request as text. */
export function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => resolve(Buffer.concat(chunks).toString()))
      .on("error", reject);
  });
}
