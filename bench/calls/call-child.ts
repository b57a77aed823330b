import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** What crosses the boundary to a child process. */
export interface CallMessage {
  readonly name: string;
  readonly argument: unknown;
}

/** The reply to a call. */
export type ReplyMessage = { readonly result: unknown } | { readonly error: string };

/**
 * Makes one call to a child process that was started with an IPC channel and runs `answerCalls`, and waits for its
 * result. One call at a time.
 *
 * @param title Names the child in messages.
 * @throws {Error} with the stack of what went wrong in the child, or when the child has ended.
 */
export async function callChild(child: ChildProcess, title: string, name: string, argument: unknown): Promise<unknown> {
  const stop = new AbortController();
  const { signal } = stop;
  try {
    const reply = once(child, "message", { signal });
    const exit = once(child, "exit", { signal });
    // Whichever comes second is aborted below; that is no error.
    reply.catch(() => {});
    exit.catch(() => {});
    const ended = child.signalCode ?? child.exitCode;
    if (ended !== null) throw new Error(`the process of ${title} had ended before ${name} (${ended})`);
    const message: CallMessage = { name, argument };
    child.send(message);
    const [first] = (await Promise.race([reply, exit])) as [ReplyMessage | number | null];
    if (first === null || typeof first !== "object") {
      throw new Error(`the process of ${title} ended during ${name} (${child.signalCode ?? first})`);
    }
    if ("error" in first) throw new Error(`${title}, ${name}: ${first.error}`);
    return first.result;
  } finally {
    stop.abort();
  }
}
