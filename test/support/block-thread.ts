/**
 * Blocks the event loop of a server thread for real. Loaded into every thread with `--import`; a thread that finds its
 * number in a message waits there until its gate opens, and runs nothing meanwhile.
 */
import { BroadcastChannel, workerData } from "node:worker_threads";

/** Asks the thread of this number to wait until the gate, one number, is no longer 0. */
export interface Block {
  readonly thread: number;
  readonly gate: Int32Array<SharedArrayBuffer>;
}

export const blockChannelName = "block a server thread";

/** A test that fails leaves no thread behind. */
const blockMillisecondsMax = 60_000;

const thread: unknown = workerData?.thread;
if (typeof thread === "number") {
  const channel = new BroadcastChannel(blockChannelName);
  channel.unref();
  channel.onmessage = (message) => {
    const { thread: number, gate } = (message as MessageEvent).data as Block;
    if (number === thread) Atomics.wait(gate, 0, 0, blockMillisecondsMax);
  };
}
