/** A snapshot all of whose texts and lists are as long as wanted, as files and as a store. */
import type { Test } from "tap";
import { type Keywords, lengthMax } from "../../src/engine/model/json-schema.ts";
import { recordFormats } from "../../src/engine/model/records.ts";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import type { Store } from "../../src/engine/store/store.ts";
import { openSnapshotStore } from "../../src/publishing/publish/open-published.ts";
import {
  continuationRow,
  countyRow,
  cropRow,
  exchangeRateRow,
  marketContinuationRow,
  marketRow,
  marketTypeRow,
  priceRow,
  productRow,
  type TestSnapshot,
  testUuid,
  unitCategoryRow,
  writeCurrentSnapshot,
} from "./snapshot-files.ts";

/** How long texts and lists are. */
export interface Lengths {
  /** Characters of a text that may have so many. @param field Its name, in which the names of texts of NDJSON begin. */
  readonly text: (lengthMax: number, field: string) => number;
  /** Of a list that may have so many entries. */
  readonly list: (lengthMax: number) => number;
  /** Is repeated to make a text; it has one code point. */
  readonly letters: readonly string[];
}

/** The greatest lengths of texts that are handed in. More entries of lists would not fit into a line. */
export const greatestLengths: Lengths = { text: (max) => max, list: () => 4, letters: ["M", "é"] };

/** Texts far beyond, as long as a line has room for them: of names, descriptions, notes and what many records name. */
export function farBeyond(letters: readonly string[]): Lengths {
  const bytesOfLetter = Buffer.byteLength(letters.join("")) / letters.length;
  const bytesOf = (field: string): number => {
    if (/^(?:name|description|notes)/.test(field)) return 27_000;
    return /^(?:unit|source$)/.test(field) ? 4000 : 200;
  };
  return { text: (_max, field) => Math.floor(bytesOf(field) / bytesOfLetter), list: () => 3, letters };
}

const products = 3;
const markets = 2;
const months = 72;

/**
 * The tables of a small snapshot: three products at two markets, each with a price in every month of six years, and
 * the market that one of them was before.
 */
