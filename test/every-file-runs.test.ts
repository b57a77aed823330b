import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { filesMatching, filesOfRoom, filesOfTap, projectFolder, roomProcesses } from "./support/test-files.ts";

t.test("npm test, test:programs, test:faults and the peers run every test file, once", async (t) => {
  const run = [
    ...filesOfTap(),
    ...roomProcesses.flat().flatMap(filesOfRoom),
    ...filesMatching("test/programs/**/*.test.ts"),
    ...filesMatching("test/peers/**/*.test.ts"),
    ...filesMatching("test/faults/**/*.test.ts"),
  ];
  t.ok(run.length > 200, "the files were found at all");
  t.strictSame(run.sort(), filesMatching("test/**/*.test.ts"));
});

t.test("every room has files", async (t) => {
  for (const room of roomProcesses.flat()) t.ok(filesOfRoom(room).length > 0, room);
});

t.test("what .taprc includes is there", async (t) => {
  const patterns = readFileSync(join(projectFolder, ".taprc"), "utf8").match(/(?<=^ {2}- )test\/\S+$/gm) ?? [];
  t.ok(patterns.length > 5);
  for (const pattern of patterns) t.ok(filesMatching(pattern).length > 0, pattern);
});

t.test("every test has options of its own, because tap keeps its name and function in them", async (t) => {
  const isShared = /\btest\((?:`[^`]*`|"[^"]*"),\s*[a-z]\w*,/;
  t.match(`t.test(${'"a", shared'}, async (t) => {`, isShared);
  const files = filesMatching("test/**/*.test.ts");
  t.same(
    files.filter((file) => isShared.test(readFileSync(join(projectFolder, file), "utf8"))),
    [],
  );
});

t.test("every test that is skipped says why", async (t) => {
  const isSilent = /skip: (?:true|!?(?:process|existsSync|has[A-Z])[^,}&?]*(?:[,}]|$))/m;
  t.match(`{ skip: ${'process.platform === "win32"'} }`, isSilent);
  const files = filesMatching("test/**/*.test.ts").filter((file) => file !== "test/every-file-runs.test.ts");
  t.same(
    files.filter((file) => isSilent.test(readFileSync(join(projectFolder, file), "utf8"))),
    [],
  );
});
