/**
 * Who may have written a compiled store. Its checksums are no secret: a file made to mislead would pass all other
 * checks.
 */
import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { CompiledStoreError } from "./compiled-store-error.ts";

/** The mode of a new compiled store, whatever the umask: no user but its owner may write it. */
export const compiledMode = 0o644;

/** Write permission for the group and for others. */
const foreignWriteBits = 0o022;

const root = 0;

/**
 * Requires that a compiled store belongs to the user of this process, to root or to the owner of its folder, and that
 * neither its group nor others may write it. Windows knows neither owners nor modes; there every file passes.
 *
 * @param stats Those of the open file, because the path may lead elsewhere by now.
 * @throws {CompiledStoreError} with code `untrusted`.
 */
export async function requireTrustedOwner(path: string, { uid, mode }: Stats): Promise<void> {
  const self = process.geteuid?.();
  if (self === undefined) return;
  const trusted = new Set([self, root, (await stat(dirname(path))).uid]);
  const isTrusted = trusted.has(uid) && (mode & foreignWriteBits) === 0;
  if (isTrusted) return;
  const found = `owner ${uid} and mode ${(mode & 0o777).toString(8).padStart(4, "0")}`;
  const wanted = `owner ${[...trusted].join(" or ")}, and no write permission for group and others`;
  throw new CompiledStoreError("untrusted", path, found, wanted);
}
