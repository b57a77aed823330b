/** An answer of many chunks, and clients that read it badly. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Downloads } from "../../src/contract/downloads.ts";
import { publicKey } from "./signed-request.ts";

/** Asks for the newest price of every market and unit. */
export const longTarget = "/api/v1/prices/latest?one_per_market=true&limit=1000";

/** Downloads of 64 MB each, which no client can take at once. */
export const longDownloads: Downloads = {
  list: async () => [],
  open: async (_snapshot, name) => ({
    ...{ name, media_type: "text/csv", bytes: 2 ** 26, sha256: "abc", published_at: "2026-01-01T00:00:00.000Z" },
    read: async (_position, length) => Buffer.alloc(length),
    close: async () => {},
  }),
};

/** A connection that has asked for a target and reads nothing of the answer. */
export async function askWithoutReading(
  port: number,
  target: string = longTarget,
  {
    key = publicKey,
    localAddress = "127.0.0.1",
    coding = "identity",
  }: { readonly key?: string; readonly localAddress?: string; readonly coding?: string } = {},
): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined);
  socket.pause();
  await once(socket, "connect");
  socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nAccept-Encoding: ${coding}\r\n\r\n`);
  return socket;
}

/** Reads so many bytes every `milliseconds`, until the returned function is called. */
export function readSlowly(
  socket: Socket,
  bytes: number,
  milliseconds: number,
  onRead: (chunk: Buffer) => void = () => undefined,
): () => void {
  const timer = setInterval(() => {
    const chunk: Buffer | null = socket.read(bytes) ?? socket.read();
    if (chunk !== null) onRead(chunk);
  }, milliseconds);
  return () => clearInterval(timer);
}
