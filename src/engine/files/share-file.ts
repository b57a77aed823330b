import { copyFile, link } from "node:fs/promises";
import { systemErrorCode } from "./read-regular-file.ts";
import { withFile } from "./with-file.ts";

/**
 * The file cannot be linked: another file system, one without links, too many links, or a file of another user (Linux
 * may forbid links to those). Source: man 2 link.
 */
const linkRefusals = ["EXDEV", "EPERM", "EACCES", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/**
 * Links a file that is never edited under a second name. Where it cannot be linked, it is copied with its permissions
 * and flushed.
 *
 * @param target Must not exist.
 */
export async function shareFile(source: string, target: string): Promise<"linked" | "copied"> {
  try {
    await link(source, target);
    return "linked";
  } catch (error) {
    if (!linkRefusals.includes(systemErrorCode(error))) throw error;
  }
  await copyFile(source, target);
  await withFile(target, "r", (file) => file.sync());
  return "copied";
}
