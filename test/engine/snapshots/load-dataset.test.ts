import assert from "node:assert/strict";
import { appendFile, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import t from "tap";
import { type Instant, instantText } from "../../../src/engine/model/calendar.ts";
import { readUuid } from "../../../src/engine/model/ids.ts";
import { missingCode } from "../../../src/engine/model/shared-columns.ts";
import {
  cropCategories,
  marketSettings,
  marketTypes,
  priceFlags,
  weekDays,
} from "../../../src/engine/model/vocabulary.ts";
import { readRecords } from "../../../src/engine/snapshots/load-dataset.ts";
import { optionalTableKinds, recordKinds, tableFileNames } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import { tuplesOf, valuesOf } from "../../support/fields-of.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { loadDataset } from "../../support/open-snapshots.ts";
import {
  continuationRow,
  countyRow,
  cropRow,
  exchangeRateRow,
  marketContinuationRow,
  marketRow,
  ndjson,
  priceRow,
  priceRows,
  productRow,
  testUuid,
  writeRecords,
  writeSnapshot,
} from "../../support/snapshot-files.ts";

/** Fields that hold instants in memory and RFC 3339 times in files. */
const instantFields = new Set(["createdAt", "updatedAt"]);

/** A record of the domain as it stands in files: snake_case, instants as text. Free-form metadata stay as they are. */
function wireForm(record: object): object {
  return Object.fromEntries(
    Object.entries(record).map(([field, value]) => {
      const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      if (instantFields.has(field)) return [name, instantText(value as Instant)];
      return [name, field === "metadata" ? value : wireValue(value)];
    }),
  );
}

function wireValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wireValue);
  return typeof value === "object" && value !== null ? wireForm(value) : value;
}

t.test("a snapshot is loaded with its identity", async (t) => {
  const directory = t.testdir({});
  const parent = "20260101T083000Z-0123456789ab";
  const id = await writeSnapshot(directory, {
    parent,
    manifest: { note: "N", attribution: ["A"], periods: { WFP: "month" } },
  });
  const dataset = await loadDataset(directory);
  t.same(dataset.snapshot, {
    id,
    createdAt: Date.UTC(2026, 1, 1, 8, 30),
    timeZone: "Africa/Nairobi",
    utcOffset: 3 * 3_600_000,
    parent,
    note: "N",
    attribution: ["A"],
    sources: {},
    periods: { WFP: "month" },
  });
  t.equal(dataset.prices.rowCount, 1);
});

t.test("every file is verified: one other byte, a byte more or less, a missing file, a link", async (t) => {
  const changes: readonly [RegExp, (directory: string) => Promise<void>][] = [
    [
      /^crops\.json: found sha256 [0-9a-f]{64}, expected [0-9a-f]{64}, as the manifest says$/,
      async (directory) => {
        const text = await readFile(join(directory, "crops.json"), "utf8");
        await writeFile(join(directory, "crops.json"), text.replace("Maize", "Maise"));
      },
    ],
    [/^crops\.json: found \d+ bytes, expected/, (directory) => appendFile(join(directory, "crops.json"), "\n")],
    [/^crops\.json: found no such file/, (directory) => rm(join(directory, "crops.json"))],
    [
      /^crops\.json: found a link/,
      async (directory) => {
        await rename(join(directory, "crops.json"), join(directory, "other.json"));
        await symlink("other.json", join(directory, "crops.json"));
      },
    ],
  ];
  for (const [pattern, change] of changes) {
    const directory = await mkdtemp(join(t.testdir({}), "s-"));
    await writeSnapshot(directory);
    await change(directory);
    reportsExactly(t, await problemsOf(() => loadDataset(directory)), [pattern], String(pattern));
  }
});

t.test("a prices file may hold more rows than its manifest says without harm", async (t) => {
  const directory = t.testdir({});
  await writeSnapshot(directory, { tables: { prices: priceRows(3) }, entries: { "prices.ndjson": { rows: 1 } } });
  reportsExactly(t, await problemsOf(() => loadDataset(directory)), [
    "prices.ndjson: found rows 3, expected 1, as the manifest says",
  ]);
});

t.test("files that the manifest does not name are not read", async (t) => {
  const directory = t.testdir({});
  await writeSnapshot(directory);
  await writeFile(join(directory, "prices.ndjson.gz"), "nonsense");
  t.equal((await loadDataset(directory)).prices.rowCount, 1);
});

