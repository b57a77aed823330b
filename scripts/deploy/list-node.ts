/**
 * Lists the pinned Node binaries: package, version, and the SHA-256 of the program in it, for every platform. The
 * packages come through `npm pack`; each must have the hash that package-lock.json has, and the installed program that
 * of its package.
 */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashFile } from "../../src/engine/files/hash-file.ts";
import { projectFolder, report, runProgram } from "./trial.ts";

interface Lock {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
}

const { optionalDependencies } = JSON.parse(await readFile(join(projectFolder, "package.json"), "utf8")) as {
  optionalDependencies: Readonly<Record<string, string>>;
};
const { packages } = JSON.parse(await readFile(join(projectFolder, "package-lock.json"), "utf8")) as Lock;
const folder = await mkdtemp(join(tmpdir(), "node-packages-"));
try {
  report("| Package | Version | SHA-256 of the program |\n|---|---|---|");
  for (const [name, version] of Object.entries(optionalDependencies)) await listPackage(name, version);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function listPackage(name: string, version: string): Promise<void> {
  const packed = await runProgram("npm", ["pack", `${name}@${version}`, "--json", "--pack-destination", folder]);
  const [{ filename, integrity }] = JSON.parse(packed) as [{ filename: string; integrity: string }];
  const locked = packages[`node_modules/${name}`]?.integrity;
  if (integrity !== locked) throw new Error(`${filename} has ${integrity}, expected ${locked} as in package-lock.json`);
  const program = name.includes("-win-") ? "bin/node.exe" : "bin/node";
  await runProgram("tar", ["-xzf", join(folder, filename), "-C", folder, `package/${program}`]);
  const digest = await hashFile(join(folder, "package", program));
  const installed = join(projectFolder, "node_modules", name, program);
  const installedDigest = existsSync(installed) ? await hashFile(installed) : digest;
  if (installedDigest !== digest)
    throw new Error(`${installed} has ${installedDigest}, expected ${digest} as in ${filename}`);
  report(`| ${name} | ${version} | \`${digest}\` |`);
}
