import { copyFile, link, open } from "node:fs/promises";

/**
 * Why a file can have no second name: another disk, a disk without links, too many links, or somebody else's file (Linux
 * may forbid links to those). Source: man 2 link.
 */
const linkRefusals: ReadonlySet<string> = new Set([
  "EXDEV",
  "EPERM",
  "EACCES",
  "EMLINK",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
]);

/**
 * Gives a file that is never edited a second name; where that cannot be, it is copied, with its permissions, and flushed.
 *
 * @param target Must not exist.
 */
export async function shareFile(source: string, target: string): Promise<"linked" | "copied"> {
  try {
    await link(source, target);
    return "linked";
  } catch (error) {
    if (!(error instanceof Error && "code" in error && linkRefusals.has(String(error.code)))) throw error;
  }
  await copyFile(source, target);
  const file = await open(target, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  return "copied";
}
