import { readdir } from "node:fs/promises";

/** The names in a folder, in no order; none when there is no such folder. */
export async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return [];
    throw error;
  }
}
