/** Starts the service. All of it is loaded from here, after Node's compile cache is enabled. */
import "./compile-cache.ts";

const { start } = await import("./start.ts");
await start();
