import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import t from "tap";
import { layoutVersion } from "../../src/compiled/file-layout.ts";
import { writeCurrentSnapshot } from "../support/snapshot-files.ts";

t.test("a loader hands a store over only to a service whose stores have its layout", async (t) => {
  const dataDirectory = join(t.testdir({}), "data");
  const id = await writeCurrentSnapshot(dataDirectory);
  const told = async (layoutOfService: number): Promise<unknown> => {
    const workerData = { dataDirectory, triesParents: false, isBeside: true, layoutVersion: layoutOfService };
    const worker = new Worker(new URL("../../src/serve/loader-thread.ts", import.meta.url), { workerData });
    const messages: unknown[] = [];
    worker.on("message", (message) => messages.push(message));
    await once(worker, "exit");
    return messages.at(-1);
  };
  t.match(await told(layoutVersion), { kind: "loaded", opened: { store: { snapshot: { id } } } });
  t.match(await told(layoutVersion - 1), { kind: "failed", message: /restart the service$/ });
});
