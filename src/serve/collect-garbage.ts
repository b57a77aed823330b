/**
 * Shared memory does not count towards the size at which V8 collects garbage, so a store that was let go of would keep its
 * memory until a thread had made enough other garbage: on a quiet service, for ever. So a collection is asked for.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Requests that saw the old store have mostly ended by then, and those that have not are few. */
const delayMilliseconds = 1000;

let scheduled: NodeJS.Timeout | undefined;

/** Collects garbage in this thread a while after the last time this was asked for. Does not keep the thread alive. */
export function scheduleCollection(): void {
  clearTimeout(scheduled);
  scheduled = setTimeout(collect, delayMilliseconds).unref();
}

function collect(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
