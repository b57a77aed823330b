import t, { type Test } from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { type Keywords, lengthMax } from "../../../src/engine/model/json-schema.ts";
import { recordFormats } from "../../../src/engine/model/records.ts";
import { isLonger, lengthsMax, shortened } from "../../../src/engine/model/text-lengths.ts";
import { givenFaults } from "../../../src/engine/snapshots/given-values.ts";
import { readCandidate } from "../../../src/engine/snapshots/read-candidate.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import {
  ndjson,
  priceRow,
  productRow,
  type TestFiles,
  type TestTables,
  writeRecords,
} from "../../support/snapshot-files.ts";

const now = Date.UTC(2026, 1, 1) as Instant;

async function problemsWith(t: Test, tables: TestTables, files: TestFiles = {}): Promise<readonly string[]> {
  const directory = t.testdir({});
  await writeRecords(directory, tables, files);
  return await problemsOf(() => readCandidate(directory, now));
}

/** The fields of texts and lists in a schema, however deep, with their greatest lengths. */
function* limits(schema: Keywords, field: string): Generator<[field: string, max: number | undefined]> {
  const { properties = {}, items, enum: texts, format = "", [lengthMax]: max } = schema;
  const isText =
    [schema.type].flat().includes("string") && texts === undefined && !["uuid", "instant"].includes(format);
  if (isText || items !== undefined) yield [field, max];
  if (items !== undefined) yield* limits(items, `${field}[]`);
  for (const [name, member] of Object.entries(properties)) yield* limits(member, `${field}.${name}`);
}

t.test("every text and list of a record has a greatest length, but for names of units", async (t) => {
  const without = Object.entries(recordFormats).flatMap(([kind, format]) =>
    [...limits(format, kind)].filter(([, max]) => max === undefined).map(([field]) => field),
  );
  t.same(without, ["units.units[].base_unit", "products.common_units[]", "prices.unit"]);
});

t.test("lengths are counted in code points", async (t) => {
  t.notOk(isLonger("👩".repeat(200), lengthsMax.name));
  t.ok(isLonger("👩".repeat(201), lengthsMax.name));
  t.equal(shortened("👩".repeat(3), 3), "👩👩👩");
  t.equal(shortened("👩".repeat(4), 3), "👩👩…");
  t.equal(shortened("é".repeat(1e6), 200).length, 200);
});

t.test("records handed in have at most the greatest lengths; beyond them record and field are named", async (t) => {
  const product = { name: "N".repeat(200), description: "D".repeat(2000), metadata: { a: "x".repeat(16_384 - 8) } };
  const others = { alternative_names: Array.from({ length: 1000 }, (_, at) => `name ${at}`) };
  const price = { source: "👩".repeat(200), quality_grade: "g".repeat(200), notes: "👩".repeat(2000) };
  const manifest = JSON.stringify({ note: "n".repeat(2000), attribution: ["a".repeat(2000)] });
  const tables = (by: string, more: string[]): TestTables => ({
    products: [
      productRow({
        ...{ name: product.name + by, description: product.description + by },
        ...{ metadata: { a: product.metadata.a + by }, alternative_names: [...others.alternative_names, ...more] },
      }),
    ],
    prices: [priceRow({ ...price, source: price.source + by, notes: price.notes + by })],
  });
  t.same(await problemsWith(t, tables("", []), { "manifest.json": manifest }), []);
  const longer = JSON.stringify({ note: "n".repeat(2001), attribution: ["a", "a".repeat(2001)] });
  reportsExactly(t, await problemsWith(t, tables("👩", ["more"]), { "manifest.json": longer }), [
    /^manifest\.json: "note" is "n{79}…, 2001 characters, expected at most 2000 characters$/,
    /^manifest\.json: "attribution\[1\]" is "a{79}…, 2001 characters, expected at most 2000 characters$/,
    /^products\.ndjson:1: "name" is "N{79}…, 201 characters, expected at most 200 characters$/,
    /^products\.ndjson:1: "description" is "D{79}…, 2001 characters, expected at most 2000 characters$/,
    /^products\.ndjson:1: "metadata" is .*…, 16388 bytes as JSON, expected at most 16384 bytes as JSON$/,
    /^products\.ndjson:1: "alternative_names" is \["name 0".*…, 1001 entries, expected at most 1000 entries$/,
    /^prices\.ndjson:1: "source" is .*…, 201 characters, expected at most 200 characters$/,
    /^prices\.ndjson:1: "notes" is .*…, 2001 characters, expected at most 2000 characters$/,
  ]);
});

t.test("a name of an object is a name too, and free-form JSON has none of its own", async (t) => {
  const map: Keywords = { type: "object", additionalProperties: { type: "string", [lengthMax]: 3 } };
  const faults = [...givenFaults(map, { ["n".repeat(201)]: "abcd" }, "sources")];
  t.same(
    faults.map(({ wanted }) => wanted),
    ["at most 200 characters", "at most 3 characters"],
  );
  t.same([...givenFaults({ type: "object" }, { ["n".repeat(201)]: "a".repeat(9000) })], []);
});

t.test("a found name is cut in the message of a price line as well", async (t) => {
  const long = "x".repeat(300_000);
  const problems = await problemsWith(t, {}, { "prices.ndjson": ndjson([priceRow({ unit: long, [long]: 1 })]) });
  t.ok(problems.length > 0);
  t.ok(problems.every((text) => text.length < 500));
});
