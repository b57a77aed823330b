/** The entry of the package for what needs the files of Node.js; for both kinds of client. */
import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import type { Client } from "./client.ts";
import { type Download, wrongContent } from "./download-file.ts";
import type { FileFields } from "./operation-types.ts";
import type { CallOptions } from "./send-request.ts";

/** A file that was saved. */
export type SavedDownload = Omit<Download, "body" | "read">;

/**
 * Downloads a file of a snapshot and checks its SHA-256. It is written beside `path`, as `<path>.partial`, and renamed
 * when it is whole; a file that is there is replaced. Memory: a few chunks, however large it is.
 *
 * @throws {ApiError} When the answer is no success.
 * @throws {TypeError} When the connection ends before the file does, or its SHA-256 is not the one that the service has
 *   named.
 */
export async function saveDownload(
  client: Pick<Client<never>, "downloadFile">,
  fields: FileFields,
  path: string,
  options: Pick<CallOptions, "signal"> = {},
): Promise<SavedDownload> {
  const { body, read: _, ...saved } = await client.downloadFile(fields, options);
  const partial = `${path}.partial`;
  const hash = createHash("sha256");
  try {
    const file = await open(partial, "w");
    try {
      for await (const chunk of body) {
        hash.update(chunk);
        await file.writeFile(chunk);
      }
    } finally {
      await file.close();
    }
    const digest = hash.digest("hex");
    if (digest !== saved.sha256) throw wrongContent(fields.file, digest, saved.sha256);
    await rename(partial, path);
  } catch (error) {
    await body.cancel().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
  return saved;
}
