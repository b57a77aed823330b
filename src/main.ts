/**
 * Starts the service. All of it is loaded from here, after Node's compile cache is enabled: every start but the first is
 * faster.
 */
import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Beside the packages, not in a folder that all users of the machine share. Where it cannot be written, there is no cache.
const folder = join(import.meta.dirname, "..", "node_modules", ".cache", "node-compile-cache");
enableCompileCache(folder);
// For the threads.
process.env["NODE_COMPILE_CACHE"] ||= folder;
const { start } = await import("./start.ts");
await start();