t.test("a price may be recorded up to a day after the snapshot was made", async (t) => {
  const directory = t.testdir({});
  await writeSnapshot(directory, { tables: { prices: [priceRow({ recorded_at: "2026-02-02T08:30:00.001Z" })] } });
  reportsExactly(t, await problemsOf(() => loadDataset(directory)), [/"recorded_at" is "2026-02-02T08:30:00.001Z"/]);
});

t.test("CRLF, spaces between tokens and a gzipped file change nothing", async (t) => {
  const directory = t.testdir({});
  const spaced = `${JSON.stringify(priceRow(), null, 1).replaceAll("\n", " ")}\r\n`;
  const files = {
    "prices.ndjson": null,
    "prices.ndjson.gz": gzipSync(spaced + ndjson([priceRow({ uuid: testUuid(1) })])),
  };
  await writeSnapshot(directory, { files });
  const { prices } = await loadDataset(directory);
  t.same([...prices.prices], [60, 60]);
});

const text = fc
  .oneof(
    { weight: 9, arbitrary: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 }) },
    { weight: 1, arbitrary: fc.constantFrom("__proto__", "constructor", "toString", "length") },
  )
  .filter((value) => value.isWellFormed() && value.trim() === value && value !== "");
const texts = fc.array(text, { maxLength: 3 });
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const instant = fc.integer({
  min: Date.UTC(1970, 0, 1),
  max: Date.UTC(2026, 0, 1),
}) as fc.Arbitrary<number> as fc.Arbitrary<Instant>;
const timestamps = { createdAt: instant, updatedAt: instant };
const positive = fc.double({ min: 0, minExcluded: true, max: 1e12, noNaN: true });
const degrees = (limit: number): fc.Arbitrary<number> =>
  fc.double({ min: -limit, max: limit, noNaN: true }).map((value) => value + 0);
const coordinates = { latitude: degrees(90), longitude: degrees(180) };
const unitNames = ["kg", "bag"] as const;

const sourceIds = orNull(fc.array(fc.stringMatching(/^[A-Za-z0-9_.-]+:[!-~]+$/)));

const county = fc.record({
  pcode: orNull(fc.stringMatching(/^KE[0-9]{3}$/)),
  iso_3166_2: orNull(fc.stringMatching(/^KE-[0-9]{2}$/)),
  capital: text,
  name: text,
  population: orNull(fc.nat()),
  areaSqKm: orNull(positive),
  coordinates: orNull(fc.record(coordinates)),
  subCountyNames: texts,
  economy: orNull(fc.record({ mainActivities: texts, agriculturalProducts: texts })),
  ...timestamps,
});

const crop = fc.record({
  id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  name: text,
  scientificName: orNull(text),
  category: fc.constantFrom(...cropCategories),
  subCategory: orNull(text),
  varieties: orNull(texts),
  growingSeason: orNull(text),
  maturityPeriod: orNull(text),
  climateRequirements: orNull(fc.record({ altitude: orNull(text), rainfall: orNull(text), temperature: orNull(text) })),
  majorGrowingRegions: orNull(texts),
});

const product = fc.record({
  uuid: fc.uuid(),
  name: text,
  category: text,
  subCategory: orNull(text),
  description: text,
  commonUnits: fc.uniqueArray(fc.constantFrom(...unitNames), { minLength: 1 }),
  alternativeNames: orNull(texts),
  season: orNull(text),
  storageRequirements: orNull(text),
  sourceIds,
  scientificName: orNull(text),
  isActive: fc.boolean(),
  metadata: orNull(fc.dictionary(text, fc.jsonValue({ maxDepth: 3 }))),
  ...timestamps,
});

const market = fc.record({
  uuid: fc.uuid(),
  name: text,
  type: fc.constantFrom(...marketTypes),
  location: orNull(fc.record({ ...coordinates, address: orNull(text) })),
  operatingDays: fc.uniqueArray(fc.constantFrom(...weekDays)),
  operatingHours: orNull(text),
  description: orNull(text),
  facilities: orNull(texts),
  alternativeNames: orNull(texts),
  sourceIds,
  setting: orNull(fc.constantFrom(...marketSettings)),
  contact: orNull(fc.record({ phone: orNull(text), email: orNull(text) })),
  isActive: fc.boolean(),
  ...timestamps,
});

