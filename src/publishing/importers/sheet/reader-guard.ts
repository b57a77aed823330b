/**
 * A thread of the reader process that ends the process when it costs too much. Only resident memory counts everything:
 * texts and buffers of a parser lie outside the heap that V8 limits. The main thread cannot watch: parsers block it.
 */
import { workerData } from "node:worker_threads";
import { type ReaderLimits, timeSignal } from "./reader-limits.ts";

const intervalMilliseconds = 10;

const { mebibytes, seconds } = workerData as ReaderLimits;

setInterval(() => {
  const { user, system } = process.cpuUsage();
  if (process.memoryUsage.rss() > mebibytes * 1024 * 1024) process.kill(process.pid, "SIGKILL");
  if (user + system > seconds * 1_000_000) process.kill(process.pid, timeSignal);
}, intervalMilliseconds);
