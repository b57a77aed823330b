/** Small valid record files and snapshots on disk, for tests that need a folder. Every record can be overridden. */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { optionalTableKinds, type RecordKind, tableFileNames } from "../../src/engine/snapshots/snapshot-layout.ts";
import type { WireRecords } from "../../src/publishing/importers/wire-records.ts";

/** Rows of each kind, as JSON is to be written; not typed as records, so that a test can write broken ones. */
export type TestTables = { readonly [Kind in RecordKind]?: readonly object[] };

/** Files beside or instead of those of the tables: name → content, or null to leave a file out. */
export type TestFiles = Readonly<Record<string, string | Buffer | null>>;

export interface TestSnapshot {
  readonly tables?: TestTables;
  readonly files?: TestFiles;
  /** RFC 3339, whole seconds. */
  readonly createdAt?: string;
  readonly parent?: string | null;
  /** Added to the manifest's entries by name; `sequence` and `replaces` go into the content hash. */
  readonly entries?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Added to the manifest; `sources` and `periods` go into the content hash. */
  readonly manifest?: Readonly<Record<string, unknown>>;
}

/** A uuid that shows its number. */
export function testUuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

const timestamps = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" };

/** Nairobi, with two sub-counties, unless overridden. */
export function countyRow(fields: object = {}): WireRecords["counties"] {
  const county = {
    id: 47,
    code: "047",
    name: "Nairobi",
    capital: "Nairobi",
    sub_counties: [
      { id: 274, name: "Westlands", wards: ["Kitisuru", "Parklands"] },
      { id: 275, name: "Dagoretti North", wards: ["Kilimani"] },
    ],
    ...timestamps,
  };
  return { ...county, ...fields };
}

export function cropRow(fields: object = {}): WireRecords["crops"] {
  return { id: 1, name: "Maize", category: "Food Crops", ...fields } as WireRecords["crops"];
}

/** Weight, in kilograms and bags of 90, unless overridden. */
export function unitCategoryRow(fields: object = {}): WireRecords["units"] {
  const units = [
    { name: "kg", abbreviation: "kg", base_unit: "kg", conversion_factor: 1 },
    { name: "90 kg bag", abbreviation: "90 kg", base_unit: "kg", conversion_factor: 90 },
  ];
  return { category: "Weight", units, ...fields };
}

export function marketTypeRow(fields: object = {}): WireRecords["market-types"] {
  const marketType = { type: "Retail", description: "Sold to households.", characteristics: ["Small amounts"] };
  return { ...marketType, ...fields } as WireRecords["market-types"];
}

/** Maize, uuid number 1, unless overridden. */
export function productRow(fields: object = {}): WireRecords["products"] {
  const product = {
    uuid: testUuid(1),
    name: "Maize",
    category: "Cereals",
    description: "Grain (mahindi).",
    common_units: ["kg"],
    is_active: true,
    ...timestamps,
  };
  return { ...product, ...fields };
}

/** A retail market in Nairobi, uuid number 2, unless overridden. */
export function marketRow(fields: object = {}): WireRecords["markets"] {
  const market = {
    uuid: testUuid(2),
    name: "Wakulima",
    type: "Retail",
    county_id: 47,
    operating_days: ["Monday"],
    is_active: true,
    ...timestamps,
  };
  return { ...market, ...fields } as WireRecords["markets"];
}

/** A price of Maize at Wakulima, uuid number 100, unless overridden. */
export function priceRow(fields: object = {}): WireRecords["prices"] {
  const price = {
    uuid: testUuid(100),
    product_uuid: testUuid(1),
    market_uuid: testUuid(2),
    price: 60,
    unit: "kg",
    currency: "KES",
    recorded_at: "2026-01-15T06:00:00Z",
    source: "WFP",
    ...timestamps,
  };
  return { ...price, ...fields };
}

/** What a dollar cost in the month of `priceRow`. */
export function exchangeRateRow(fields: object = {}): WireRecords["exchange-rates"] {
  return { month: "2026-01", currency: "KES", rate: 129.5, source: "implied by WFP", ...fields };
}

/** Maize as what product number 3 has become. */
export function continuationRow(fields: object = {}): WireRecords["continuations"] {
  const continuation = {
    product_uuid: testUuid(1),
    continues_uuid: testUuid(3),
    market_type: "Retail",
    last_month: "2025-10",
    first_month: "2026-01",
    overlap_months: 0,
    judgement: "same goods",
    evidence: "The source writes it in another way.",
  };
  return { ...continuation, ...fields } as WireRecords["continuations"];
}

/** Wakulima as what market number 4 has become. */
export function marketContinuationRow(fields: object = {}): WireRecords["market-continuations"] {
  const continuation = {
    market_uuid: testUuid(2),
    continues_uuid: testUuid(4),
    last_month: "2025-10",
    first_month: "2026-01",
    overlap_months: 0,
    evidence: "Both stand at the same point.",
  };
  return { ...continuation, ...fields } as WireRecords["market-continuations"];
}

