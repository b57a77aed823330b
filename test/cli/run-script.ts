import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { compileCache } from "../support/compile-cache.ts";

export interface ScriptResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs `scripts/<name>.ts` as a process of its own, as npm does, and waits for its end.
 *
 * @param cwd The folder to run it in; paths in `args` are relative to it.
 * @param env Variables beside those of this process, from which the ones that commands read are removed.
 */
export function runScript(
  name: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ScriptResult> {
  return runProcess(process.execPath, [fileURLToPath(scriptUrl(name)), ...args], cwd, env);
}

/** Runs any program in the same way. */
export function runProcess(
  file: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ScriptResult> {
  const child = spawn(file, args, { cwd, env: commandVariables(env), stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Where the program of an npm script is. */
export function scriptUrl(name: string): URL {
  return new URL(`../../scripts/${name}.ts`, import.meta.url);
}

/** The variables of a command: those of this process without the ones that commands read, and these. */
export function commandVariables(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { KEYS_FILE: _keysFile, SIGNING_KEY: _signingKey, NODE_OPTIONS: _options, ...rest } = process.env;
  const { HOST: _host, PORT: _port, PUSH_TO: _pushTo, ...inherited } = rest;
  return { ...inherited, NODE_COMPILE_CACHE: compileCache, ...env };
}
