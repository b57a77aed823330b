/** The twin of reading a commit without git is git itself. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { programVersion, readProgramVersion, versionText } from "../../../src/engine/files/program-version.ts";

const author = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];

function git(folder: string, ...args: readonly string[]): string {
  const env = { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", ["-C", folder, ...author, ...args], { encoding: "utf8", env, stdio: "pipe" }).trim();
}

/** A repository with one commit on `main`. */
function repository(t: Test, format: string = "sha1"): string {
  const folder = t.testdir({ "package.json": '{"version":"3.2.1"}' });
  git(folder, "init", "-q", "-b", "main", `--object-format=${format}`);
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "One");
  return folder;
}

t.test("the commit is that of git: on a branch, packed, detached, in a worktree, by SHA-256", async (t) => {
  const folder = repository(t);
  const expectCommitOf = (path: string, what: string): void => {
    t.same(readProgramVersion(path), { version: "3.2.1", commit: git(path, "rev-parse", "HEAD") }, what);
  };
  expectCommitOf(folder, "a branch");
  git(folder, "checkout", "-qb", "team/next");
  git(folder, "commit", "-q", "--allow-empty", "-m", "Two");
  expectCommitOf(folder, "a branch in a folder");
  git(folder, "tag", "-a", "v1", "-m", "One");
  git(folder, "pack-refs", "--all");
  expectCommitOf(folder, "packed");
  git(folder, "commit", "-q", "--allow-empty", "-m", "Three");
  expectCommitOf(folder, "packed, and newer since");
  const worktree = join(folder, "beside");
  git(folder, "worktree", "add", "-q", worktree, "main");
  expectCommitOf(worktree, "a worktree");
  git(folder, "pack-refs", "--all");
  expectCommitOf(worktree, "a worktree, packed");
  git(folder, "checkout", "-q", "--detach", "HEAD~1");
  expectCommitOf(folder, "detached");
  git(folder, "symbolic-ref", "refs/heads/alias", "refs/heads/team/next");
  git(folder, "symbolic-ref", "HEAD", "refs/heads/alias");
  expectCommitOf(folder, "a branch that is another name of one");
  const other = repository(t, "sha256");
  t.match(readProgramVersion(other).commit, /^[0-9a-f]{64}$/);
  t.equal(readProgramVersion(other).commit, git(other, "rev-parse", "HEAD"));
});

t.test("without .git the commit is that of the build, and unknown where that is no commit", async (t) => {
  const folder = t.testdir({ "package.json": '{"version":"3.2.1"}' });
  for (const [buildCommit, commit] of [
    ["45fa283e", "45fa283e"],
    ["", "unknown"],
    [undefined, "unknown"],
    ["main", "unknown"],
    ["45fa283e\n", "unknown"],
  ] as const) {
    t.same(readProgramVersion(folder, buildCommit), { version: "3.2.1", commit }, String(buildCommit));
  }
});

t.test("the commit of a package stands in its package.json", async (t) => {
  const gitHead = "45fa283e".repeat(5);
  const folder = t.testdir({ "package.json": JSON.stringify({ version: "3.2.1", gitHead }) });
  t.same(readProgramVersion(folder, "1234567"), { version: "3.2.1", commit: gitHead });
});

t.test("a .git that names no commit counts as none", async (t) => {
  const folder = repository(t);
  const head = join(folder, ".git", "HEAD");
  for (const text of [
    "",
    "ref: refs/heads/gone\n",
    "ref: ../../package.json\n",
    "ref: refs/heads/.invalid\n",
    "junk\n",
  ]) {
    writeFileSync(head, text);
    t.equal(readProgramVersion(folder, "0123456789").commit, "0123456789", JSON.stringify(text));
  }
  // Two refs that name each other.
  writeFileSync(head, "ref: refs/heads/a\n");
  writeFileSync(join(folder, ".git/refs/heads/a"), "ref: refs/heads/b\n");
  writeFileSync(join(folder, ".git/refs/heads/b"), "ref: refs/heads/a\n");
  t.equal(readProgramVersion(folder).commit, "unknown");
  rmSync(join(folder, ".git"), { recursive: true });
  writeFileSync(join(folder, ".git"), "gitdir: ../gone/.git/worktrees/x\n");
  t.equal(readProgramVersion(folder).commit, "unknown");
});

t.test("the repository that a folder lies in is not its own", async (t) => {
  const folder = repository(t);
  const inner = join(folder, "vendor");
  mkdirSync(inner);
  cpSync(join(folder, "package.json"), join(inner, "package.json"));
  t.equal(readProgramVersion(inner).commit, "unknown");
});

t.test("the version of the process is that of package.json, read once", async (t) => {
  const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  t.equal(programVersion().version, version);
  t.equal(programVersion(), programVersion());
});

t.test("for people, a version has twelve digits of its commit", async (t) => {
  t.equal(versionText({ version: "1.0.0", commit: "0123456789abcdef0123" }), "1.0.0 (0123456789ab)");
  t.equal(versionText({ version: "1.0.0", commit: "unknown" }), "1.0.0 (commit unknown)");
});
