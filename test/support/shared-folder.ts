/** A folder for tests that change the user: the project may lie where only its owner can go. */
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Test } from "tap";

/** Whether every user may go through a folder and all above it. */
function isOpen(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false;
  return dirname(folder) === folder || isOpen(dirname(folder));
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return isOpen(folder);
  } catch {
    return false;
  }
}

/**
 * Why the tests that become another user cannot run here; false where they can.
 */
export const cannotChangeUser: string | false =
  process.getuid?.() !== 0
    ? "only root may become others"
    : [tmpdir(), "/tmp", "/var/tmp"].some(isUsable)
      ? false
      : "no temporary folder is open to other users";

/** An empty folder that every user can reach and read, removed after the test. */
export function sharedFolder(t: Test): string {
  const parent = [tmpdir(), "/tmp", "/var/tmp"].find(isUsable) as string;
  const folder = mkdtempSync(join(parent, "kenya-farm-prices-"));
  chmodSync(folder, 0o755);
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
