/** Reads the files that a person names to an importer. */
import {
  FileTooLargeError,
  NotRegularFileError,
  readRegularFile,
  systemErrorCode,
} from "../../engine/files/read-regular-file.ts";
import { ImportRefusedError } from "./import-refused.ts";

/**
 * Reads a file whole.
 *
 * @param wanted The kind of file, for the message when there is none.
 * @throws {ImportRefusedError} when there is no regular file of at most `bytesMax` bytes that this user may read.
 */
export async function readInputFile(path: string, bytesMax: number, wanted: string): Promise<Buffer> {
  try {
    return await readRegularFile(path, bytesMax);
  } catch (error) {
    const message = refusalText(path, wanted, error);
    throw message === undefined ? error : new ImportRefusedError(message, { cause: error });
  }
}

function refusalText(path: string, wanted: string, error: unknown): string | undefined {
  if (error instanceof NotRegularFileError || error instanceof FileTooLargeError) return error.message;
  if (systemErrorCode(error) === "ENOENT") return `${path}: no such file, expected ${wanted}`;
  return systemErrorCode(error) === "EACCES" ? `${path}: may not be read by this user` : undefined;
}
