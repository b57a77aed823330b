/**
 * Loaded into the process of our service by `--import`: tells the benchmark the processor time of the process, and ends it
 * with the benchmark.
 */
import { answerCalls } from "../calls/answer-calls.ts";

answerCalls({ usage: () => process.cpuUsage() });
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
// The service ends when its own work ends.
process.channel?.unref();
