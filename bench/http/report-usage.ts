/**
 * Loaded into the process of our service by `--import`: reports the processor time of the process, and ends it
 * with the benchmark.
 */
import { answerCalls } from "../calls/answer-calls.ts";

answerCalls({
  /** @returns Processor time so far, in microseconds. */
  usage: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
});
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
// The service ends when its own work ends.
process.channel?.unref();
