/** Programs of one kind behind one npm script, such as the benchmarks: `npm run bench -- NAME`. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { exitRefused, exitWrongUse } from "./command.ts";
import { printProblem, printReport } from "./output.ts";

/** A program that is started by its name. */
export interface NamedProgram {
  /** A TypeScript file, or a shell script. */
  readonly file: URL;
  /** One line for the list of names. */
  readonly description: string;
  /** Flags of Node that it needs. */
  readonly nodeFlags?: readonly string[];
}

/**
 * Becomes the program that the first argument names, with the arguments after it; flags before the name go to Node.
 * Without a name, or with an unknown one, it prints all names to stderr and sets exit status 2.
 *
 * @param script The npm script's name, as people type it.
 * @param programs By name.
 */
export function runNamedProgram(script: string, programs: Readonly<Record<string, NamedProgram>>): void {
  const args = process.argv.slice(2);
  const list = `npm run ${script} -- NAME [arguments]\n\n${nameList(programs)}\n`;
  if (["-h", "--help"].includes(args[0] ?? "")) {
    printReport(list);
    return;
  }
  const flagCount = args.findIndex((arg) => !arg.startsWith("-"));
  const [name, ...rest] = flagCount === -1 ? [] : args.slice(flagCount);
  const program = name !== undefined && Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (program === undefined) {
    printProblem(
      `found ${name === undefined ? "no name" : JSON.stringify(name)}, expected a NAME of this list:\n${list}`,
    );
    process.exitCode = exitWrongUse;
    return;
  }
  const { file, nodeFlags = [] } = program;
  const path = fileURLToPath(file);
  if (path.endsWith(".sh")) become("/usr/bin/env", ["bash", path, ...rest]);
  else become(process.execPath, [...nodeFlags, ...args.slice(0, flagCount), path, ...rest]);
}

function nameList(programs: Readonly<Record<string, NamedProgram>>): string {
  const width = Math.max(...Object.keys(programs).map(({ length }) => length));
  return Object.entries(programs)
    .map(([name, { description }]) => `  ${name.padEnd(width)}  ${description}`)
    .join("\n");
}

/**
 * Becomes a program where the system can do that, so that signals are its own. Elsewhere it is a child, and its exit
 * status that of this process.
 */
function become(path: string, args: readonly string[]): void {
  if (process.platform !== "win32") process.execve?.(path, [path, ...args], process.env);
  const { status, error } = spawnSync(path, args, { stdio: "inherit" });
  if (error !== undefined) throw error;
  process.exitCode = status ?? exitRefused;
}
