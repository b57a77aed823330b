/** Files of prices that are written and read by the product and by its twin. */
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Test } from "tap";
import { priceFlags } from "../../src/engine/model/vocabulary.ts";
import type { RecordFile } from "../../src/engine/snapshots/record-file.ts";
import { runsOf } from "./fixed-seed.ts";
import { letteredUuid, readPricesTwice, type TwiceOptions } from "./read-prices-twice.ts";
import { testUuid } from "./snapshot-files.ts";
import { ordinaryLine } from "./unusual-lines.ts";

/**
 * How many spoilt files are read: see `runsOf`, or as many as MUTATIONS says. A long run needs more time than tap
 * grants:
 *
 *     MUTATIONS=50000 npm test -- --timeout=3600 test/engine/snapshots/prices/read-prices.test.ts
 */
export const mutations: { readonly numRuns: number } = {
  numRuns: Number(process.env["MUTATIONS"] ?? runsOf(50, 400)),
};

export interface TestFile {
  readonly content: Buffer;
  readonly sequence?: number;
  readonly replaces?: number;
  /** Whether a manifest speaks of it. */
  readonly isListed?: boolean;
}

/** Writes files and reads them both ways. */
export async function read(
  directory: string,
  contents: Readonly<Record<string, TestFile>>,
  options?: TwiceOptions,
): ReturnType<typeof readPricesTwice> {
  mkdirSync(join(directory, "prices"), { recursive: true });
  const files = Object.entries(contents).map(
    ([name, { content, sequence = 0, replaces = 0, isListed }]): RecordFile<"prices"> => {
      const stored = name.endsWith(".gz") ? gzipSync(content) : content;
      writeNew(join(directory, name), stored);
      const sha256 = createHash("sha256").update(stored).digest("hex");
      const entry = { bytes: stored.length, sha256, rows: content.toString("latin1").split("\n").length - 1 };
      return { name, kind: "prices", sequence, replaces, ...(isListed === true ? { entry } : {}) };
    },
  );
  return await readPricesTwice(directory, files, options);
}

/**
 * Writes a file that takes the place of another. Linux flushes one that is only truncated to the disk (ext4), which
 * takes long.
 */
export function writeNew(path: string, content: Buffer): void {
  rmSync(path, { force: true });
  writeFileSync(path, content);
}

export async function readOne(t: Test, content: Buffer, options?: TwiceOptions): ReturnType<typeof readPricesTwice> {
  return await read(t.testdir({}), { "prices.ndjson": { content } }, options);
}

/** Prices with everything that may differ from line to line. */
export function variedLines(count: number, first = 100): string[] {
  return Array.from({ length: count }, (_, index) =>
    ordinaryLine(first + index, {
      product_uuid: index % 3 === 0 ? letteredUuid : testUuid(1),
      price: 60 + index / 100,
      unit: index % 5 === 2 ? "90 kg bag" : "kg",
      currency: index % 7 === 4 ? "USD" : "KES",
      recorded_at: new Date(Date.UTC(2026, 0, 1 + (index % 28), index % 24)).toISOString(),
      source: `source ${(index * index) % 13}`,
      ...(index % 4 === 1 ? { quality_grade: `grade ${index % 6}` } : {}),
      ...(index % 8 === 3 ? { price_flag: priceFlags[index % priceFlags.length] } : {}),
      ...(index % 6 === 5 ? { notes: `Price "asked" ${index % 40}; é` } : {}),
    }),
  );
}
