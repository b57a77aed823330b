import { randomUUID } from "node:crypto";
import { open, writeFile } from "node:fs/promises";
import { max } from "simple-statistics";
import { dayMilliseconds } from "../../src/engine/model/calendar.ts";

/** One price in so many corrects one that is there. */
const correctionStep = 10;

/** Longer than any line of a sample, twice. */
const windowBytes = 4096;

/**
 * Writes a market day made from prices all over a file: most are new, at the same markets and a day after the newest of
 * them; every tenth corrects an old one.
 *
 * @param pricesPath NDJSON with many times as many lines as the day.
 * @returns The uuids of its prices.
 */
export async function writeDay(pricesPath: string, dayPath: string, rows: number): Promise<readonly string[]> {
  const samples = await linesAllOver(pricesPath, rows);
  const newest = max(samples.map((sample) => Date.parse(String(sample["recorded_at"]))));
  const recordedAt = new Date(newest + dayMilliseconds).toISOString();
  const day = samples.map((sample, at) => {
    const updated = { ...sample, price: Number((Number(sample["price"]) * 1.05).toFixed(2)), updated_at: recordedAt };
    if (at % correctionStep === 0) return updated;
    return { ...updated, uuid: randomUUID(), recorded_at: recordedAt, created_at: recordedAt };
  });
  await writeFile(dayPath, day.map((price) => `${JSON.stringify(price)}\n`).join(""));
  return day.map((price) => String((price as { readonly uuid?: string }).uuid));
}

async function linesAllOver(path: string, count: number): Promise<Record<string, unknown>[]> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const window = Buffer.alloc(windowBytes);
    const lines: Record<string, unknown>[] = [];
    for (let at = 0; at < count; at++) {
      const position = Math.floor((at * (size - windowBytes)) / count);
      const { bytesRead } = await file.read(window, 0, windowBytes, position);
      const text = window.toString("utf8", 0, bytesRead);
      const from = text.indexOf("\n") + 1;
      lines.push(JSON.parse(text.slice(from, text.indexOf("\n", from))));
    }
    return lines;
  } finally {
    await file.close();
  }
}
