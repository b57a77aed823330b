import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { countText } from "../report/figure-text.ts";

/** One price in so many is another one than before. */
const changeStep = 100;

/** Lines that are written together. */
const linesPerWrite = 10_000;

export interface Feed {
  readonly source: string;
  readonly rows: number;
  /** `2.00 M prices (20.0 k of them changed)` */
  readonly text: string;
}

/**
 * Writes the feed of the source of a file's first price, as a folder of record files: all its prices, some changed.
 *
 * @param pricesPath NDJSON.
 */
export async function writeFeed(pricesPath: string, folder: string): Promise<Feed> {
  await mkdir(folder);
  await using output = await open(join(folder, "prices.ndjson"), "w");
  let source: string | undefined;
  let pattern = "";
  let rows = 0;
  let lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(pricesPath) })) {
    if (source === undefined) {
      source = String((JSON.parse(line) as { readonly source: unknown }).source);
      pattern = `"source":${JSON.stringify(source)}`;
    }
    if (!line.includes(pattern)) continue;
    const isChanged = rows++ % changeStep === 0;
    lines.push(isChanged ? line.replace(/"price":([\d.]+)/, (_, price) => `"price":${Number(price) + 1}`) : line);
    if (lines.length < linesPerWrite) continue;
    await output.appendFile(`${lines.join("\n")}\n`);
    lines = [];
  }
  if (source === undefined) throw new RangeError(`${pricesPath} has no line, expected prices`);
  if (lines.length > 0) await output.appendFile(`${lines.join("\n")}\n`);
  return {
    source,
    rows,
    text: `${countText(rows)} prices (${countText(Math.ceil(rows / changeStep))} of them changed)`,
  };
}
