/** Runs the commands of its first argument one after the other, and prints their results; see `runCommandsInChild`. */
import type { CommandCall } from "./run-command.ts";
import { runCommand } from "./run-command.ts";

const calls = JSON.parse(process.argv[2] ?? "[]") as CommandCall[];
const results = [];
for (const { name, args, cwd } of calls) results.push(await runCommand(name, args, cwd));
process.stdout.write(JSON.stringify(results));
