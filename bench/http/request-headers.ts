/** A plain request → what is sent: key, signature, and the bytes for the load generator. */
import { signRequest } from "../../src/contract/credentials.ts";
import type { PlainRequest } from "./http-question.ts";

/** The keys that all servers of a run know. */
export interface BenchKeys {
  readonly publicKey: string;
  readonly secretKey: string;
}

/**
 * The headers of a request, signed now where it is asked with the secret key; good for the five minutes of the window.
 */
export function headersOf({ method, target, body, access }: PlainRequest, keys: BenchKeys): Record<string, string> {
  const headers: Record<string, string> = { "X-API-Key": access === "public" ? keys.publicKey : keys.secretKey };
  if (method === "POST") headers["Content-Type"] = "application/json";
  if (access === "public") return headers;
  const timestamp = String(Math.floor(Date.now() / 1000));
  headers["X-Signature-Timestamp"] = timestamp;
  headers["X-Signature"] = signRequest(keys.secretKey, { method, path: target, timestamp, body: Buffer.from(body) });
  return headers;
}

/** The bytes of a whole request on a keep-alive connection. */
export function requestBytes(request: PlainRequest, keys: BenchKeys, port: number): Buffer {
  const { method, target, body } = request;
  const headers: Record<string, string> = {
    Host: `127.0.0.1:${port}`,
    ...headersOf(request, keys),
    ...(method === "POST" && { "Content-Length": String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}
