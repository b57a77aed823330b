/**
 * A command in the process of its test: as `runScript`, without the start of Node. It runs the same file of `scripts/`,
 * with its own arguments, folder, variables and output. A test that needs a process (signals, pipes, several commands
 * at once) uses `runScript`.
 */
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Instant } from "../../src/engine/model/calendar.ts";
import { commandVariables, runProcess, type ScriptResult, scriptUrl } from "./run-script.ts";

/** Commands share folder, variables and exit code of the process, so each waits for the one before. */
let previous: Promise<unknown> = Promise.resolve();
let runs = 0;

/**
 * @param cwd See `runScript`, as for the others.
 * @param now What the clock says; it runs as that of the machine when absent.
 */
export function runCommand(
  name: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
  now?: Instant,
): Promise<ScriptResult> {
  const result = previous.then(() => runHere(name, args, cwd, env, now));
  previous = result.catch(() => {});
  return result;
}

/** One command line, and the folder to run it in. */
export interface CommandCall {
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Runs commands one after the other in one process beside that of the test, for those that could block it. */
export async function runCommandsInChild(calls: readonly CommandCall[], cwd: string): Promise<ScriptResult[]> {
  const runner = fileURLToPath(new URL("./command-runner.ts", import.meta.url));
  const { code, stdout, stderr } = await runProcess(process.execPath, [runner, JSON.stringify(calls)], cwd);
  if (code !== 0) throw new Error(`the commands ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

async function runHere(
  name: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  now: Instant | undefined,
): Promise<ScriptResult> {
  const clock = Date.now;
  const { argv, env: variables, exitCode } = process;
  const folder = process.cwd();
  const [stdout, stderr] = [captureOutput("stdout"), captureOutput("stderr")];
  try {
    process.chdir(cwd);
    process.argv = [process.execPath, name, ...args];
    process.env = commandVariables(env);
    process.exitCode = undefined;
    if (now !== undefined) Date.now = () => now;
    // Another query makes another module, so the script runs again; the modules that it imports stay.
    await import(`${scriptUrl(name).href}?run=${runs++}`);
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    Date.now = clock;
    process.exitCode = exitCode;
    process.env = variables;
    process.argv = argv;
    process.chdir(folder);
    stdout.restore();
    stderr.restore();
  }
}

/**
 * Gives the process another stream, which is no terminal, until it is restored; the report of the test keeps its own.
 */
function captureOutput(name: "stdout" | "stderr"): { text(): string; restore(): void } {
  const own = Object.getOwnPropertyDescriptor(process, name) as PropertyDescriptor;
  let text = "";
  const value = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  Object.defineProperty(process, name, { configurable: true, enumerable: true, value });
  return { text: () => text, restore: () => void Object.defineProperty(process, name, own) };
}
