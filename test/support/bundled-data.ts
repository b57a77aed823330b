/** The data that comes with the project, loaded and built once in each process of tests; they only read it. */
import { join } from "node:path";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { buildStore } from "../../src/engine/store/build-store.ts";
import type { Store } from "../../src/engine/store/store.ts";
import { loadCurrentDataset } from "./open-snapshots.ts";
import { projectFolder } from "./test-files.ts";

export const bundledFolder: string = join(projectFolder, "data");

let loaded: Promise<Dataset> | undefined;
let built: Promise<Store> | undefined;

/** @throws {DatasetError} when the current snapshot is broken, also where its parent is whole. */
export function bundledDataset(): Promise<Dataset> {
  loaded ??= loadCurrentDataset(bundledFolder, {
    onFallback({ error }) {
      throw error;
    },
  });
  return loaded;
}

export function bundledStore(): Promise<Store> {
  built ??= bundledDataset().then(buildStore);
  return built;
}