const price = fc.record({
  uuid: fc.uuid(),
  product: fc.nat(),
  market: fc.nat(),
  price: positive,
  unit: fc.constantFrom(...unitNames),
  currency: fc.constantFrom("KES", "USD"),
  recordedAt: instant,
  source: text,
  qualityGrade: orNull(text),
  notes: orNull(text),
  priceFlag: orNull(fc.constantFrom(...priceFlags)),
  ...timestamps,
});

const byUuid = { selector: (record: { uuid: string }) => record.uuid };
const anyTables = fc.record({
  counties: fc.array(county, { minLength: 1, maxLength: 4 }),
  crops: fc.uniqueArray(crop, { maxLength: 3, selector: ({ id }) => id }),
  products: fc.uniqueArray(product, { ...byUuid, minLength: 1, maxLength: 3 }),
  markets: fc.uniqueArray(market, { ...byUuid, minLength: 1, maxLength: 3 }),
  prices: fc.uniqueArray(price, { ...byUuid, maxLength: 8 }),
});

t.test("records that are written and loaded are the same", async (t) => {
  const root = t.testdir({});
  await fc.assert(
    fc.asyncProperty(anyTables, async (generated) => {
      // The generator's objects have no prototype, and some of its zeros a sign that JSON does not keep.
      const tables: typeof generated = JSON.parse(JSON.stringify(generated));
      const counties = tables.counties.map(({ subCountyNames, ...fields }, index) => ({
        id: index + 1,
        code: String(index + 1).padStart(3, "0"),
        ...fields,
        subCounties: subCountyNames.map((name, position) => ({ id: 10 * index + position + 1, name, wards: [name] })),
      }));
      const markets = tables.markets.map((fields, index) => {
        const county = counties[index % counties.length];
        return { ...fields, countyId: county?.id, subCounty: county?.subCounties[0]?.name ?? null };
      });
      const prices = tables.prices.map((fields) => ({
        ...fields,
        product: fields.product % tables.products.length,
        market: fields.market % markets.length,
      }));
      const unitCategories = [
        {
          category: "Weight",
          units: [
            { name: "kg", abbreviation: "kg", baseUnit: "kg", conversionFactor: 1 },
            { name: "bag", abbreviation: "b", baseUnit: "kg", conversionFactor: 90 },
          ],
        },
      ];
      const directory = await mkdtemp(join(root, "s-"));
      await writeSnapshot(directory, {
        tables: {
          counties: counties.map(wireForm),
          crops: tables.crops.map(wireForm),
          units: unitCategories.map(wireForm),
          products: tables.products.map(wireForm),
          markets: markets.map(wireForm),
          prices: prices.map(({ product, market, recordedAt, ...fields }) => ({
            ...wireForm(fields),
            product_uuid: tables.products[product]?.uuid,
            market_uuid: markets[market]?.uuid,
            recorded_at: instantText(recordedAt),
          })),
        },
      });
      const dataset = await loadDataset(directory);
      assert.deepEqual(dataset.counties, counties);
      assert.deepEqual(dataset.crops, tables.crops);
      assert.deepEqual(dataset.unitCategories, unitCategories);
      assert.deepEqual(dataset.products, tables.products);
      assert.deepEqual(dataset.markets, markets);
      const { prices: columns } = dataset;
      const loaded = prices.map((_, row) => ({
        uuid: readUuid(columns.uuids, row),
        product: columns.products[row],
        market: columns.markets[row],
        price: columns.prices[row],
        unit: columns.unitNames[columns.units[row] ?? -1],
        currency: columns.currencyCodes[columns.currencies[row] ?? -1],
        recordedAt: columns.recordedAt[row],
        source: columns.sourceNames[columns.sources[row] ?? -1],
        qualityGrade:
          columns.grades[row] === missingCode(columns.grades) ? null : columns.gradeNames[columns.grades[row] ?? -1],
        notes: columns.notes[row] === missingCode(columns.notes) ? null : columns.noteTexts[columns.notes[row] ?? -1],
        priceFlag: columns.flagNames[columns.flags[row] ?? -1] ?? null,
        createdAt: columns.createdAt[row],
        updatedAt: columns.updatedAt[row],
      }));
      assert.deepEqual(loaded, prices);
    }),
    { numRuns: runsOf(40) },
  );
});

