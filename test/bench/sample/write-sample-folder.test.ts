import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { generateDataset } from "../../../bench/sample/generate-dataset.ts";
import { writeSampleFolder } from "../../../bench/sample/write-sample-folder.ts";
import { FolderTakenError } from "../../../src/engine/files/whole-folder.ts";
import { instantFromText } from "../../../src/engine/model/calendar.ts";
import type { PriceTable } from "../../../src/engine/model/dataset.ts";
import { readCandidate } from "../../../src/engine/snapshots/read-candidate.ts";
import { checkCandidate } from "../../../src/publishing/publish/check-candidate.ts";

const publishedAt = instantFromText("2026-11-02T00:00:00Z") as NonNullable<ReturnType<typeof instantFromText>>;

function digestOf(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}

/** Columns of codes as columns of texts, for the dictionaries of a sample also hold texts that no price uses. */
function withTexts({ unitNames, currencyCodes, sourceNames, gradeNames, noteTexts, ...columns }: PriceTable) {
  const textsOf = (codes: Iterable<number>, texts: readonly string[]) =>
    Array.from(codes, (code) => texts[code] ?? null);
  return {
    ...columns,
    units: textsOf(columns.units, unitNames),
    currencies: textsOf(columns.currencies, currencyCodes),
    sources: textsOf(columns.sources, sourceNames),
    grades: textsOf(columns.grades, gradeNames),
    notes: textsOf(columns.notes, noteTexts),
  };
}

t.test("reading the files gives the dataset in memory, record by record and column by column", async (t) => {
  // More than one block of the writer.
  const options = { prices: 5000, seed: 11 };
  const outputPath = join(t.testdir(), "out");
  await writeSampleFolder({ ...options, outputPath });
  const { reading, header } = await readCandidate(outputPath, publishedAt);
  const { snapshot, prices, ...tables } = generateDataset(options);
  t.strictSame({ ...reading.records, prices: undefined }, { ...tables, accepted: [], prices: undefined });
  t.strictSame(withTexts(reading.records.prices), withTexts(prices));
  t.equal(header.timeZone, snapshot.timeZone);
  t.equal(header.note, snapshot.note);
  t.strictSame(header.attribution, snapshot.attribution);
});

t.test("publishing has no objections, and takes no price for a slip", async (t) => {
  const outputPath = join(t.testdir(), "out");
  await writeSampleFolder({ prices: 5000, seed: 2, outputPath });
  const { candidate, warnings } = await checkCandidate(outputPath, publishedAt);
  t.equal(candidate.files.find(({ kind }) => kind === "prices")?.rows, 5000);
  t.equal(warnings.counts.get("suspicious"), undefined);
});

t.test("the bytes are those of every other machine", async (t) => {
  const outputPath = join(t.testdir(), "out");
  await writeSampleFolder({ prices: 5000, seed: 1, outputPath });
  // A change of what a sample holds changes the digest.
  t.equal(digestOf(outputPath), "c05a57f9f1d59e27ff9ffadf7e031056dea5fdfaa80f26b717afb915d827f590");
});

t.test("seeds give other bytes", async (t) => {
  const directory = t.testdir();
  for (const seed of [1, 2]) await writeSampleFolder({ prices: 10, seed, outputPath: join(directory, String(seed)) });
  t.not(digestOf(join(directory, "1")), digestOf(join(directory, "2")));
});

t.test("the report says what was written, and the count of prices grows to all of them", async (t) => {
  const outputPath = join(t.testdir(), "out");
  const counts: number[] = [];
  const report = await writeSampleFolder({
    ...{ prices: 5000, seed: 1, products: 3, markets: 4, years: 2 },
    outputPath,
    onPrices: (count) => counts.push(count),
  });
  t.match(report, {
    options: { prices: 5000, seed: 1, products: 3, markets: 4, years: 2 },
    dayFirst: "2024-11-01",
    dayLast: "2026-10-31",
  });
  const bytes = readdirSync(outputPath).reduce((sum, name) => sum + readFileSync(join(outputPath, name)).length, 0);
  t.equal(report.bytes, bytes);
  t.equal(counts.at(-1), 5000);
  t.ok(counts.length > 1);
});

t.test("an earlier sample is replaced only when that is allowed, anything else never", async (t) => {
  const directory = t.testdir({ thesis: { "thesis.txt": "" } });
  const outputPath = join(directory, "out");
  const options = { prices: 10, seed: 1, outputPath };
  await writeSampleFolder(options);
  const before = digestOf(outputPath);
  await t.rejects(writeSampleFolder({ ...options, seed: 2 }), FolderTakenError);
  t.equal(digestOf(outputPath), before);
  await writeSampleFolder({ ...options, seed: 2, replacesSample: true });
  t.not(digestOf(outputPath), before);
  const thesis = { ...options, outputPath: join(directory, "thesis"), replacesSample: true };
  await t.rejects(writeSampleFolder(thesis), FolderTakenError);
  t.same(readdirSync(directory).sort(), ["out", "thesis"]);
});

t.test("options beyond their limits are refused before anything is made", async (t) => {
  const directory = t.testdir();
  await t.rejects(writeSampleFolder({ prices: 0, seed: 1, outputPath: join(directory, "out") }), RangeError);
  t.same(readdirSync(directory), []);
});
