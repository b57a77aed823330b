/** Files that hold the whole of a snapshot, read while they arrive. */
import { fillPath } from "./call-operation.ts";
import { filePath } from "./generated-api.ts";
import type { FileFields } from "./operation-types.ts";
import type { CallOptions, Send } from "./send-request.ts";

/** A file that is on its way. */
export interface Download {
  /** The snapshot that it is of. */
  readonly snapshot: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** SHA-256 of the whole file, in hexadecimal. */
  readonly sha256: string;
  /** The file while it arrives; an error where fewer or more bytes come. Its SHA-256 is for the reader to check. */
  readonly body: ReadableStream<Uint8Array>;
  /**
   * Reads the whole file into memory, in place of `body`.
   *
   * @throws {TypeError} When its SHA-256 is not the one that the service has named. Browsers compute it in secure
   *   contexts only; elsewhere it is not checked.
   */
  read(): Promise<Uint8Array>;
}

/** @throws {ApiError} When the answer is no success. @throws {TypeError} When it does not describe a file. */
export async function downloadFile(
  send: Send,
  fields: FileFields,
  options: Pick<CallOptions, "signal"> = {},
): Promise<Download> {
  const { path } = fillPath(filePath, { ...fields });
  const response = await send({ method: "GET", target: path, body: "", headers: {} }, options);
  const { headers } = response;
  const [, sha256] = /^"([0-9a-f]{64})"$/.exec(headers.get("ETag") ?? "") ?? [];
  const bytes = Number(headers.get("Content-Length") ?? Number.NaN);
  if (sha256 === undefined || !Number.isInteger(bytes) || response.body === null) {
    await response.body?.cancel();
    throw new TypeError(`The answer to ${path} has no Content-Length or no SHA-256 as its ETag, expected a file.`);
  }
  const body = response.body.pipeThrough(requireLength(fields.file, bytes));
  return {
    snapshot: fields.snapshot,
    mediaType: headers.get("Content-Type") ?? "",
    bytes,
    sha256,
    body,
    async read() {
      const content = new Uint8Array(await new Response(body).arrayBuffer());
      // Absent in pages that were not loaded over TLS.
      const subtle = globalThis.crypto.subtle as typeof globalThis.crypto.subtle | undefined;
      const digest = subtle && hexadecimal(await subtle.digest("SHA-256", content));
      if (digest !== undefined && digest !== sha256) throw wrongContent(fields.file, digest, sha256);
      return content;
    },
  };
}

/** The error for a file that is not the one that the service has named. */
export function wrongContent(file: string, found: string, wanted: string): TypeError {
  return new TypeError(`${file} has SHA-256 ${found}, expected ${wanted}.`);
}

/** Passes bytes on, and fails at the end where there were fewer or more than announced. */
function requireLength(file: string, bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let received = 0;
  return new TransformStream({
    transform(chunk, controller) {
      received += chunk.length;
      controller.enqueue(chunk);
    },
    flush() {
      if (received !== bytes) throw new TypeError(`${file} ends after ${received} bytes, expected ${bytes}.`);
    },
  });
}

function hexadecimal(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
