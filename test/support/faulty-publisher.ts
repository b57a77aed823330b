/**
 * A process that publishes, appends, rolls back or collects garbage, and that something happens to at a step: run as
 * `node faulty-publisher.ts <work as JSON>`. It prints a line when it begins, at every step, and at its end.
 */
import { execFileSync } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import type { PublishStep } from "../../src/publishing/publish/publish-steps.ts";
import { doWork, type FaultyWork, type StepFault } from "./fault-work.ts";

const { fault, diesOfSizeLimit, ...work } = JSON.parse(process.argv[2] ?? "") as FaultyWork;
const seen = new Map<PublishStep, number>();

if (diesOfSizeLimit) {
  // Node ignores this signal; a listener that is taken away again leaves what the system does: it ends the process.
  const listener = (): void => {};
  process.on("SIGXFSZ", listener).off("SIGXFSZ", listener);
}

// A process that is killed would leave nothing in the compile cache.
flushCompileCache();

say("begun");
try {
  await doWork(work, onStep);
  say("ended done");
} catch (error) {
  say(`ended ${error instanceof Error && "code" in error ? error.code : error}`);
}

async function onStep(step: PublishStep): Promise<void> {
  const time = (seen.get(step) ?? 0) + 1;
  seen.set(step, time);
  say(`${step} ${time}`);
  if (fault !== null && step === fault.at.step && time === fault.at.time) await suffer(fault);
}

async function suffer(fault: StepFault): Promise<void> {
  switch (fault.kind) {
    case "kill":
      process.kill(process.pid, "SIGKILL");
      break;
    case "hang":
      await new Promise((resolve) => setTimeout(resolve, 2 ** 31 - 1));
      break;
    case "fill":
      fill(fault.filler);
      break;
    case "limit":
      execFileSync("prlimit", ["--pid", String(process.pid), "--fsize=0:"]);
      break;
  }
}

/** Writes until nothing more can be written, at last byte by byte. */
function fill(path: string): void {
  const file = openSync(path, "w");
  for (let bytes = 65_536; bytes >= 1; ) {
    try {
      if (writeSync(file, new Uint8Array(bytes)) < bytes) bytes >>= 1;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      bytes >>= 1;
    }
  }
  closeSync(file);
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}
