import { visibleLines, visibleText } from "../domain/visible-text.ts";

/** The field in which errors keep their stack; its line ends are its own. */
const stackField = "stack";

/**
 * A line of the log, of which nothing in it can move the cursor of a terminal or forge another line.
 *
 * @param line One JSON object with its line end.
 */
export function visibleLogLine(line: string): string {
  const show = (key: string, value: unknown): unknown => {
    if (typeof value !== "string") return value;
    return key === stackField ? visibleLines(value) : visibleText(value);
  };
  return `${JSON.stringify(JSON.parse(line, show))}\n`;
}
