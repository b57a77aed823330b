/** What `npm run quick` asks of `rooms.test.ts`: the tests of folders, and the reason where there are none. */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { basename } from "node:path";
import t from "tap";
import { filesOfRoom, projectFolder, roomOfFolder } from "./support/test-files.ts";

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
