/**
 * Types, lint, and the tests of what has changed: the quick check before a commit, `npm run quick`. Exit status 1 at
 * the first of them that fails. `npm run check` is all of it.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { createProgram, runProgram } from "../src/cli/command.ts";
import { printReport } from "../src/cli/output.ts";

const root = resolve(import.meta.dirname, "..");
const isWindows = process.platform === "win32";

const program = createProgram(
  "npm run quick --",
  "Checks types and lint, and runs the tests of the rooms that have changed.",
  ["npm run quick", "npm run quick -- --base main"],
)
  .option("--base <revision>", "what to compare with; without it, what is not committed", "HEAD")
  .action(({ base }: { readonly base: string }) => {
    const folders = changedFolders(base);
    run("types", "types");
    run("lint", "lint");
    if (folders.includes("test/peers")) run("peers", "peers", ["code"]);
    if (folders.length === 0) printReport("tests: nothing in src, test or manuals has changed\n");
    else {
      const args = folders.map((folder) => `--test-arg=${folder}`);
      run(`tests of ${folders.join(", ")}`, "test", ["--reporter=terse", ...args, "test/rooms.test.ts"]);
    }
  });

await runProgram(program);

/**
 * The folders of files that differ from a revision or that git does not know yet, as `test/rooms.test.ts` takes them.
 */
function changedFolders(base: string): string[] {
  const paths = ["src", "test", "*.md"];
  const files = [
    ...git("diff", "--name-only", base, "--", ...paths),
    ...git("ls-files", "--others", "--exclude-standard", "--", ...paths),
  ];
  const folders = files.flatMap((file) => {
    const folder = file.split("/").slice(0, 3).join("/");
    if (!file.endsWith(".md")) return folder;
    // The tests of the manuals are in `others`; a guide is a page of the service as well.
    return file.includes("/guides/") ? [folder, "others"] : "others";
  });
  return [...new Set(folders)].sort();
}

function git(...args: readonly string[]): string[] {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");
}

/** Runs a script of package.json. */
function run(what: string, script: string, args: readonly string[] = []): void {
  const started = performance.now();
  const { status } = spawnSync("npm", ["run", "--silent", script, "--", ...args], {
    cwd: root,
    stdio: "inherit",
    shell: isWindows,
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  printReport(`${what}: ${status === 0 ? "right" : "wrong"}, ${seconds} s\n`);
  if (status !== 0) process.exit(1);
}
