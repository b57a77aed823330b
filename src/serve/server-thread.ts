/**
 * One server thread: the Koa app on the port that all threads share, over the memory that all threads share. It does what
 * the supervisor says (see thread-messages.ts), and ends when its last request has ended after `drain`.
 */
import { parentPort, workerData } from "node:worker_threads";
import { KeyRing } from "../auth/key-record.ts";
import { layoutVersion } from "../compiled/file-layout.ts";
import { Admission } from "../http/admission.ts";
import { createApp } from "../http/app.ts";
import type { AppDependencies } from "../http/context.ts";
import { createHttpServer } from "../http/create-server.ts";
import { countedEndpoints } from "./counted-endpoints.ts";
import { prepareDrain } from "./drain.ts";
import { listen } from "./listen.ts";
import { LiveStore } from "./live-store.ts";
import { openLog } from "./log.ts";
import { requestCounter } from "./request-counters.ts";
import { requireLayout } from "./require-layout.ts";
import type { FromServerThread, ServerThreadData, ToServerThread } from "./thread-messages.ts";

const supervisor = parentPort;
if (supervisor === null) throw new Error("server-thread.ts runs as a thread of the service only");

const { thread, host, port, sharesPort, generation, counters, logForm, limits, ...service } =
  workerData as ServerThreadData;
requireLayout(layoutVersion, service.layoutVersion);
const log = await openLog(logForm, { thread });
const liveStore = new LiveStore(generation);
let keys = new KeyRing([]);
const deps: AppDependencies = {
  currentStore: () => liveStore.current(),
  currentKeys: () => keys,
  now: Date.now,
  log,
  admission: new Admission(service.admissionMemory, limits, thread),
  countRequest: requestCounter(counters, countedEndpoints, thread),
};
const server = createHttpServer(createApp(deps).callback(), deps);
const drain = prepareDrain(server);

supervisor.on("message", obey);

function obey(message: ToServerThread): void {
  switch (message.kind) {
    case "keys":
      keys = new KeyRing(message.records);
      return;
    case "attach":
      liveStore.attach(message.generation, message.store);
      tell({ kind: "attached", generation: message.generation });
      return;
    case "release":
      liveStore.releaseBefore(message.before);
      return;
    case "listen":
      listen(server, host, port, { host: "HOST", port: "PORT" }, sharesPort).then(
        () => tell({ kind: "listening" }),
        (error: Error) => tell({ kind: "refused", message: error.message }),
      );
      return;
    case "drain":
      drain().then(() => process.exit());
      return;
    default:
      throw new TypeError(`server thread ${thread} was told ${JSON.stringify(message)}, expected one of its messages`);
  }
}

function tell(message: FromServerThread): void {
  supervisor?.postMessage(message);
}
