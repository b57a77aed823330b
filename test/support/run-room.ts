/** Runs the test files of a room one after the other in one process: most take less time than starting a process. */
import { enableCompileCache } from "node:module";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";
import { compileCache } from "./compile-cache.ts";
import "./fixed-seed.ts";
import { filesOfRoom, projectFolder } from "./test-files.ts";

// For the files of the room, and the processes and threads that they start.
enableCompileCache(compileCache);
process.env["NODE_COMPILE_CACHE"] = compileCache;

/** @param entry Path of `test/rooms/<room>.test.ts`. */
export async function runRoom(entry: string): Promise<void> {
  for (const file of filesOfRoom(basename(entry, ".test.ts"))) {
    const before = processState();
    t.jobs = 1;
    await import(pathToFileURL(join(projectFolder, file)).href);
    // Runs after the tests of the file, and before the next file is loaded.
    await t.test(`${file} leaves the process as it was`, async (t) => {
      t.strictSame(processState(), before);
    });
  }
}

/** What one test file could change for the next. */
function processState(): Readonly<Record<string, unknown>> {
  return {
    environment: { ...process.env },
    directory: process.cwd(),
    exitCode: process.exitCode,
    globals: Object.getOwnPropertyNames(globalThis),
    clock: [globalThis.Date, Date.now, performance.now, setTimeout, setInterval, setImmediate],
    output: [process.stdout.write, process.stderr.write],
  };
}
