import type { CallMessage, ReplyMessage } from "./call-child.ts";

/** The calls of a process by name. */
export type Calls = Readonly<Record<string, (argument: never) => unknown>>;

/** Answers the calls that the parent process makes (`callChild`); one that throws is answered with its stack. */
export function answerCalls(calls: Calls): void {
  process.on("message", async ({ name, argument }: CallMessage) => {
    let reply: ReplyMessage;
    try {
      const call = calls[name] as ((argument: unknown) => unknown) | undefined;
      if (call === undefined)
        throw new RangeError(`there is no call ${name}, expected ${Object.keys(calls).join(", ")}`);
      reply = { result: await call(argument) };
    } catch (error) {
      reply = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
    process.send?.(reply);
  });
}
