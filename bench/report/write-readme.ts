import { readFile, writeFile } from "node:fs/promises";

const begin = "<!-- figures: written by `npm run bench -- --write` -->";
const end = "<!-- end of figures -->";

/**
 * Puts a report between the markers of a Markdown file.
 *
 * @throws {Error} when the file has not both markers.
 */
export async function writeBetweenMarkers(path: string, report: string): Promise<void> {
  const text = await readFile(path, "utf8");
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from === -1 || to < from) throw new Error(`${path}: found no place for figures, expected ${begin} … ${end}`);
  await writeFile(path, `${text.slice(0, from + begin.length)}\n\n${report}\n\n${text.slice(to)}`);
}
