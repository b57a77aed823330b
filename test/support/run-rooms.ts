/** Runs the test files of the rooms that the command line names, one after the other in this process. */
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";
import { compileCache } from "./compile-cache.ts";
import "./fixed-seed.ts";
import { filesOfRoom, projectFolder } from "./test-files.ts";

// For the files of the rooms, and the processes and threads that they start.
enableCompileCache(compileCache);
process.env["NODE_COMPILE_CACHE"] = compileCache;

for (const file of process.argv.slice(2).flatMap(filesOfRoom)) {
  const before = processState();
  t.jobs = 1;
  await import(pathToFileURL(join(projectFolder, file)).href);
  // Runs after the tests of the file, and before the next file is loaded.
  await t.test(`${file} leaves the process as it was`, async (t) => {
    t.strictSame(processState(), before);
  });
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
