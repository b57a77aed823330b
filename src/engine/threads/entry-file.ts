/**
 * Where the first file of a thread or a process is. It lies beside the module that starts it, and has its extension:
 * `.ts` in a clone, `.js` in the package, because Node takes no TypeScript below `node_modules`.
 */
import { extname } from "node:path";

/**
 * The first file of a thread or a process.
 *
 * @param name Relative to the module, without an extension: `./server-thread`.
 * @param moduleUrl `import.meta.url` of the module that starts it.
 */
export function entryFile(name: string, moduleUrl: string): URL {
  return new URL(`${name}${extname(new URL(moduleUrl).pathname)}`, moduleUrl);
}
