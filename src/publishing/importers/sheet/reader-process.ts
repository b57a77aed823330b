/**
 * The process that reads files of other people: parses one, sends its tables to the process that started it, and ends.
 *
 * Arguments: the path of the file, and a `ReaderWork` as JSON.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { entryFile } from "../../../engine/threads/entry-file.ts";
import { type ReaderMessage, type ReaderWork, readerMessages } from "./reader-messages.ts";

const [path = "", argument = ""] = process.argv.slice(2);
const work = JSON.parse(argument) as ReaderWork;
const guard = new Worker(entryFile("./reader-guard", import.meta.url), { workerData: work.limits });
await once(guard, "online");
guard.unref();
// A thread with flags of its own has all permissions. Node 24 cannot take one away.
if ("drop" in process.permission) process.permission.drop("worker");
for await (const message of readerMessages(path, work)) await send(message);
process.disconnect?.();

/** Waits until the message is written, so that no queue of messages grows. */
function send(message: ReaderMessage): Promise<void> {
  return new Promise((resolve) => void process.send?.(message, () => resolve()));
}
