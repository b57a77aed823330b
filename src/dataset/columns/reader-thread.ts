/** The other end of `ReaderThread`: a thread that reads blocks. Tasks are done one after another, in order of arrival. */
import { parentPort } from "node:worker_threads";
import { BlockReader } from "./block-reader.ts";
import type { ReaderTask } from "./reader-tasks.ts";
import { findRepeatedUuids } from "./repeated-uuids.ts";

let reader: BlockReader | undefined;
let latest: Promise<void> = Promise.resolve();

// A failure is never caught here: it ends the thread, and whoever waits for an answer is told why.
parentPort?.on("message", (task: ReaderTask) => {
  latest = latest.then(async () => parentPort?.postMessage(await answerTo(task)));
});

async function answerTo(task: ReaderTask): Promise<unknown> {
  switch (task.kind) {
    case "plan":
      reader = new BlockReader(task.plan);
      return undefined;
    case "block":
      return await reader?.read(task.block);
    case "repeats":
      return findRepeatedUuids(task.question);
  }
}
