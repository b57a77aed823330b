import { join } from "node:path";
import t from "tap";
import { layoutVersion } from "../../../src/engine/compiled/layout-version.ts";
import { WorkerClient } from "../../../src/engine/threads/worker-client.ts";
import type { LoaderAnswer, LoaderRequest } from "../../../src/service/serve/loader-thread.ts";
import { writeCurrentSnapshot } from "../../support/snapshot-files.ts";

t.test("a loader hands a store over only to a service whose stores have its layout", async (t) => {
  const dataDirectory = join(t.testdir({}), "data");
  const id = await writeCurrentSnapshot(dataDirectory);
  const script = new URL("../../../src/service/serve/loader-thread.ts", import.meta.url);
  const answerTo = async (layoutOfService: number): Promise<LoaderAnswer> => {
    const client = new WorkerClient<LoaderRequest, LoaderAnswer>(script, "the loader thread");
    const request = { dataDirectory, isStart: false, layoutVersion: layoutOfService };
    return await client.request(request).finally(() => client.end());
  };
  t.match(await answerTo(layoutVersion), { kind: "done", opened: { store: { snapshot: { id } } } });
  t.match(await answerTo(layoutVersion - 1), { kind: "failed", message: /restart the service$/ });
});
