import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/**
 * Starts a process with so many connections that dribble. Done when all are open.
 *
 * @returns Ends it; fails when it has ended by itself.
 * @throws {Error} when it ends before.
 */
export async function startDribbling(port: number, count: number): Promise<() => Promise<void>> {
  const child = fork(join(import.meta.dirname, "dribble-main.ts"), [String(port), String(count)]);
  const [message] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (message !== "dribbling")
    throw new Error(`the process that dribbles ended with ${message} before its connections were open`);
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("the process that dribbles has ended");
    child.kill("SIGKILL");
    await once(child, "exit");
  };
}
