import { pino } from "pino";
import t from "tap";
import { ServerThreads, type ServerThreadsOptions } from "../../../src/service/serve/server-threads.ts";
import { serviceParts } from "../../../src/service-parts.ts";
import { holdsWithin } from "../../support/start-process.ts";

t.test("a thread that cannot even be started is as one that died: reported, and tried again", async (t) => {
  const lines: { readonly msg: string; readonly lived_ms: number }[] = [];
  const generation = new Int32Array(new SharedArrayBuffer(4));
  // No thread can be given a function, so making one fails, as where the system refuses it.
  const data = { generation, logForm: () => undefined } as unknown as ServerThreadsOptions["data"];
  const threads = new ServerThreads({
    script: serviceParts.serverThread,
    threadCount: 1,
    data,
    log: pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }),
    onThread: () => t.fail("there is no thread"),
    onDownloadsWanted: () => [],
  });
  t.ok(await holdsWithin(10_000, () => threads.deaths >= 2));
  t.match(lines[0], { msg: /another takes its place/, err: { name: "DataCloneError" }, exit_code: 1 });
  t.equal(threads.listening.length, 0);
  await threads.drain();
});
