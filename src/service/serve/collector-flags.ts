/** How V8 collects garbage in the threads of the service. */
import { setFlagsFromString } from "node:v8";

/**
 * Sets flags of V8 for all threads. To be called before threads start and after modules are loaded: V8 refuses code
 * from a compile cache that was made with other flags, so the threads have a cache of their own, and the supervisor
 * shares that of the commands.
 */
export function setCollectorFlags(): void {
  // V8 would take up to four of its threads for marking, from threads that answer.
  setFlagsFromString("--concurrent-marking-max-worker-num=1");
  // Pretenuring: V8 allocates the objects of an allocation site in the old generation once most of the first hundred
  // have outlived a scavenge, as they do where that falls into the making of an answer. From then on the groups of each
  // answer stay until the next major collection: in most starts, statistics by day took 1.5 times the processor time
  // or more, and some 150 MiB.
  setFlagsFromString("--no-allocation-site-pretenuring");
}
