/** The packages of test/peers, which only some checks, tests and generators need. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { RefusedError } from "../src/cli/command.ts";

export const peersFolder = resolve(import.meta.dirname, "../test/peers");

/** Why what needs the packages cannot run; undefined where they are installed. */
export function missingPeers(): string | undefined {
  if (existsSync(join(peersFolder, "node_modules"))) return undefined;
  return "the packages of test/peers are not installed, expected npm ci --prefix test/peers";
}

/** @throws {RefusedError} Where the packages are not installed. */
export function requirePeers(): void {
  const missing = missingPeers();
  if (missing !== undefined) throw new RefusedError(missing);
}
