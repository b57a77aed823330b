/** The clone → the folder of the package `kenya-farm-prices`: JavaScript, texts and data in the places of the clone. */
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { git, readVersion } from "./check-release.ts";
import { packageManual } from "./package-manual.ts";

/** The oldest Node that needs no flag and prints no warning; scripts/run.js refuses an older one. */
const engines = { node: ">=24.11" };

/** Entry files outside of `src`. */
const scripts = ["keys", "snapshot", "import-csv", "import-wfp", "sign", "reload", "deploy/check-ready"];

const bin = { "kenya-farm-prices": "scripts/command.js" };

const topFiles = ["CHANGELOG.md", "LICENSE", "NOTICE", "README.md", "SECURITY.md"];

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly license: string;
  readonly type: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
}

/** Makes the package of a clone in an empty folder. */
export function makePackage(clone: string, folder: string): void {
  compile(clone, folder);
  // After compiling: the compiler writes the JSON files that it has read in its own form.
  const copied = copiedFiles(clone);
  for (const path of copied) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (path.endsWith(".md")) {
      writeFileSync(join(folder, path), packageManual(readFileSync(join(clone, path), "utf8"), path, copied));
    } else copyFileSync(join(clone, path), join(folder, path));
  }
  chmodSync(join(folder, bin["kenya-farm-prices"]), 0o755);
  const { name, description, license, type, dependencies } = readJson<Manifest>(join(clone, "package.json"));
  const version = readVersion(clone);
  const files = ["npm-shrinkwrap.json", ...readdirSync(folder)].sort();
  const manifest = { name, version, description, license, type, engines, bin, dependencies };
  writeJson(join(folder, "package.json"), { ...manifest, files, gitHead: git(clone, "rev-parse", "HEAD") });
  writeJson(join(folder, "npm-shrinkwrap.json"), {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { "": { name, version, license, engines, bin, dependencies }, ...productionPackages(clone) },
  });
}

function compile(clone: string, folder: string): void {
  const configuration = join(folder, "tsconfig.json");
  mkdirSync(folder, { recursive: true });
  writeJson(configuration, {
    extends: join(clone, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      rootDir: clone,
      outDir: folder,
      typeRoots: [join(clone, "node_modules/@types")],
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
    },
    include: [join(clone, "src/**/*.ts"), ...scripts.map((name) => join(clone, `scripts/${name}.ts`))],
    exclude: [join(clone, "src/client")],
  });
  const compiler = join(clone, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", configuration], { stdio: ["ignore", "inherit", "inherit"] });
  rmSync(configuration);
}

/**
 * Texts beside the sources, the data with its manuals, and what is JavaScript already, as git knows them. READMEs and
 * CHANGING.md in src describe the sources and are not copied.
 */
export function copiedFiles(clone: string): string[] {
  const tracked = git(clone, "ls-files", "src", "data").split("\n");
  return [
    ...tracked.filter((path) => !/\.(?:c?ts|png)$|^src\/(?:client|.*README\.md|CHANGING\.md)/.test(path)),
    // A page of the documentation.
    "src/client/README.md",
    "scripts/command.js",
    "scripts/run.js",
    ...topFiles,
  ];
}

/** The locked packages, with their hashes, that the program loads: none of the tests, and no Node. */
function productionPackages(clone: string): Readonly<Record<string, LockedPackage>> {
  const { packages } = readJson<{ packages: Readonly<Record<string, LockedPackage>> }>(
    join(clone, "package-lock.json"),
  );
  return Object.fromEntries(
    Object.entries(packages).filter(
      ([path, { dev, optional, devOptional, link }]) =>
        path.startsWith("node_modules/") && !dev && !optional && !devOptional && !link,
    ),
  );
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8")) as T;
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
