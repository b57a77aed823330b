/**
 * The tests of the rooms in three processes: most files take less time than starting a process and loading the modules
 * that they share.
 *
 *     npm test -- test/rooms.test.ts                     all rooms
 *     npm test -- test/rooms.test.ts --test-arg=query    only those of these folders
 */
import t from "tap";
import { projectFolder, roomOfFolder, roomProcesses } from "./support/test-files.ts";

const named = new Set(process.argv.slice(2).map(roomOfFolder));

/** What .taprc has tap do for the files that it runs itself. */
const hooks = ["before-tap-hooks", "without-tap-hooks"].map((name) => `--import=./test/support/${name}.ts`);

t.jobs = roomProcesses.length;
for (const all of roomProcesses) {
  const rooms = all.filter((room) => named.size === 0 || named.has(room));
  if (rooms.length === 0) continue;
  t.spawn(
    process.execPath,
    [...hooks, "test/support/run-rooms.ts", ...rooms],
    { cwd: projectFolder },
    rooms.join(", "),
  );
}
