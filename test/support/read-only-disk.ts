import { execFile } from "node:child_process";
import { mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Mounts a read-only disk in memory, which a superuser may, on a new folder. It lies below the system's temporary
 * folder, so that a run that is killed leaves none in the work tree.
 *
 * @returns The folder, and what takes both away.
 */
export async function mountReadOnlyDisk(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "farm-prices-disk-"));
  const removeFolder = async (): Promise<void> => await rmdir(folder);
  await run("mount", ["-t", "tmpfs", "-o", "ro", "tmpfs", folder]).catch(async (error) => {
    await removeFolder();
    throw error;
  });
  return {
    folder,
    async remove() {
      await run("umount", [folder]);
      await removeFolder();
    },
  };
}
