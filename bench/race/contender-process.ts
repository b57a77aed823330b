import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { callChild } from "../calls/call-child.ts";
import type { ContenderName } from "../contenders/contender.ts";
import type { CallName, ContenderCalls } from "./contender-calls.ts";

const mainPath = join(import.meta.dirname, "contender-main.ts");

/** Mebibytes of objects a contender may hold: plain JavaScript keeps a million prices as objects. */
const heapMebibytes = 6144;

/** A contender in its own process. It works only while a call is under way. */
export class ContenderProcess {
  readonly name: ContenderName;
  readonly #child: ChildProcess;

  constructor(name: ContenderName) {
    this.name = name;
    this.#child = fork(mainPath, {
      serialization: "advanced",
      execArgv: ["--expose-gc", `--max-old-space-size=${heapMebibytes}`],
    });
  }

  /**
   * Makes one call and waits for its result.
   *
   * @throws {Error} with the stack of what went wrong in the process, or when the process is gone.
   */
  async call<Name extends CallName>(
    name: Name,
    argument: ContenderCalls[Name]["argument"],
  ): Promise<ContenderCalls[Name]["result"]> {
    const result = await callChild(this.#child, this.name, name, argument);
    return result as ContenderCalls[Name]["result"];
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}
