/**
 * The records of a folder as `JSON.parse` reads them, with nothing checked: what a dataset must hold whose files were
 * accepted. Only what the loader may not translate is compared, and instants as instants.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import { readUuid } from "../../../src/engine/model/ids.ts";
import { tuplesOf } from "../../support/fields-of.ts";

type Row = Readonly<Record<string, unknown>>;

/** @throws {assert.AssertionError} when a dataset does not hold what is in the files of a folder. */
export function assertSameRecords(directory: string, dataset: Omit<Dataset, "snapshot">): void {
  const { counties, crops, unitCategories, marketTypes, products, markets, prices } = dataset;
  const read = (name: string): Row[] => parseRows(readFileSync(join(directory, name), "utf8"), name);
  assert.deepEqual(
    counties.map(({ id, name, subCounties }) => [id, name, subCounties.length]),
    read("counties.json").map(({ id, name, sub_counties: list }) => [id, name, (list as unknown[]).length]),
  );
  assert.deepEqual(tuplesOf(crops, "id", "name", "category"), tuplesOf(read("crops.json"), "id", "name", "category"));
  assert.deepEqual(
    unitCategories.map(({ category, units }) => [
      category,
      units.map(({ name, conversionFactor }) => [name, conversionFactor]),
    ]),
    read("units.json").map(({ category, units }) => [
      category,
      (units as Row[]).map(({ name, conversion_factor: factor }) => [name, factor]),
    ]),
  );
  assert.deepEqual(
    marketTypes.map(({ type, description }) => [type, description]),
    read("market-types.json").map(({ type, description }) => [type, description]),
  );
  assert.deepEqual(
    products.map(({ uuid, name, category, isActive, updatedAt }) => [uuid, name, category, isActive, updatedAt]),
    read("products.ndjson").map(({ uuid, name, category, is_active: isActive, updated_at: updatedAt }) => [
      ...[lower(uuid), name, category, isActive, instant(updatedAt)],
    ]),
  );
  assert.deepEqual(
    markets.map(({ uuid, name, type, countyId }) => [uuid, name, type, countyId]),
    read("markets.ndjson").map(({ uuid, name, type, county_id: countyId }) => [lower(uuid), name, type, countyId]),
  );
  assert.deepEqual(
    Array.from({ length: prices.rowCount }, (_, row) => [
      readUuid(prices.uuids, row),
      products[prices.products[row] as number]?.uuid,
      markets[prices.markets[row] as number]?.uuid,
      prices.prices[row],
      prices.unitNames[prices.units[row] as number],
      prices.currencyCodes[prices.currencies[row] as number],
      prices.recordedAt[row],
      prices.sourceNames[prices.sources[row] as number],
    ]),
    // A folder may have no prices.
    (existsSync(join(directory, "prices.ndjson")) ? read("prices.ndjson") : []).map((row) => [
      ...[lower(row["uuid"]), lower(row["product_uuid"]), lower(row["market_uuid"]), row["price"], row["unit"]],
      ...[row["currency"], instant(row["recorded_at"]), row["source"]],
    ]),
  );
}

function parseRows(text: string, name: string): Row[] {
  if (name.endsWith(".json")) return parseWhole(text) as Row[];
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => parseWhole(line) as Row);
}

/**
 * Parses JSON.
 *
 * @throws {assert.AssertionError} when a key stands twice in one object, of which `JSON.parse` drops one.
 */
export function parseWhole(text: string): unknown {
  const value: unknown = JSON.parse(text);
  assert.equal(memberCount(JSON.stringify(value)), memberCount(text));
  return value;
}

/** How many texts have a colon behind them. */
function memberCount(text: string): number {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length;
}

function lower(text: unknown): string {
  return String(text).toLowerCase();
}

function instant(text: unknown): number {
  return Date.parse(String(text));
}
