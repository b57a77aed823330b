import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/**
 * Starts a process with so many connections that dribble. Done when all are open.
 *
 * @returns Ends it.
 * @throws {Error} when it ends before.
 */
export async function startDribbling(port: number, count: number): Promise<() => void> {
  const child = fork(join(import.meta.dirname, "dribble-main.ts"), [String(port), String(count)]);
  const [message] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (message !== "dribbling")
    throw new Error(`the process that dribbles ended with ${message} before its connections were open`);
  return () => child.kill("SIGKILL");
}
