/** Lines that are not in the ordinary form, read as any record is: by JSON and by schema. */
import { checkRecord } from "../check-records.ts";
import { parseRecord } from "../parse-record.ts";
import { readNdjson } from "../read-ndjson.ts";
import type { WirePrice } from "../wire-records.ts";

/**
 * Reads whole lines.
 *
 * @returns Their records in order; undefined when any of them is none.
 */
export async function readOddLines(lines: Buffer): Promise<readonly WirePrice[] | undefined> {
  const prices: WirePrice[] = [];
  for await (const texts of readNdjson(toContent(lines))) {
    for (const { text } of texts) {
      const value = text === undefined ? undefined : parseRecord(text).value;
      const record = value === undefined ? undefined : checkRecord("prices", value).record;
      if (record === undefined) return undefined;
      prices.push(record);
    }
  }
  return prices;
}

async function* toContent(lines: Buffer): AsyncGenerator<Buffer> {
  yield lines;
}
