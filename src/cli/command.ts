/**
 * Every command shares this: report on stdout, problems on stderr, exit 0 done, 1 refused, 2 wrong use, 3 published,
 * but not all that comes behind it is done.
 */
import { Command, CommanderError } from "commander";
import { programVersion, versionText } from "../engine/files/program-version.ts";
import { ForeseenError } from "../engine/model/foreseen-error.ts";
import { printProblem, surviveClosedOutput } from "./output.ts";

export const exitDone = 0;
export const exitRefused = 1;
export const exitWrongUse = 2;
export const exitUnfinished = 3;

/** The command is used correctly and refuses; the message is one or several lines for a person. */
export class RefusedError extends ForeseenError {}

/** What was to be published is served, but something behind that is not done; the message is lines for a person. */
export class UnfinishedError extends ForeseenError {}

/** The command is used wrongly in a way the argument parser cannot see. */
export class WrongUseError extends Error {
  override readonly name = "WrongUseError";
}

/**
 * Does work in which an error of one class means that the command is used wrongly.
 *
 * @throws {WrongUseError} with the same message instead of it.
 */
export function orWrongUse<T>(kind: abstract new (...args: never[]) => Error, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof kind ? new WrongUseError(error.message, { cause: error }) : error;
  }
}

/**
 * Makes a program.
 *
 * @param commandLine The command line that people type before its arguments, such as `npm run keys --`.
 * @param description Says in a sentence what it does.
 * @param examples Whole command lines, shown by `--help`.
 */
export function createProgram(commandLine: string, description: string, examples: readonly string[]): Command {
  return new Command(commandLine)
    .description(description)
    .helpOption("-h, --help", "show this help")
    .version(versionText(programVersion()), "-V, --version", "show version and commit")
    .showHelpAfterError("(add --help for how to use it)")
    .exitOverride()
    .configureOutput({ outputError: printProblem })
    .addHelpText("after", examplesText(examples));
}

/** Whole command lines for the end of a help text. */
export function examplesText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((example) => `  ${example}`).join("\n")}`;
}

/**
 * Runs a program with the process's arguments and sets the exit code. Foreseen errors print
 * their message; any other is a bug and prints its stack.
 */
export async function runProgram(program: Command, args: readonly string[] = process.argv.slice(2)): Promise<void> {
  surviveClosedOutput(exitRefused);
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = exitCodeOf(error);
    if (error instanceof CommanderError) return; // commander has printed it
    const isForeseen = [RefusedError, WrongUseError, UnfinishedError].some((kind) => error instanceof kind);
    printProblem(`${error instanceof Error ? error[isForeseen ? "message" : "stack"] : error}\n`);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitDone : exitWrongUse;
  if (error instanceof UnfinishedError) return exitUnfinished;
  return error instanceof WrongUseError ? exitWrongUse : exitRefused;
}
