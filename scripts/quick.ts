/**
 * Types, lint, and the tests of what has changed: the quick look before a commit, `npm run quick`. Exit status 1 at the
 * first of them that fails. `npm run check` is all of it.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
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
    const rooms = changedRooms(base);
    run("types", "types");
    run("lint", "lint");
    if (rooms.length === 0) printReport("tests: nothing has changed\n");
    else {
      const args = rooms.map((room) => `--test-arg=${room}`);
      run(`tests of ${rooms.join(", ")}`, "test", ["--reporter=terse", ...args, "test/rooms.test.ts"]);
    }
  });

await runProgram(program);

/**
 * The rooms of files that differ from a revision or that git does not know yet; `others` for those without tests.
 */
function changedRooms(base: string): string[] {
  const paths = ["src", "test", "*.md"];
  const files = [
    ...git("diff", "--name-only", base, "--", ...paths),
    ...git("ls-files", "--others", "--exclude-standard", "--", ...paths),
  ];
  const rooms = files.flatMap((file) => {
    const [, folder = "", inner = ""] = file.split("/");
    const name = existsSync(join(root, "test", folder, inner)) && !inner.includes(".") ? inner : folder;
    const room = existsSync(join(root, "test", folder)) && name !== "" ? name : "others";
    if (!file.endsWith(".md")) return room;
    // The tests of the manuals are in `others`; a guide is a page of the service as well.
    return file.includes("/guides/") ? [room, "others"] : "others";
  });
  return [...new Set(rooms)].sort();
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
