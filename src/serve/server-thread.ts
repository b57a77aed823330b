/**
 * One server thread: the Koa app on the port that all threads share, over the memory that all threads share. The supervisor
 * controls it by messages (thread-messages.ts); after `drain` it ends with its last request.
 */
import { parentPort, workerData } from "node:worker_threads";
import { KeyRing } from "../auth/key-record.ts";
import { layoutVersion } from "../compiled/file-layout.ts";
import { Admission } from "../http/admission.ts";
import { countedEndpoints, createApp } from "../http/app.ts";
import type { AppDependencies } from "../http/context.ts";
import { createHttpServer } from "../http/create-server.ts";
import { prepareDrain } from "./drain-server.ts";
import { LiveStore } from "./live-store.ts";
import { requireLayout } from "./load-failure.ts";
import { openLog } from "./log.ts";
import { listen, publicVariables } from "./ports.ts";
import { requestCounter } from "./request-counters.ts";
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

supervisor.on("message", onMessage);

function onMessage(message: ToServerThread): void {
  switch (message.kind) {
    case "keys":
      keys = new KeyRing(message.records);
      return;
    case "attach":
      liveStore.attach(message.generation, message.store);
      send({ kind: "attached", generation: message.generation });
      return;
    case "release":
      liveStore.releaseBefore(message.before);
      return;
    case "listen":
      listen(server, host, port, publicVariables, sharesPort).then(
        () => send({ kind: "listening" }),
        (error: Error) => send({ kind: "refused", message: error.message }),
      );
      return;
    case "drain":
      drain().then(() => process.exit());
      return;
    default:
      throw new TypeError(`server thread ${thread} received ${JSON.stringify(message)}, expected one of its messages`);
  }
}

function send(message: FromServerThread): void {
  supervisor?.postMessage(message);
}
