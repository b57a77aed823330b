/** The output of all commands. It contains text from files, so control characters are escaped here. */

import { maskKeys } from "../contract/credentials.ts";
import { visibleLines } from "../engine/model/visible-text.ts";

/** Prints a report, or a part of it, on stdout. @param text With its line ends; values in it hold none. */
export function printReport(text: string): void {
  printExactly(visibleLines(text));
}

/** Prints unescaped what another program reads, such as a line for a shell; it must contain no text from a file. */
export function printExactly(text: string): void {
  process.stdout.write(text);
}

/**
 * Prints a problem or a warning on stderr. It may quote what was typed, and a key may be typed as another argument, so
 * keys are masked.
 *
 * @param text With its line ends; values in it hold none.
 */
export function printProblem(text: string): void {
  process.stderr.write(visibleLines(maskKeys(text)));
}

/**
 * Lets a command complete its work when the reader of its output closes the pipe, as `head` does: the rest is not
 * printed, and the exit status is that of the work. Call it once, before anything is printed.
 */
export function surviveClosedOutput(exitOtherwise: number): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.exitCode = exitOtherwise;
    printProblem(`the report cannot be printed: ${error.message}\n`);
  });
  // There is no stream left to report errors of stderr on.
  process.stderr.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") process.exitCode = exitOtherwise;
  });
}