const recordedAtMax = Date.UTC(2026, 1, 1) as Instant;

const tableFiles = recordKinds.flatMap((kind) =>
  kind === "prices" || optionalTableKinds.includes(kind) ? [] : [{ name: tableFileNames[kind], kind }],
);
const optionalFiles = optionalTableKinds.map((kind) => ({ name: tableFileNames[kind], kind }));
const files = [...tableFiles, { name: "prices.ndjson", kind: "prices", sequence: 0, replaces: 0 }] as const;

t.test("every file is read into its table, in order, and described", async (t) => {
  const directory = t.testdir({});
  const products = [productRow({ name: "Rice", uuid: testUuid(3) }), productRow()];
  await writeRecords(directory, { products, crops: [cropRow({ id: 2 }), cropRow({ id: 1 })] });
  const reading = await readRecords(directory, files, recordedAtMax);
  const { records } = reading;
  t.same(valuesOf(records.products, "name"), ["Rice", "Maize"]);
  t.same(valuesOf(records.crops, "id"), [2, 1]);
  t.equal(records.counties.length, 1);
  t.equal(records.unitCategories.length, 1);
  t.equal(records.marketTypes.length, 1);
  t.equal(records.markets.length, 1);
  t.equal(records.prices.rowCount, 1);
  t.equal(records.prices.products[0], 1);
  t.same(
    reading.files.map(({ name, rows }) => [name, rows]),
    files.map(({ name }) => [name, /products|crops/.test(name) ? 2 : 1]),
  );
  t.equal(reading.tables.products.locationOf(1).line, 2);
});

t.test("an optional table is read where its file is given, and empty without it", async (t) => {
  const directory = t.testdir({});
  const products = [productRow(), productRow({ uuid: testUuid(3) })];
  const tables = {
    products,
    markets: [marketRow(), marketRow({ uuid: testUuid(4) })],
    "exchange-rates": [exchangeRateRow()],
    continuations: [continuationRow({ ratio: 1.1 })],
    "market-continuations": [marketContinuationRow()],
  };
  await writeRecords(directory, tables);
  const without = await readRecords(directory, files, recordedAtMax);
  t.same(without.records.exchangeRates, []);
  t.same(without.records.continuations, []);
  t.same(without.records.marketContinuations, []);
  const { records, files: read } = await readRecords(directory, [...files, ...optionalFiles], recordedAtMax);
  t.same(records.exchangeRates, [{ month: "2026-01", currency: "KES", rate: 129.5, source: "implied by WFP" }]);
  t.same(tuplesOf(records.continuations, "productUuid", "continuesUuid", "ratio"), [[testUuid(1), testUuid(3), 1.1]]);
  t.match(records.marketContinuations, [{ marketUuid: testUuid(2), continuesUuid: testUuid(4), lastMonth: "2025-10" }]);
  t.same(
    read.slice(-3).map(({ name, rows }) => [name, rows]),
    [
      ["exchange-rates.ndjson", 1],
      ["continuations.ndjson", 1],
      ["market-continuations.ndjson", 1],
    ],
  );
});

t.test("sub-counties come in order of id", async (t) => {
  const directory = t.testdir({});
  const sub_counties = [
    { id: 9, name: "Dagoretti North", wards: [] },
    { id: 3, name: "Westlands", wards: ["W"] },
  ];
  await writeRecords(directory, { counties: [countyRow({ sub_counties })] });
  const { records } = await readRecords(directory, files, recordedAtMax);
  t.same(records.counties[0]?.subCounties, sub_counties.toReversed());
});

t.test("all files are read however much is wrong, and everything is reported at once", async (t) => {
  const directory = t.testdir({});
  await writeRecords(
    directory,
    { counties: [countyRow({ name: "" })] },
    { "crops.json": null, "markets.ndjson": "[]\n" },
  );
  reportsExactly(t, await problemsOf(() => readRecords(directory, files.slice(0, -2), recordedAtMax)), [
    /^counties\.json:2: "name" is "", expected text, not empty, without spaces around it/,
    "crops.json: found no such file, expected a file",
    "markets.ndjson: found no such file, expected a file",
  ]);
});
