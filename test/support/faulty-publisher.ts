/**
 * A process that publishes, appends, rolls back or collects garbage, and that something happens to at a call that
 * changes the disk: run as `node faulty-publisher.ts <work as JSON>`. It prints a line when it begins, at every such
 * call, and at its end.
 */
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { dirname } from "node:path";
import { attemptWork, callText, type FaultyWork } from "./fault-work.ts";

const { fault, diesOfSizeLimit, ...work } = JSON.parse(process.argv[2] ?? "") as FaultyWork;
const root = dirname(work.request.dataDirectory);

if (diesOfSizeLimit) {
  // Node ignores this signal; a listener that is taken away again leaves what the system does: it ends the process.
  const listener = (): void => {};
  process.on("SIGXFSZ", listener).off("SIGXFSZ", listener);
}

// A process that is killed would leave nothing in the compile cache.
flushCompileCache();

say("begun");
const { outcome } = await attemptWork(work, { ...fault, onCall: (calls) => say(callText(calls, calls.length, root)) });
say(`ended ${outcome}`);

function say(line: string): void {
  writeSync(1, `${line}\n`);
}
