/** Where commands print. Text from files is in what they print, so control characters are escaped here, for all of them. */
import { visibleLines } from "../domain/visible-text.ts";

/** Prints a report, or a part of it, on stdout. @param text With its line ends; values in it hold none. */
export function printReport(text: string): void {
  printExactly(visibleLines(text));
}

/** Prints what another program takes as it stands and nothing from a file is in, such as a line for a shell. */
export function printExactly(text: string): void {
  process.stdout.write(text);
}

/** Prints a problem or a warning on stderr. @param text With its line ends; values in it hold none. */
export function printProblem(text: string): void {
  process.stderr.write(visibleLines(text));
}

/**
 * Lets a command end its work when whoever reads its output has gone, as `head` does: the rest is not printed, and the exit
 * status is that of the work. To be called once, before anything is printed.
 */
export function surviveClosedOutput(exitOtherwise: number): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.exitCode = exitOtherwise;
    printProblem(`the report cannot be printed: ${error.message}\n`);
  });
  // Of errors of stderr nobody could be told.
  process.stderr.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") process.exitCode = exitOtherwise;
  });
}
