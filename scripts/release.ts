/**
 * Makes the files of a release in `release/`: the package, the client's package, CITATION.cff, the notes and the
 * checksums. It tags, pushes and publishes nothing. CONTRIBUTING.md says how a release is made.
 */
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bytesText } from "../src/cli/bytes-text.ts";
import { createProgram, RefusedError, runProgram } from "../src/cli/command.ts";
import { printReport } from "../src/cli/output.ts";
import {
  git,
  type NewestVersion,
  readNewestVersion,
  readVersion,
  releaseFaults,
  uncommitted,
} from "./release/check-release.ts";
import { makePackage } from "./release/make-package.ts";

const root = resolve(import.meta.dirname, "..");
const release = join(root, "release");

const description =
  "Makes the files of a release in release/: both packages, CITATION.cff, notes and checksums. It publishes nothing.";

const program = createProgram("npm run release --", description, ["npm run release -- --dry-run", "npm run release"])
  .option("--dry-run", "also of a commit without the tag of its version")
  .action(({ dryRun = false }: { readonly dryRun?: boolean }) => makeRelease(dryRun));

await runProgram(program);

function makeRelease(isTrial: boolean): void {
  const changed = uncommitted(root);
  if (changed.length > 0) {
    throw new RefusedError(
      `found ${changed.length} files that are not committed, expected none:\n${changed.join("\n")}`,
    );
  }
  const faults = releaseFaults(root, !isTrial);
  if (faults.length > 0) throw new RefusedError(faults.join("\n"));

  rmSync(release, { recursive: true, force: true });
  mkdirSync(release);
  const folder = mkdtempSync(join(tmpdir(), "kenya-farm-prices-"));
  try {
    makePackage(root, folder);
    pack(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const client = join(root, "src/client");
  rmSync(join(client, "dist"), { recursive: true, force: true });
  pack(client);
  const newest = readNewestVersion(root);
  writeFileSync(join(release, "CITATION.cff"), citation(newest));
  writeFileSync(join(release, "NOTES.md"), `${newest.notes}\n`);
  const names = readdirSync(release).sort();
  const sums = names.map((name) => `${hash("sha256", readFileSync(join(release, name)), "hex")}  ${name}\n`);
  writeFileSync(join(release, "SHA256SUMS"), sums.join(""));
  for (const name of [...names, "SHA256SUMS"]) {
    printReport(`release/${name}: ${bytesText(statSync(join(release, name)).size)}\n`);
  }
}

/** Makes the tarball of a folder's package in the release. */
function pack(folder: string): void {
  const args = ["pack", "--silent", "--pack-destination", release];
  execFileSync("npm", args, {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
}

/** How to cite the program, in the Citation File Format 1.2.0. */
function citation({ date }: NewestVersion): string {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    name: string;
    description: string;
  };
  return [
    "cff-version: 1.2.0",
    'message: "Cite the program with these fields, and prices with the citation that every page and download names."',
    "type: software",
    `title: ${JSON.stringify(manifest.name)}`,
    `abstract: ${JSON.stringify(manifest.description)}`,
    "authors:",
    '  - name: "the maintainers of kenya-farm-prices"',
    `version: ${JSON.stringify(readVersion(root))}`,
    ...(/^\d/.test(date) ? [`date-released: ${date}`] : []),
    `commit: ${git(root, "rev-parse", "HEAD")}`,
    "license: MIT",
    "",
  ].join("\n");
}
