import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Test } from "tap";
import type { Instant } from "../../src/engine/model/calendar.ts";
import { importSheet } from "../../src/publishing/importers/sheet/import-sheet.ts";
import { inspectTables } from "../../src/publishing/importers/sheet/inspect-table.ts";
import type { MappingFile } from "../../src/publishing/importers/sheet/mapping.ts";
import { parseTables } from "../../src/publishing/importers/sheet/parse-tables.ts";
import { publishTables } from "./published-data.ts";
import { readSheetHere } from "./read-sheet-here.ts";
import { priceRow, productRow } from "./snapshot-files.ts";

type Bytes = string | Uint8Array;

/** A snapshot with maize at some markets, and a way to import tables beside it. */
export async function prepareImports(t: Test, markets: readonly object[], now: Instant) {
  const root = t.testdir();
  await publishTables(root, { products: [productRow()], markets, prices: [priceRow()] }, now);
  const at = (name: string): string => join(root, name);
  /** @returns The mapping that is proposed for a table. */
  const inspect = async (bytes: Bytes): Promise<MappingFile> => {
    writeFileSync(at("table"), bytes);
    return inspectTables(await parseTables(at("table"), {}), at("table"), "Survey").mapping;
  };
  /** @returns What comes of a table: price, currency, unit and day of each row, or the refusal. */
  const importTable = async (bytes: Bytes, mapping: MappingFile, date?: string): Promise<string> => {
    writeFileSync(at("table"), bytes);
    writeFileSync(at("mapping.json"), JSON.stringify(mapping));
    const paths = { path: at("table"), mappingPath: at("mapping.json"), outputPath: at("out") };
    const work = { ...paths, dataDirectory: at("data"), date, replacesImport: true, now, runReader: readSheetHere };
    try {
      const outcome = await importSheet(work);
      if (outcome.outcome === "refused") {
        const named = outcome.unmatched.map(({ kind, found }) => `${kind} ${found}`);
        return [...outcome.problems.problems.map(({ found, wanted }) => `${found} | ${wanted}`), ...named].join("\n");
      }
      const lines = readFileSync(at("out/prices.ndjson"), "utf8").trim().split("\n");
      const rows = lines.map(
        (line) => JSON.parse(line) as Record<"price" | "currency" | "unit" | "recorded_at", string>,
      );
      return rows
        .map(({ price, currency, unit, recorded_at: at }) => `${price} ${currency} ${unit} ${at.slice(0, 10)}`)
        .sort()
        .join(", ");
    } catch (error) {
      return (error as Error).message;
    }
  };
  return { at, inspect, importTable };
}
