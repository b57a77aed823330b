/** Stores written and read back, for tests that have no snapshot on disk. */
import { join } from "node:path";
import type { Test } from "tap";
import { readCompiledStore, writeCompiledStore } from "../../../src/engine/compiled/compiled-file.ts";
import type { StoreSource } from "../../../src/engine/compiled/file-layout.ts";
import type { Store } from "../../../src/engine/store/store.ts";

/** What the store of a test dataset is made from, with a content hash that stands for it. */
export function sourceOf({ snapshot: { id, timeZone, utcOffset } }: Store): StoreSource {
  return { snapshot: id, contentHash: "ab".repeat(32), timeZone, utcOffset };
}

/** Writes a store into a temporary folder. @returns The path of the file. */
export async function writeToTestFile(t: Test, store: Store): Promise<string> {
  const path = join(t.testdir({}), "test.store");
  await writeCompiledStore(path, store, sourceOf(store));
  return path;
}

/** Reads a file that should be the compiled form of a store. */
export async function readAs(path: string, store: Store): Promise<Store> {
  return await readCompiledStore(path, sourceOf(store), store.snapshot);
}
