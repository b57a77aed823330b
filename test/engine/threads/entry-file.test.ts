import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { entryFile } from "../../../src/engine/threads/entry-file.ts";
import { projectFolder } from "../../support/test-files.ts";

t.test("an entry file has the extension of the module that starts it, in a folder with any name", async (t) => {
  t.equal(entryFile("./a-thread", "file:///a%20b/c.d/main.ts").href, "file:///a%20b/c.d/a-thread.ts");
  t.equal(entryFile("./a-thread", "file:///a%20b/c.d/main.js").href, "file:///a%20b/c.d/a-thread.js");
  t.equal(entryFile("./a-thread", "file:///a/main.js?hot=1.2").href, "file:///a/a-thread.js");
});

t.test("no module names a file of TypeScript in another way", async (t) => {
  const files = globSync("src/**/*.ts", { cwd: projectFolder, exclude: ["src/client/**"] });
  t.ok(files.length > 500);
  const naming = files.filter((file) => /new URL\("[^"]*\.ts"/.test(readFileSync(join(projectFolder, file), "utf8")));
  t.same(naming, []);
});
