import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export interface SnapshotRun {
  readonly report: Readonly<Record<string, unknown>>;
  /** From its start to its end. */
  readonly seconds: number;
  /** Greatest resident size, in bytes. */
  readonly peakBytes: number;
}

/**
 * Runs a snapshot command as people do, through npm.
 *
 * @throws {Error} when it does not exit with 0.
 */
export async function runSnapshot(args: readonly string[]): Promise<SnapshotRun> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "price-peak-"));
  const peakFile = join(folder.path, "peak");
  const preload = `--import=${import.meta.resolve("./print-peak-memory.ts")}`;
  const startedAt = performance.now();
  const child = spawn("npm", ["run", "--silent", "snapshot", "--", ...args, "--json"], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} ${preload}`, PEAK_FILE: peakFile },
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  const seconds = (performance.now() - startedAt) / 1000;
  if (code !== 0) throw new Error(`snapshot ${args[0]} ended with ${code}: ${output}`);
  const peaks = (await readFile(peakFile, "utf8")).trimEnd().split("\n").map(Number);
  return { report: JSON.parse(output), seconds, peakBytes: Math.max(...peaks) * 1024 };
}
