/** The options of the programs that measure and try: benchmarks, fuzz and soak. */
import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Values<Known extends Options> = ReturnType<typeof parseArgs<{ options: Known }>>["values"];

/**
 * Reads the options of the program. With `--help`, or an option that it does not have, it prints the comment at the
 * head of the program's file, which describes both, and ends the process.
 */
export function readOptions<const Known extends Options>(options: Known): Values<Known> {
  if (process.argv.includes("--help")) {
    process.stdout.write(headOf(process.argv[1] ?? ""));
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${headOf(process.argv[1] ?? "")}`);
    process.exit(2);
  }
}

/** The text of the comment with which a file begins. */
function headOf(path: string): string {
  const [, comment = ""] = /^\/\*\*\n(.*?)^ \*\//ms.exec(readFileSync(path, "utf8")) ?? [];
  return comment.replace(/^ \* ?/gm, "");
}
