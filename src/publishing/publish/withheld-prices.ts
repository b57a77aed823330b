/** Right prices for withdrawn ones: they are kept in the files, for the day on which the prices are reinstated. */
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Uuid } from "../../engine/model/ids.ts";
import { recordFormats } from "../../engine/model/records.ts";
import { checkRecord } from "../../engine/snapshots/check-record.ts";
import { type FoundLine, findLines } from "../../engine/snapshots/find-lines.ts";
import type { InputFile } from "./input-files.ts";
import type { NewPrices } from "./new-prices.ts";
import type { PublishedSnapshot } from "./open-published.ts";

/**
 * Keeps the rows of withdrawn prices that differ from the newest lines that the snapshot has of them, times of entry
 * aside. No reader sees them before the prices are reinstated. A price that no file has stays left out.
 *
 * @param copies The folder of the input files.
 * Cost: nothing where no withdrawn price is given; else a read of each line of the snapshot, until all are found.
 */
export async function keepCorrections(
  prices: NewPrices,
  input: readonly InputFile[],
  copies: string,
  { directory, manifest }: PublishedSnapshot,
): Promise<NewPrices> {
  const missing = new Set(prices.withheld.keys());
  const newest = new Map<Uuid, FoundLine>();
  const files = manifest.files.filter(({ kind }) => kind === "prices").toSorted((a, b) => b.sequence - a.sequence);
  for (const { name } of files) {
    if (missing.size === 0) break;
    for (const [uuid, found] of await findLines(join(directory, name), missing)) {
      newest.set(uuid, found);
      missing.delete(uuid);
    }
  }
  const leftOutLines = new Map(prices.leftOutLines);
  const replaced = new Map(prices.replaced);
  const withheld = new Map(prices.withheld);
  for (const { path, name } of input) {
    const uuids = [...newest.keys()].filter((uuid) => withheld.get(uuid) === path);
    for (const [uuid, found] of uuids.length === 0 ? [] : await findLines(join(copies, name), uuids)) {
      if (isSamePrice(newest.get(uuid) as FoundLine, found)) continue;
      withheld.delete(uuid);
      leftOutLines.set(path, new Set([...(leftOutLines.get(path) ?? [])].filter((line) => line !== found.line)));
      replaced.set(path, (replaced.get(path) ?? 0) + 1);
    }
  }
  const kept = new Map([...prices.withheld].filter(([uuid]) => !withheld.has(uuid)));
  return { ...prices, leftOutLines, replaced, withheld, kept };
}

function isSamePrice(a: FoundLine, b: FoundLine): boolean {
  const [was, is] = [a, b].map(({ record }) => {
    const checked = checkRecord(recordFormats.prices, record).record;
    return checked && { ...checked, createdAt: null, updatedAt: null };
  });
  return isDeepStrictEqual(was, is);
}
