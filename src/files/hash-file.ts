import { createHash } from "node:crypto";
import { type OpenOptions, openRegularFile } from "./read-regular-file.ts";

/**
 * The SHA-256 of a regular file, lower-case hex.
 *
 * @throws as `openRegularFile`.
 */
export async function hashFile(path: string, options?: OpenOptions): Promise<string> {
  const hash = createHash("sha256");
  const file = await openRegularFile(path, options);
  // The stream closes the file.
  for await (const chunk of file.createReadStream() as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest("hex");
}
