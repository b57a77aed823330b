import { readdir } from "node:fs/promises";
import { systemErrorCode } from "./read-regular-file.ts";

/** The names in a folder, in no order; none when there is no such folder. */
export async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemErrorCode(error))) return [];
    throw error;
  }
}
