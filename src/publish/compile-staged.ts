import { rm } from "node:fs/promises";
import { type Compilation, compileManifest } from "../compiled/compile-snapshot.ts";
import type { Manifest } from "../dataset/manifest.ts";
import type { Store } from "../store/store.ts";
import type { StepObserver } from "./publish-step.ts";

/**
 * Compiles the store of a snapshot that is staged and has no name yet: once `CURRENT` names it, whoever loads it finds the
 * store ready. The staging folder is removed when this fails for another reason than the disk.
 */
export async function compileStaged(
  dataDirectory: string,
  staging: string,
  manifest: Manifest,
  store: Store,
  onStep: StepObserver,
): Promise<Compilation> {
  try {
    const compilation = await compileManifest(dataDirectory, manifest, store);
    await onStep("compiled");
    return compilation;
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
}
