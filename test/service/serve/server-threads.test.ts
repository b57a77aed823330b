import { pino } from "pino";
import t from "tap";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { createPlaceFigures } from "../../../src/service/http/admission/admission.ts";
import { createConnectionMemory } from "../../../src/service/http/connection/connection-counts.ts";
import { ServerThreads, type ServerThreadsOptions } from "../../../src/service/serve/server-threads.ts";
import { serviceParts } from "../../../src/service-parts.ts";
import { holdsWithin } from "../../support/start-process.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

/** @param data What the thread is given beside the generation. */
function startThread(script: URL, data: object, options: Partial<ServerThreadsOptions>): ServerThreads {
  return new ServerThreads({
    script,
    threadCount: 1,
    data: { generation: new Int32Array(new SharedArrayBuffer(4)), ...data } as ServerThreadsOptions["data"],
    log: pino({ level: "silent" }),
    onThread: () => undefined,
    onDownloadsWanted: () => [],
    ...options,
  });
}

t.test("a thread that cannot even be started is as one that died: reported, and tried again", async (t) => {
  const lines: { readonly msg: string; readonly lived_ms: number }[] = [];
  // No thread can be given a function, so making one fails, as where the system refuses it.
  const threads = startThread(
    serviceParts.serverThread,
    { logForm: () => undefined },
    {
      log: pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }),
      onThread: () => t.fail("there is no thread"),
    },
  );
  t.ok(await holdsWithin(10_000, () => threads.deaths >= 2));
  t.match(lines[0], { msg: /another takes its place/, err: { name: "DataCloneError" }, exit_code: 1 });
  t.equal(threads.listening.length, 0);
  await threads.drain();
});

t.test("a thread that is stuck while it prepares a store is ended, and the store is served", async (t) => {
  const onMessage = '({ kind }) => { parentPort.postMessage({ answer: 0 }); if (kind === "attach") for (;;); }';
  const script = `import { parentPort } from "node:worker_threads"; parentPort.on("message", ${onMessage});`;
  const memory = { connectionMemory: createConnectionMemory(1), placeFigures: createPlaceFigures(1) };
  const threads = startThread(new URL(`data:text/javascript,${script}`), memory, { answerMillisecondsMax: 100 });
  t.teardown(() => threads.drain());
  void threads.activate(buildStore(tinyDataset()));
  t.ok(await holdsWithin(5000, () => threads.current !== undefined));
  t.ok(threads.deaths > 0);
});
