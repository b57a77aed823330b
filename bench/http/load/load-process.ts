import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { callChild } from "../../calls/call-child.ts";
import type { Load, LoadFigures } from "./run-load.ts";

/**
 * The load generator in a process of its own, so that its work is not the server's and does not wait for the reports.
 */
export class LoadProcess {
  readonly #child: ChildProcess;

  constructor() {
    this.#child = fork(join(import.meta.dirname, "load-main.ts"), { serialization: "advanced" });
  }

  /** Runs a load to its end. */
  async run(load: Load): Promise<LoadFigures> {
    return (await callChild(this.#child, "the load generator", "run", load)) as LoadFigures;
  }

  stop(): void {
    this.#child.kill("SIGKILL");
  }
}
