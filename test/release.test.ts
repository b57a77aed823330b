/** What must hold on a commit with the tag of a version; and what strangers and hosts expect of the top level. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { git, readNewestVersion, releaseFaults, uncommitted } from "../scripts/release/check-release.ts";
import { copiedFiles } from "../scripts/release/make-package.ts";
import { packageManual } from "../scripts/release/package-manual.ts";
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

type Files = Readonly<Record<string, string | object>>;

/** A repository with the files of a release, tagged. */
function tagged(t: Test, tag: string, files: Files): string {
  const manifest = '{"version":"1.2.0"}';
  const folder = t.testdir({
    "package.json": manifest,
    "package-lock.json": manifest,
    src: { client: { "package.json": manifest } },
    "CHANGELOG.md": "# Changelog\n\n## 1.2.0 (2026-12-01)\n\nNotes.\n\n## 1.1.0 (2026-10-01)\n",
    ...files,
  });
  git(folder, "init", "-q");
  git(folder, "add", ".");
  git(folder, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "One");
  git(folder, "tag", tag);
  return folder;
}

const lacksClone = !existsSync(join(projectFolder, ".git")) && "the folder is no clone";

t.test("this tree has one version everywhere, and with its tag the date of it", { skip: lacksClone }, async (t) => {
  const isTagged = git(projectFolder, "tag", "--points-at", "HEAD")
    .split("\n")
    .some((tag) => /^v\d/.test(tag));
  t.same(releaseFaults(projectFolder, isTagged), []);
});

t.test("a release without its tag, without a date, or of another version, is refused", async (t) => {
  const faults = (tag: string, files: Files, isTagged = true): string[] =>
    releaseFaults(tagged(t, tag, files), isTagged);
  t.same(faults("v1.2.0", {}), []);
  t.same(faults("before", {}), ["HEAD has no tag v1.2.0, expected one: a version is what is tagged"]);
  t.same(faults("before", {}, false), [], "a trial");
  t.same(faults("v1.2.0", { "CHANGELOG.md": "## 1.2.0 (not released)\n" }), [
    'CHANGELOG.md says "not released" of 1.2.0, expected the date of its release',
  ]);
  t.match(faults("v1.2.0", { "CHANGELOG.md": "## Unreleased\n\n## 1.2.0\n" }), [
    "CHANGELOG.md begins with Unreleased, expected 1.2.0",
  ]);
  t.same(faults("v1.2.0", { "package-lock.json": '{"version":"1.1.0"}' }), [
    "package-lock.json is 1.1.0, expected 1.2.0, as package.json has it",
  ]);
  const candidate = '{"version":"1.2.0-rc.1"}';
  const files = {
    "package.json": candidate,
    "package-lock.json": candidate,
    src: { client: { "package.json": candidate } },
    "CHANGELOG.md": "## 1.2.0 (not released)\n",
  };
  t.same(faults("before", files, false), [], "a candidate");
  t.match(faults("v1.2.0-rc.1", files), ["CHANGELOG.md begins with 1.2.0, expected 1.2.0-rc.1", /not released/]);
});

t.test("the notes are the newest section; files that are not committed are named", async (t) => {
  const folder = tagged(t, "v1.2.0", {});
  t.same(readNewestVersion(folder), { version: "1.2.0", date: "2026-12-01", notes: "Notes." });
  t.same(uncommitted(folder), []);
  writeFileSync(join(folder, "left.txt"), "");
  t.same(uncommitted(folder), ["?? left.txt"]);
});

t.test("a link to what only a clone has is text in the package, a picture is left out", async (t) => {
  const text = [
    "[a](../b/C.md#d), [b](../b/), [o](../b/C), [`e` of",
    "f](C.md), [g](#h), [i](https://example.org/C.md), [j](/docs), ![k](l.png)",
    "```",
    "m[n](C.md)",
    "```",
    "",
  ];
  t.equal(
    packageManual(text.join("\n"), "data/A.md", ["b/C.md"]),
    text
      .join("\n")
      .replace("[o](../b/C)", "o (b/C in a clone)")
      .replace("[`e` of\nf](C.md)", "`e` of\nf (data/C.md in a clone)")
      .replace("![k](l.png)", ""),
  );
});

t.test("manuals of the package link to its files alone; pages of the service stay", { skip: lacksClone }, async (t) => {
  const files = copiedFiles(projectFolder);
  for (const file of ["README.md", "data/README.md", "src/service/http/INTERFACE.md"]) t.ok(files.includes(file), file);
  for (const file of files.filter((name) => name.endsWith(".md"))) {
    const text = packageManual(read(projectFolder, file), file, files);
    for (const [, target = ""] of text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/\]\(([^)\s#]+)/g)) {
      if (/^(?:[a-z]+:|\/)/.test(target)) continue;
      const path = join(file, "..", target);
      const folder = join(path, "/");
      t.ok(
        files.some((name) => name === path || name.startsWith(folder)),
        `${file} → ${target}`,
      );
    }
    if (/\/guides\/|\/client\/|CHANGELOG/.test(file)) t.equal(text, read(projectFolder, file), file);
  }
});

t.test("nobody's address is named as ours", async (t) => {
  const files = ["package.json", "src/client/package.json", "SECURITY.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md"];
  for (const file of files) t.notMatch(read(projectFolder, file), /\.example\b|@example/, file);
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

t.test("the notes on a version have at most 60 lines, with what four readers do first and lose", async (t) => {
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
});

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
