import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/**
 * Runs a snapshot command as people do, through npm.
 *
 * @returns Its report, and the seconds from its start to its end.
 * @throws {Error} when it does not exit with 0.
 */
export async function runSnapshot(
  args: readonly string[],
): Promise<{ readonly report: Readonly<Record<string, unknown>>; readonly seconds: number }> {
  const startedAt = performance.now();
  const child = spawn("npm", ["run", "--silent", "snapshot", "--", ...args, "--json"], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  const seconds = (performance.now() - startedAt) / 1000;
  if (code !== 0) throw new Error(`snapshot ${args[0]} ended with ${code}: ${output}`);
  return { report: JSON.parse(output), seconds };
}
