import { join } from "node:path";

/**
 * Where Node keeps what it has compiled, so that all but the first start is quick: the folder of the service. `.taprc`
 * gives it to the processes of tests, from the project's folder; processes that run in other folders need the whole
 * path.
 */
export const compileCache: string = join(import.meta.dirname, "../../node_modules/.cache/node-compile-cache");
