/**
 * Tables from the field and what is right of each. They are no part of the project: FIELD_CASES names their folder.
 * The tests beside this one have tables of the project's own for the same kinds.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import type { Instant } from "../../../../src/engine/model/calendar.ts";
import { DatasetError } from "../../../../src/engine/snapshots/problem.ts";
import { ImportRefusedError } from "../../../../src/publishing/importers/import-refused.ts";
import { importSheet } from "../../../../src/publishing/importers/sheet/import-sheet.ts";
import { inspectTables } from "../../../../src/publishing/importers/sheet/inspect-table.ts";
import { readTables } from "../../../../src/publishing/importers/sheet/read-sheet-tables.ts";
import { readerLimits } from "../../../../src/publishing/importers/sheet/reader-limits.ts";
import { readSheetHere } from "../../../support/read-sheet-here.ts";
import { projectFolder } from "../../../support/test-files.ts";

/** A file, or two of which the second has the mapping of the first; what comes of the last; the date of the tables. */
const cases: readonly (readonly [files: readonly string[], right: RegExp, date?: string])[] = [
  [["c01-mixed-thousands.csv"], / 4 Price: "1,300" another form: three digits/],
  [["c02-years.csv"], /a year alone is no day/],
  [["c03-old.csv"], /a year from 1950 to 2099/],
  [["c07-kobo.csv"], /^imported: 95 KES kg 2026-05-02, 120 KES kg 2026-05-02$/],
  [["c11-mixedenc.csv"], /^refused: c11-mixedenc\.csv:4: is not in UTF-8/],
  [["c12-bom-sep.csv"], /^imported: 120 KES kg 2026-05-02, 121 KES kg 2026-05-13$/],
  [["c17-openquote-closed-later.csv"], /stands inside a cell but looks like a row/],
  [["c18-unquoted-thousands.csv"], /such as "9,500", needs quotes/],
  [["c26-mdy.csv"], /which is 2026-02-05 or 2026-05-02/],
  [["c36-empty.csv"], /is empty \(0 bytes\)/],
  [["c44-00.csv"], /^imported: 120 TZS kg 2026-05-02$/],
  [["c45-hash.csv"], /^imported: 120 KES kg 2026-05-02$/],
  [["c48-dot-thousands.csv"], /unless "three_decimals" in the mapping is true/],
  [["c50-two-price-columns.csv"], /^imported: 120 KES kg 2026-05-02$/],
  [["f02-fewsnet.csv"], /^refused: \? market Eldoret; \? product Maize Grain \(White\)$/],
  [["k06-senti.csv"], /^imported: 120 KES kg/],
  [["k20-may.csv", "k21-june.csv"], /"June 2026" in row 1 .* but all rows are of 2026-05-01 the --date/, "2026-05-01"],
  [["k24-type-title-retail.csv", "k25-type-title-wholesale.csv"], /"Wholesale" in row 1 .* but "Retail" for line 3/],
  [["k27-plain.csv", "k32-revised-column-added.csv"], /found prices in "Price \(revised\)" as well as in "Price"/],
  [["k28-plain-dmy.csv", "xa01-dates-half-text.xlsx"], /days up to 12 in one form/],
  [["k30-currency-title-ksh.csv", "k31-currency-title-usd.csv"], /but "USD" in row 1 "Prices in USD"/],
  [["m11-swahili.csv"], /^refused: \? product Mahindi meupe$/],
  [["m13-superscript-name.csv"], /a name without "²".*a name without "¹"/],
  [["n15-heading-thousands.csv"], /^imported: 4200 KES 90 kg bag/],
  [["n17-title-thousands.csv"], /^imported: 4200 KES 90 kg bag/],
  [["n19-uscents.csv"], /^imported: 0\.93 USD kg/],
  [["k27-plain.csv", "n15-heading-thousands.csv"], /no heading "Price" \("columns\.price"\)/],
  [["x01-1904.xlsx"], /^imported: 120 KES kg 2026-05-02, 121 KES kg 2026-05-03$/],
  [["x05-tworow-header.xlsx"], /^imported: 120 KES kg 2026-05-02, 90 KES kg 2026-05-02$|^imported: 90 KES kg/],
  [["x14-sections.xlsx"], /"RETAIL PRICES" alone in its row, above prices/],
  [["x15-sidebyside.xlsx"], /the heading "Date" twice \(columns A and H/],
  [["x20-html.xls"], /found HTML/],
  [["x24-binary.xlsb"], /found a ZIP archive that is no workbook/],
  [["x25-apple.numbers"], /found a ZIP archive that is no workbook/],
  [["x26-zipped.csv.zip"], /found a ZIP archive that is no workbook/],
  [["xa03-format-adds-zeros.xlsx"], /4 shown as "4,000"/],
  [["xa14-superscript.xlsx"], /"120¹"/],
];

const folder = process.env["FIELD_CASES"];
if (folder === undefined || !existsSync(folder)) {
  t.comment("FIELD_CASES is not set: tables from the field are not imported");
} else {
  t.test("tables from the field are read rightly, or refused by name", async (t) => {
    for (const [files, right, date] of cases) t.match(await lastOutcome(t.testdir(), folder, files, date), right);
  });
}

/** What comes of the last file with the mapping that --init proposes for the first. */
async function lastOutcome(work: string, from: string, files: readonly string[], date?: string): Promise<string> {
  const at = (name: string): string => join(work, name);
  rmSync(at("matches.csv"), { force: true });
  const [first = "", last = first] = files;
  try {
    const tables = await readTables(join(from, first), {}, readerLimits, readSheetHere);
    writeFileSync(at("mapping.json"), JSON.stringify(inspectTables(tables, first, "Survey").mapping));
    const outcome = await importSheet({
      ...{ path: join(from, last), mappingPath: at("mapping.json"), dataDirectory: join(projectFolder, "data") },
      ...{ outputPath: at("out"), replacesImport: true, date },
      ...{ now: Date.UTC(2026, 10, 28) as Instant, runReader: readSheetHere },
    });
    if (outcome.outcome === "imported") {
      const lines = readFileSync(at("out/prices.ndjson"), "utf8").trim().split("\n");
      const prices = lines.map((line) => JSON.parse(line));
      const texts = prices.map(({ price, currency, unit, recorded_at: time }) => {
        return `${price} ${currency} ${unit} ${time.slice(0, 10)}`;
      });
      return `imported: ${texts.join(", ")}`;
    }
    const faults = outcome.problems.problems.map(({ line, field, found, wanted }) => {
      return [line, field && `${field}:`, found, wanted].filter(Boolean).join(" ");
    });
    const names = outcome.unmatched.map(({ kind, found }) => `? ${kind} ${found}`);
    return `refused: ${[...faults, ...names].join("; ")}`;
  } catch (error) {
    if (!(error instanceof ImportRefusedError || error instanceof DatasetError)) throw error;
    return `refused: ${error.message}`;
  }
}
