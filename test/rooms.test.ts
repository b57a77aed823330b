/**
 * The tests of each room in a process of their own, two at a time: most files take less time than starting a process.
 *
 *     npm test -- test/rooms.test.ts                     all rooms
 *     npm test -- test/rooms.test.ts --test-arg=query    only those of these folders
 */
import t from "tap";
import { projectFolder, roomNames, roomOfFolder } from "./support/test-files.ts";

const named = new Set(process.argv.slice(2).map(roomOfFolder));

/** What .taprc has tap do for the files that it runs itself. */
const hooks = ["before-tap-hooks", "without-tap-hooks"].map((name) => `--import=./test/support/${name}.ts`);

t.jobs = 2;
for (const room of named.size > 0 ? named : roomNames) {
  t.spawn(process.execPath, [...hooks, "test/support/run-room.ts", room], { cwd: projectFolder }, room);
}