export function longSnapshot(lengths: Lengths): TestSnapshot {
  const text = (max: number, name: string): string => {
    const { letters } = lengths;
    const beginning = `${name} `;
    const rest = lengths.text(max, name) - beginning.length - 1;
    return `${beginning}${letters
      .join("")
      .repeat(Math.ceil(rest / letters.length))
      .slice(0, cutAt(letters, rest))}.`;
  };
  const long = (kind: keyof typeof recordFormats, row: object, id = 1): object =>
    lengthened(recordFormats[kind], row, (max, field) => text(max, `${field}${id}`), lengths) as object;
  const [kilogram, bag] = [text(200, "unit kg"), text(200, "unit bag")];
  const subCounty = text(200, "unit of a county");
  const source = text(200, "source");
  const unitRows = [
    { name: kilogram, abbreviation: "kg", base_unit: kilogram, conversion_factor: 1 },
    { name: bag, abbreviation: "bag", base_unit: kilogram, conversion_factor: 90 },
  ];
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
  const sub_counties = [{ id: 274, name: subCounty, wards: ["a"] }];
  return {
    tables: {
      counties: [
        long(
          "counties",
          countyRow({ sub_counties: [], economy: { main_activities: ["a"], agricultural_products: ["a"] } }),
        ),
      ].map((county) => ({ ...county, sub_counties })),
      crops: [
        long("crops", {
          ...cropRow(),
          ...{ scientific_name: "a", sub_category: "a", varieties: ["a"], growing_season: "a", maturity_period: "a" },
          ...{ climate_requirements: { altitude: "a", rainfall: "a", temperature: "a" }, major_growing_regions: ["a"] },
        }),
      ],
      units: [{ ...long("units", { ...unitCategoryRow(), units: [] }), units: unitRows }],
      "market-types": ["Retail", "Wholesale"].map((type) => long("market-types", marketTypeRow({ type }))),
      products: numbers(products).map((at) => ({
        ...long(
          "products",
          productRow({
            ...{ uuid: testUuid(10 + at), sub_category: "a", alternative_names: ["a"], season: "a" },
            ...{ storage_requirements: "a", scientific_name: "a", source_ids: ["WFP:1"] },
          }),
          at,
        ),
        common_units: [kilogram, bag],
        metadata: { text: text(8000, "metadata") },
      })),
      markets: numbers(markets + 1).map((at) => ({
        ...long(
          "markets",
          marketRow({
            ...{ uuid: testUuid(20 + at), type: at === 1 ? "Wholesale" : "Retail", operating_hours: "a" },
            ...{ description: "a", facilities: ["a"], source_ids: ["WFP:2"], contact: { phone: "a", email: "a" } },
            alternative_names: ["a"],
            location: { latitude: -1.3, longitude: 36.8, address: "a" },
          }),
          at,
        ),
        sub_county: subCounty,
      })),
      "exchange-rates": [long("exchange-rates", exchangeRateRow())],
      continuations: [
        long("continuations", continuationRow({ product_uuid: testUuid(11), continues_uuid: testUuid(10) })),
      ],
      "market-continuations": [
        long(
          "market-continuations",
          marketContinuationRow({ market_uuid: testUuid(20), continues_uuid: testUuid(22) }),
        ),
      ],
      prices: numbers(products * markets * months).map((at) => {
        const month = Math.floor(at / (products * markets));
        const series = at % (products * markets);
        const fields = {
          uuid: testUuid(1000 + at),
          product_uuid: testUuid(10 + (series % products)),
          market_uuid: testUuid(20 + Math.floor(series / products)),
          price: 40 + series + 10 * Math.sin(month) + (month === 50 ? 900 : 0),
          recorded_at: new Date(Date.UTC(2020, month, 15, 6)).toISOString(),
          quality_grade: "a",
          notes: "a",
        };
        return { ...long("prices", priceRow(fields)), source, unit: at % 2 === 0 ? kilogram : bag };
      }),
    },
    manifest: {
      note: text(2000, "notes"),
      attribution: numbers(3).map((at) => text(2000, `notes on source ${at}`)),
      sources: { [source]: { title: text(200, "name of title"), licence: { id: text(200, "name of licence") } } },
    },
  };
}

/** Where so many letters end, in UTF-16 units. */
function cutAt(letters: readonly string[], count: number): number {
  let units = 0;
  for (let at = 0; at < count; at++) units += (letters[at % letters.length] as string).length;
  return units;
}

/** A value with long texts and lists in the place of those that it has. */
function lengthened(
  schema: Keywords,
  value: unknown,
  text: (max: number, field: string) => string,
  { list }: Pick<Lengths, "list">,
  field = "",
): unknown {
  const max = schema[lengthMax];
  if (typeof value === "string") {
    if (max === undefined) return value;
    if (schema.pattern === undefined) return text(max, field);
    return value.includes(":") ? value + "x".repeat(text(max, field).length - value.length) : value;
  }
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    const count = items.enum === undefined && max !== undefined && value.length > 0 ? list(max) : value.length;
    return Array.from({ length: count }, (_, at) => lengthened(items, value[0], text, { list }, `${field}${at}`));
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    lengthened(schema.properties?.[name] ?? {}, member, text, { list }, name),
  ]);
  return Object.fromEntries(entries);
}

/** Puts such a snapshot on the disk, without the check of a publication, and loads it. */
export async function openLongSnapshot(t: Test, lengths: Lengths): Promise<{ directory: string; store: Store }> {
  const directory = t.testdir({});
  const id = await writeCurrentSnapshot(directory, longSnapshot(lengths));
  return { directory, store: await openSnapshotStore(directory, id as SnapshotId) };
}
