/** Files that hold the whole of a snapshot, read while they arrive. */
import { ApiError } from "./api-error.ts";
import { checkFields, fillPath } from "./call-operation.ts";
import { filePath } from "./generated-api.ts";
import type { FileFields } from "./operation-types.ts";
import { type CallOptions, type Send, waitFor } from "./send-request.ts";

/** A file that is on its way. */
export interface Download {
  /** The snapshot that it is of. */
  readonly snapshot: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** SHA-256 of the whole file, in hexadecimal. */
  readonly sha256: string;
  /**
   * The file while it arrives. Where the connection ends before the file does, the rest is requested, as long as more
   * bytes come. Its SHA-256 is for the reader to check.
   */
  readonly body: ReadableStream<Uint8Array>;
  /**
   * Reads the whole file into memory, in place of `body`.
   *
   * @throws {TypeError} When its SHA-256 is not the one that the service has named. Browsers compute it in secure
   *   contexts only; elsewhere it is not checked.
   */
  read(): Promise<Uint8Array>;
}

const fileFields: readonly (keyof FileFields)[] = ["snapshot", "file"];

/**
 * @throws {ApiError} When the answer is no success.
 * @throws {TypeError} With a field that it does not have, or when the answer does not describe a file.
 */
export async function downloadFile(
  send: Send,
  fields: FileFields,
  options: Pick<CallOptions, "signal"> = {},
): Promise<Download> {
  checkFields("downloadFile", { ...fields }, fileFields);
  const { path } = fillPath(filePath, { ...fields });
  const response = await send({ method: "GET", target: path, body: "", headers: {} }, options);
  const { headers } = response;
  const [, sha256] = /^"([0-9a-f]{64})"$/.exec(headers.get("ETag") ?? "") ?? [];
  const bytes = Number(headers.get("Content-Length") ?? Number.NaN);
  if (sha256 === undefined || !Number.isInteger(bytes) || response.body === null) {
    await response.body?.cancel();
    throw new TypeError(`The answer to ${path} has no Content-Length or no SHA-256 as its ETag, expected a file.`);
  }
  const ask = (from: number): Promise<Response> =>
    send({ method: "GET", target: path, body: "", headers: { Range: `bytes=${from}-` } }, options);
  const body = resumedBody(response, { file: fields.file, bytes, ask, signal: options.signal });
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

/** Requests for the rest of a file after which not one more byte has come. */
const fruitlessMax = 3;

interface ResumedFile {
  readonly file: string;
  readonly bytes: number;
  /** Asks for the file from a position on. */
  readonly ask: (from: number) => Promise<Response>;
  readonly signal: AbortSignal | undefined;
}

/**
 * The bytes of a file, over as many answers as it takes.
 *
 * @param first The answer with the beginning. The others must have its ETag.
 * @throws {TypeError} In the stream, when the file is longer, or does not come to its end.
 */
function resumedBody(first: Response, { file, bytes, ask, signal }: ResumedFile): ReadableStream<Uint8Array> {
  let reader = readerOf(first);
  let received = 0;
  let fruitless = 0;
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const value = await nextChunk();
        if (value !== undefined) {
          received += value.length;
          if (value.length > 0) fruitless = 0;
          if (received > bytes) {
            await reader.cancel();
            throw wrongLength();
          }
          return controller.enqueue(value);
        }
        if (received === bytes) return controller.close();
        reader = await resume();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });

  /** Undefined where this answer has no more; a connection that is lost is an end too. */
  async function nextChunk(): Promise<Uint8Array | undefined> {
    try {
      return (await reader.read()).value;
    } catch (error) {
      if (signal?.aborted) throw error;
      return undefined;
    }
  }

  async function resume(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const rest = await askAgain();
    if (rest.status === 206 && rest.headers.get("ETag") === first.headers.get("ETag")) return readerOf(rest);
    await rest.body?.cancel();
    throw wrongLength();
  }

  /** A service that cannot be reached may be back a moment later. */
  async function askAgain(): Promise<Response> {
    for (;;) {
      if (++fruitless > fruitlessMax) throw wrongLength();
      try {
        return await ask(received);
      } catch (error) {
        if (error instanceof ApiError || signal?.aborted) throw error;
        await waitFor(fruitless * 1000, signal);
      }
    }
  }

  function wrongLength(): TypeError {
    return new TypeError(`${file} ends after ${received} bytes, expected ${bytes}.`);
  }
}

function readerOf({ body }: Response): ReadableStreamDefaultReader<Uint8Array> {
  return (body as ReadableStream<Uint8Array>).getReader();
}

function hexadecimal(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
