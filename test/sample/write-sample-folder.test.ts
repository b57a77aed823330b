import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { readCandidate } from "../../src/dataset/read-candidate.ts";
import { instantFromText } from "../../src/domain/instant.ts";
import { FolderTakenError } from "../../src/files/whole-folder.ts";
import { checkCandidate } from "../../src/publish/check-candidate.ts";
import { generateDataset } from "../../src/sample/generate-dataset.ts";
import { writeSampleFolder } from "../../src/sample/write-sample-folder.ts";

const publishedAt = instantFromText("2026-11-02T00:00:00Z") as NonNullable<ReturnType<typeof instantFromText>>;

function digestOf(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}

t.test("reading the files gives the dataset in memory, record by record and column by column", async (t) => {
  const options = { prices: 3000, seed: 11 };
  const outputPath = join(t.testdir(), "out");
  await writeSampleFolder({ ...options, outputPath });
  const { reading, header } = await readCandidate(outputPath, publishedAt);
  const { snapshot, ...wanted } = generateDataset(options);
  t.strictSame(reading.records, wanted);
  t.equal(header.timeZone, snapshot.timeZone);
  t.equal(header.note, snapshot.note);
  t.strictSame(header.attribution, snapshot.attribution);
});

t.test("publishing has no objections, and warns of few prices, nearly all in foreign money", async (t) => {
  const outputPath = join(t.testdir(), "out");
  await writeSampleFolder({ prices: 5000, seed: 2, outputPath });
  const { candidate, warnings } = await checkCandidate(outputPath, publishedAt);
  t.equal(candidate.files.find(({ kind }) => kind === "prices")?.rows, 5000);
  t.ok(warnings.total < 50, `${warnings.total} warnings`);
});

t.test("the bytes are those of every other machine", async (t) => {
  const outputPath = join(t.testdir(), "out");
  await writeSampleFolder({ prices: 5000, seed: 1, outputPath });
  // Whoever changes what a sample holds pins the new digest here.
  t.equal(digestOf(outputPath), "02b4eaab4d5d73959759c3e4ee7f24acddeacaf8c1b2df88e22777a62d33f82a");
});

t.test("seeds give other bytes", async (t) => {
  const directory = t.testdir();
  for (const seed of [1, 2]) await writeSampleFolder({ prices: 10, seed, outputPath: join(directory, String(seed)) });
  t.not(digestOf(join(directory, "1")), digestOf(join(directory, "2")));
});

t.test("the report tells what was written, and the count of prices grows to all of them", async (t) => {
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
