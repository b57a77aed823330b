import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import t from "tap";
import {
  filesMatching,
  filesOfRoom,
  filesOfTap,
  projectFolder,
  roomOfFolder,
  roomProcesses,
} from "./support/test-files.ts";

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

/** What `npm run quick` asks of `rooms.test.ts`: the tests of folders, and the reason where there are none. */
t.test("every folder of tests, however deep, has a room, by its path and by its name", async (t) => {
  const exclude = (name: string) => name === "node_modules";
  const folders = globSync("test/**/", { cwd: projectFolder, exclude }).filter((folder) => folder !== "test");
  t.ok(folders.length > 50);
  for (const folder of folders) {
    t.ok(filesOfRoom(roomOfFolder(folder)).length > 0, folder);
    t.ok(filesOfRoom(roomOfFolder(basename(folder))).length > 0, folder);
  }
});

t.test("a folder has the room that holds its tests", async (t) => {
  const rooms = {
    query: "query",
    measures: "query",
    "src/engine/query": "query",
    "test/engine/query/measures": "query",
    publish: "publish",
    "src/publishing/publish": "publish",
    "src/site/explore": "explore",
    "src/config.ts": "others",
    "three-counties": "others",
    "test/golden/three-counties": "others",
    golden: "others",
    others: "others",
  };
  for (const [folder, room] of Object.entries(rooms)) t.equal(roomOfFolder(folder), room, folder);
});

t.test("what ends a process of tests is an assertion that has failed, in every reporter", async (t) => {
  const hooks = "--import=./test/support/without-tap-hooks.ts";
  const { stdout, status } = spawnSync(process.execPath, [hooks, "test/rooms.test.ts", "nowhere"], {
    cwd: projectFolder,
    encoding: "utf8",
  });
  t.equal(status, 1);
  t.match(stdout, /^not ok - RangeError: found nowhere, expected a folder in test\/, or others, at file:.*:\d+:\d+$/m);
});