/** `count` prices with uuids of their own, numbered from `first`. */
export function priceRows(count: number, first = 100, fields: object = {}): WireRecords["prices"][] {
  return Array.from({ length: count }, (_, index) => priceRow({ uuid: testUuid(first + index), ...fields }));
}

/** Lines of origins for uuids in a row, from row 2 of a sheet. */
export function originRows(count: number, first: number, file = "may.xlsx"): object[] {
  return Array.from({ length: count }, (_, at) => {
    return { uuid: testUuid(first + at), file, sheet: "Nakuru", row: 2 + at, imported_at: "2026-11-20T09:00:00Z" };
  });
}

/** Rows as the lines of an NDJSON file. */
export function ndjson(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/**
 * Writes record files alone, one valid record a table unless `tables` says otherwise; no optional table that it does
 * not name.
 */
export async function writeRecords(directory: string, tables: TestTables = {}, files: TestFiles = {}): Promise<void> {
  const contents: TestFiles = {
    "counties.json": JSON.stringify(tables.counties ?? [countyRow()], null, 2),
    "crops.json": JSON.stringify(tables.crops ?? [cropRow()], null, 2),
    "units.json": JSON.stringify(tables.units ?? [unitCategoryRow()], null, 2),
    "market-types.json": JSON.stringify(tables["market-types"] ?? [marketTypeRow()], null, 2),
    "products.ndjson": ndjson(tables.products ?? [productRow()]),
    "markets.ndjson": ndjson(tables.markets ?? [marketRow()]),
    ...Object.fromEntries(
      optionalTableKinds.flatMap((kind) => {
        const rows = tables[kind];
        return rows === undefined ? [] : [[tableFileNames[kind], ndjson(rows)]];
      }),
    ),
    "prices.ndjson": ndjson(tables.prices ?? [priceRow()]),
    ...files,
  };
  await mkdir(directory, { recursive: true });
  for (const [name, content] of Object.entries(contents)) {
    if (content === null) continue;
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }
}

/**
 * Writes record files and a manifest that agrees with them, into a folder of any name.
 *
 * @returns The id of the snapshot.
 */
export async function writeSnapshot(directory: string, snapshot: TestSnapshot = {}): Promise<string> {
  const { tables, files = {}, createdAt = "2026-02-01T08:30:00Z", parent = null } = snapshot;
  await writeRecords(directory, tables, files);
  const names = [
    ...["counties.json", "crops.json", "units.json", "market-types.json", "products.ndjson", "markets.ndjson"],
    ...optionalTableKinds.filter((kind) => tables?.[kind] !== undefined).map((kind) => tableFileNames[kind]),
    "prices.ndjson",
    ...Object.keys(files).filter((name) => name.startsWith("prices") && name !== "prices.ndjson"),
  ].filter((name) => files[name] !== null);
  const entries = await Promise.all(
    names.map(async (name) => ({ ...(await entryOf(directory, name)), ...snapshot.entries?.[name] })),
  );
  const lines = entries.map((entry: Record<string, unknown>) => {
    const appended = "sequence" in entry ? ` sequence=${entry["sequence"]} replaces=${entry["replaces"]}` : "";
    return `${entry["name"]} ${entry["sha256"]}${appended}\n`;
  });
  const { sources, periods } = snapshot.manifest ?? {};
  if (sources !== undefined) lines.push(`sources ${JSON.stringify(sources)}\n`);
  if (periods !== undefined) lines.push(`periods ${JSON.stringify(periods)}\n`);
  const hash = createHash("sha256").update(lines.sort().join("")).digest("hex");
  const id = `${createdAt.replaceAll(/[-:]/g, "")}-${hash.slice(0, 12)}`;
  const manifest = { format: 1, id, created_at: createdAt, time_zone: "Africa/Nairobi", parent, files: entries };
  await writeFile(join(directory, "manifest.json"), JSON.stringify({ ...manifest, ...snapshot.manifest }, null, 2));
  return id;
}

/**
 * Writes a snapshot into a dataset directory and makes it the current one.
 *
 * @returns The id of the snapshot.
 */
export async function writeCurrentSnapshot(dataDirectory: string, snapshot: TestSnapshot = {}): Promise<string> {
  const unnamed = join(dataDirectory, "snapshots", ".unnamed");
  const id = await writeSnapshot(unnamed, snapshot);
  await rename(unnamed, join(dataDirectory, "snapshots", id));
  await writeFile(join(dataDirectory, "CURRENT"), `${id}\n`);
  return id;
}

async function entryOf(directory: string, name: string): Promise<Record<string, unknown>> {
  const stored = await readFile(join(directory, name));
  const sha256 = createHash("sha256").update(stored).digest("hex");
  const kind = name.startsWith("prices") ? "prices" : name.replace(/\.(nd)?json$/, "");
  return { name, kind, bytes: stored.length, rows: rowsOf(name, stored), sha256 };
}

function rowsOf(name: string, stored: Buffer): number {
  if (name.endsWith(".json")) return (JSON.parse(stored.toString()) as unknown[]).length;
  const content = name.endsWith(".gz") ? gunzipSync(stored) : stored;
  return content.toString("latin1").split("\n").length - 1;
}
