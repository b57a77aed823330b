/**
 * Starts the service. All of it is loaded from here, after Node was told to keep what it compiles: every start but the
 * first is quicker by that.
 */
import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Beside the packages, not in a folder that all users of the machine share. Where it cannot be written, nothing is lost.
const folder = join(import.meta.dirname, "..", "node_modules", ".cache", "node-compile-cache");
enableCompileCache(folder);
// Threads take it from here.
process.env["NODE_COMPILE_CACHE"] ||= folder;
const { start } = await import("./start.ts");
await start();
