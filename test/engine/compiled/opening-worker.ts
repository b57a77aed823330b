/** A thread that opens a snapshot and posts what it got. */
import { parentPort, workerData } from "node:worker_threads";
import { openSnapshot } from "../../support/open-snapshots.ts";

const { data, id } = workerData;
parentPort?.postMessage(await openSnapshot(data, id));
