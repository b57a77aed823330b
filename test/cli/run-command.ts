/**
 * A command in the process of its test: as `runScript`, without the start of Node. It runs the same file of `scripts/`, with
 * its own arguments, folder, variables and output. A test that needs a process (signals, pipes, several commands at once)
 * uses `runScript`.
 */
import { Writable } from "node:stream";
import { commandVariables, type ScriptResult, scriptUrl } from "./run-script.ts";

/** Commands share folder, variables and exit code of the process, so each waits for the one before. */
let previous: Promise<unknown> = Promise.resolve();
let runs = 0;

/** @param cwd See `runScript`, as for the others. */
export function runCommand(
  name: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ScriptResult> {
  const result = previous.then(() => runHere(name, args, cwd, env));
  previous = result.catch(() => {});
  return result;
}

async function runHere(
  name: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<ScriptResult> {
  const { argv, env: variables, exitCode } = process;
  const folder = process.cwd();
  const [stdout, stderr] = [captureOutput("stdout"), captureOutput("stderr")];
  try {
    process.chdir(cwd);
    process.argv = [process.execPath, name, ...args];
    process.env = commandVariables(env);
    process.exitCode = undefined;
    // Another query makes another module, so the script runs again; the modules that it imports stay.
    await import(`${scriptUrl(name).href}?run=${runs++}`);
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.exitCode = exitCode;
    process.env = variables;
    process.argv = argv;
    process.chdir(folder);
    stdout.restore();
    stderr.restore();
  }
}

/** Gives the process another stream, which is no terminal, until it is restored; the report of the test keeps its own. */
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
