import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where Node keeps what it has compiled, so that the second of many starts is quick; the folder Node itself proposes. */
export const compileCache: string = join(tmpdir(), "node-compile-cache");
