import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { ContenderName } from "../contenders/contender.ts";
import type { CallName, ContenderCalls, ReplyMessage } from "./contender-calls.ts";

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
    const stop = new AbortController();
    const { signal } = stop;
    try {
      const reply = once(this.#child, "message", { signal });
      const exit = once(this.#child, "exit", { signal });
      // Whichever comes second is called off below; that is no error.
      reply.catch(() => {});
      exit.catch(() => {});
      this.#child.send({ name, argument });
      const [first] = (await Promise.race([reply, exit])) as [ReplyMessage | number | null];
      if (first === null || typeof first !== "object") {
        throw new Error(`the process of ${this.name} ended during ${name} (${this.#child.signalCode ?? first})`);
      }
      if ("error" in first) throw new Error(`${this.name}, ${name}: ${first.error}`);
      return first.result as ContenderCalls[Name]["result"];
    } finally {
      stop.abort();
    }
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}
