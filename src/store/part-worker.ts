/** A thread that builds parts of a store; started by build-store.ts, which hands it the sources at its start. */
import { workerData } from "node:worker_threads";
import { buildPart, type PartName, type PartSources, type StoreParts } from "./build-store.ts";

/** The pool puts its own data before ours. */
const [, sources] = workerData as [pool: unknown, sources: PartSources];

export function buildOnePart(name: PartName): StoreParts[PartName] {
  return buildPart(name, sources);
}
