import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Installs the packages of bench/package.json unless they are there in these versions. They belong to the benchmarks
 * alone, so that installing the service stays light; they come with the first run.
 */
export function installPeers(): void {
  const { dependencies } = readJson("package.json") as { readonly dependencies: Readonly<Record<string, string>> };
  if (Object.entries(dependencies).every(([name, version]) => installedVersion(name) === version)) return;
  process.stderr.write("Installing the peers into bench/node_modules\n");
  execFileSync("npm", ["ci", "--prefix", import.meta.dirname], {
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
}

function installedVersion(name: string): string | undefined {
  const path = join("node_modules", name, "package.json");
  if (!existsSync(join(import.meta.dirname, path))) return undefined;
  return (readJson(path) as { readonly version: string }).version;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, path), "utf8"));
}
