/** A thread that builds parts of a store; started by build-store.ts, which hands it the sources at its start. */
import { workerData } from "node:worker_threads";
import { answerRequests } from "../threads/worker-client.ts";
import { buildPart, type PartName, type PartSources } from "./build-store.ts";

answerRequests((name: PartName) => buildPart(name, workerData as PartSources));
