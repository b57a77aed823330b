/**
 * Loaded before each test file (`node-arg` of .taprc): takes away what tap adds for coverage, which is not measured
 * here, and for attributing errors. It is a third of the processor time of a service that starts, and a fifth of that
 * of tests that send requests.
 */
import { writeSync } from "node:fs";
import processOnSpawn from "process-on-spawn";
import t, { type Base, type Test, TestBase } from "tap";

// tap has every child process, and so each of its threads, load tap's hooks, by NODE_OPTIONS. Those made by `fork` take
// over the flags of this process.
processOnSpawn.removeAllListeners();
delete process.env["NODE_OPTIONS"];
process.execArgv.splice(0);

// For compiled TypeScript. Types are replaced by spaces here, so that lines and columns are those of the source.
process.setSourceMapsEnabled(false);

// tap follows every promise and callback by async_hooks, to know to which test an uncaught error belongs. Without that,
// an uncaught error ends the process with its stack, and the test file has failed. Not every reporter shows that stack,
// so the error is a failed assertion as well; `#` would begin a directive.
process.on("uncaughtExceptionMonitor", (error) => {
  const [place = ""] = error.stack?.match(/\bfile:.+?\d(?=\)?$)/m) ?? [];
  const text = `${error}, at ${place}`.replaceAll("\n", " ").replaceAll("#", "\\#");
  writeSync(process.stdout.fd, `not ok - ${text}\n`);
});
t.hookDomain.destroy();
// With its first output tap makes another for errors outside all tests, which `onDestroy` ends.
t.pipe(process.stdout);
t.hook.onDestroy?.();
t.on("subtestAdd", stopFollowing);

// The time of .taprc and `--timeout` is that of a test, not of the file: a test that takes longer fails by its name, and
// the next one runs. A process is ended where no test has begun or ended for twice as long.
const testMilliseconds = t.options.timeout as number;
t.on("subtestAdd", renewLimit);
t.on("subtestEnd", renewLimit);

function renewLimit(test: Base): void {
  // The processes of test/rooms.test.ts have limits of their own.
  const isTest = test instanceof TestBase;
  t.setTimeout(isTest ? 2 * Math.max(testMilliseconds, test.options.timeout ?? 0) : 0);
  // Tests take it over.
  t.options.timeout = testMilliseconds;
}

/** Every test has such hooks from when it is added, also while it waits for those before it. */
function stopFollowing(test: Base): void {
  test.hookDomain.destroy();
  // A process that tap has started is no such test.
  if (!(test instanceof TestBase)) return;
  // What comes first ends last: without this, tap removes the folder of a test before it stops what writes there.
  (test as Test).teardown(() => undefined);
  test.on("subtestAdd", stopFollowing);
}
