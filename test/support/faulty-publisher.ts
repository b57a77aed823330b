/**
 * A process that publishes, appends, rolls back or collects garbage, and that something happens to at a step: run as
 * `node faulty-publisher.ts <work as JSON>`. It prints a line when it begins, at every step, and at its end.
 */
import { execFileSync } from "node:child_process";
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { attemptWork, type FaultyWork, timeText } from "./fault-work.ts";

const { fault, diesOfSizeLimit, ...work } = JSON.parse(process.argv[2] ?? "") as FaultyWork;

if (diesOfSizeLimit) {
  // Node ignores this signal; a listener that is taken away again leaves what the system does: it ends the process.
  const listener = (): void => {};
  process.on("SIGXFSZ", listener).off("SIGXFSZ", listener);
}

// A process that is killed would leave nothing in the compile cache.
flushCompileCache();

say("begun");
say(`ended ${await attemptWork(work, onTime)}`);

async function onTime(at: string): Promise<void> {
  say(at);
  if (fault === null || at !== timeText(fault.at)) return;
  switch (fault.kind) {
    case "kill":
      process.kill(process.pid, "SIGKILL");
      break;
    case "hang":
      await new Promise((resolve) => setTimeout(resolve, 2 ** 31 - 1));
      break;
    case "limit":
      execFileSync("prlimit", ["--pid", String(process.pid), "--fsize=0:"]);
      break;
  }
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}
