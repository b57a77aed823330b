/** What must hold on a commit with the tag of a version; and what strangers and hosts expect of the top level. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { projectFolder } from "./support/test-files.ts";

/** The MIT licence, from the line of the copyright on, as hosts recognise it. Source: spdx.org/licenses/MIT. */
const mitText = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`;

function read(folder: string, path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

function git(folder: string, ...args: readonly string[]): string {
  const author = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  return execFileSync("git", ["-C", folder, ...author, ...args], { encoding: "utf8", stdio: "pipe" });
}

/** Faults of a release: what a checked-out commit with the tag of a version still has; none without such a tag. */
function releaseFaults(folder: string): string[] {
  const tags = git(folder, "tag", "--points-at", "HEAD").split("\n");
  return tags
    .filter((tag) => /^v\d/.test(tag))
    .flatMap((tag) => {
      const version = tag.slice(1);
      const changelog = read(folder, "CHANGELOG.md");
      const [, newest = ""] = /^## (\S+)/m.exec(changelog) ?? [];
      const versions = ["package.json", "src/client/package.json", "package-lock.json"].map((file) => ({
        file,
        found: (JSON.parse(read(folder, file)) as { version: string }).version,
      }));
      return [
        ...versions.filter(({ found }) => found !== version).map(({ file, found }) => `${file} is ${found}`),
        ...(newest === version ? [] : [`CHANGELOG.md begins with ${newest}`]),
        ...(/\.example\b/.test(read(folder, "SECURITY.md")) ? ["SECURITY.md has the address of nobody"] : []),
      ];
    });
}

/** A repository with the files of a release, tagged. */
function tagged(t: Test, tag: string, files: Readonly<Record<string, string>>): string {
  const manifest = '{"version":"1.2.0"}';
  const folder = t.testdir({
    "package.json": manifest,
    "package-lock.json": manifest,
    src: { client: { "package.json": manifest } },
    "CHANGELOG.md": "# Changelog\n\n## 1.2.0\n",
    "SECURITY.md": "Write to security@prices.go.ke.\n",
    ...files,
  });
  git(folder, "init", "-q");
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "One");
  git(folder, "tag", tag);
  return folder;
}

const isClone = existsSync(join(projectFolder, ".git"));

t.test(
  "a commit with the tag of a version has that version everywhere, and an address for reports",
  { skip: isClone ? false : "the folder is no clone" },
  async (t) => t.same(releaseFaults(projectFolder), []),
);

t.test("a release with the placeholder address, or of another version, is refused", async (t) => {
  t.same(releaseFaults(tagged(t, "v1.2.0", {})), []);
  t.same(releaseFaults(tagged(t, "before", { "SECURITY.md": "a@prices.example" })), [], "no tag of a version");
  t.same(releaseFaults(tagged(t, "v1.2.0", { "SECURITY.md": read(projectFolder, "SECURITY.md") })), [
    "SECURITY.md has the address of nobody",
  ]);
  t.same(releaseFaults(tagged(t, "v1.2.0", { "CHANGELOG.md": "## Unreleased\n\n## 1.2.0\n" })), [
    "CHANGELOG.md begins with Unreleased",
  ]);
  t.same(releaseFaults(tagged(t, "v1.3.0", { "CHANGELOG.md": "## 1.3.0\n" })), [
    "package.json is 1.2.0",
    "src/client/package.json is 1.2.0",
    "package-lock.json is 1.2.0",
  ]);
});

t.test("LICENSE is the plain text of the MIT licence, so that hosts recognise it, in both packages", async (t) => {
  for (const file of ["LICENSE", "src/client/LICENSE"]) {
    const text = read(projectFolder, file);
    t.match(text, /^MIT License\n\nCopyright \(c\) \d{4} [^\n]+\n\nPermission/, file);
    t.equal(text.slice(text.indexOf("Permission")), mitText, file);
  }
  const notice = read(projectFolder, "NOTICE");
  for (const source of ["World Food Programme", "OpenStreetMap", "rKenyaCensus", "kenya-locations-data", "kenya-api"]) {
    t.match(notice, source);
  }
  t.equal(notice.split(mitText.trimEnd()).length - 1, 2, "the notices of MIT works");
});

t.test(
  "the notes on a version have at most 60 lines, with what each of four readers does first and loses",
  async (t) => {
    const sections = read(projectFolder, "CHANGELOG.md").split(/^(?=## )/m);
    const [, major = ""] =
      /^(\d+)\./.exec((JSON.parse(read(projectFolder, "package.json")) as { version: string }).version) ?? [];
    const released = sections.filter((section) => section.startsWith(`## ${major}.0.0 `));
    t.equal(released.length, 1);
    for (const section of released) {
      const lines = section.trimEnd().split("\n");
      t.ok(lines.length <= 60, `${lines.length} lines`);
      const [, ...readers] = section.split(/^\*\*/m);
      t.same(
        readers.map((reader) => reader.split("**")[0]),
        ["Clients", "Analysts", "Data editors", "Operators"],
      );
      for (const reader of readers) t.match(reader, /\n- \*First:\*[\s\S]*\n- Gone: /);
    }
  },
);

t.test("README.md has at most 800 words, and shows a picture and an answer in its first lines", async (t) => {
  const readme = read(projectFolder, "README.md");
  const words = readme.split(/\s+/).filter((word) => word !== "").length;
  t.ok(words <= 800, `${words} words`);
  const lines = readme.split("\n").slice(0, 25);
  const [, path = ""] = /^!\[[^\]]+\]\(([^)]+)\)$/m.exec(lines.join("\n")) ?? [];
  const picture = readFileSync(join(projectFolder, path));
  t.equal(picture.subarray(1, 4).toString(), "PNG");
  t.ok(lines.includes("```json"), "an answer");
});
