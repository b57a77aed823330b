/**
 * Shared memory does not count towards the size at which V8 collects garbage, so the supervisor, which does little else, would
 * keep the stores that it has handed over. It collects on demand: nobody waits for it. Server threads have another way, see
 * live-store.ts.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const delayMilliseconds = 1000;

let scheduled: NodeJS.Timeout | undefined;

/** Collects garbage in this thread in a while, once for all who ask until then. Does not keep the process alive. */
export function scheduleCollection(): void {
  if (scheduled !== undefined) return;
  scheduled = setTimeout(collect, delayMilliseconds).unref();
}

function collect(): void {
  scheduled = undefined;
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
