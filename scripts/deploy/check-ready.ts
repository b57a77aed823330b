/**
 * Asks the admin port of a service, whose address the environment has as for the service itself, whether it is ready.
 * Exit status 0: it is; 1: it is not, and stderr says why. No package, so that it can check the health of a container.
 *
 * With `MAINPID`, the process of the service as systemd names it to the commands of a unit, the wait ends with it: a
 * service that refuses its configuration never becomes ready.
 */
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { baseUrlOf } from "../../src/engine/model/base-url.ts";

const attemptMilliseconds = 3000;
const intervalMilliseconds = 200;

const { values } = parseArgs({ options: { wait: { type: "string", default: "0" } } });
if (!/^\d{1,4}$/.test(values.wait)) {
  process.stderr.write(`--wait is ${JSON.stringify(values.wait)}, expected whole seconds up to 9999\n`);
  process.exit(2);
}
const deadline = performance.now() + 1000 * Number(values.wait);
const url = `${baseUrlOf(process.env["ADMIN_HOST"] || "127.0.0.1", Number(process.env["ADMIN_PORT"] || 3001))}/ready`;

const mainProcess = Number(process.env["MAINPID"] || 0);

let problem = await askReady();
while (problem !== undefined && performance.now() < deadline) {
  if (hasEnded(mainProcess)) {
    problem = "the service has ended, its log says why";
    break;
  }
  await delay(intervalMilliseconds);
  problem = await askReady();
}
if (problem !== undefined) {
  process.stderr.write(`${url}: ${problem}\n`);
  process.exitCode = 1;
}

/** @returns Why the service is not ready; undefined when it is. */
async function askReady(): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(attemptMilliseconds) });
    const text = await response.text();
    return response.ok ? undefined : `${response.status} ${text.trim()}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}

/** @param id Of a process; 0 where none is named, which never ends. */
function hasEnded(id: number): boolean {
  if (id === 0) return false;
  try {
    // Sends nothing, source: man 2 kill.
    process.kill(id, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
