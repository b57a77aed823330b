import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const figuresPath = join(import.meta.dirname, "..", "FIGURES.md");

/** What has figures in bench/FIGURES.md. */
export type FigureName =
  | "summary"
  | "race"
  | "memory"
  | "append"
  | "open"
  | "swaps"
  | "threads"
  | "http"
  | "answers"
  | "exports"
  | "overload"
  | "isolation"
  | "stretches";

/**
 * Puts a report between the markers of its name in bench/FIGURES.md.
 *
 * @throws {Error} when the file has not both markers.
 */
export async function writeFigures(name: FigureName, report: string): Promise<void> {
  const begin = `<!-- figures of ${name} -->`;
  const end = `<!-- end of figures of ${name} -->`;
  const text = await readFile(figuresPath, "utf8");
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from === -1 || to < from) {
    throw new Error(`${figuresPath}: found no markers of figures, expected ${begin} … ${end}`);
  }
  await writeFile(figuresPath, `${text.slice(0, from + begin.length)}\n\n${report}\n\n${text.slice(to)}`);
}
