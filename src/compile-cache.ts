/**
 * main.ts imports it first, for a start without scripts/run.js, which sets the same folder: Node keeps what it
 * compiles, and every start but the first takes about half the processor time. The package writes nothing into its own
 * folder, and has a cache where scripts/run.js or NODE_COMPILE_CACHE names one.
 */
import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Beside the packages, not in a folder that all users of the machine share. Where it cannot be written, there is no
// cache.
const folder = join(import.meta.dirname, "..", "node_modules", ".cache", "node-compile-cache");
if (import.meta.filename.endsWith(".ts")) {
  enableCompileCache(folder);
  // For the threads.
  process.env["NODE_COMPILE_CACHE"] ||= folder;
}
