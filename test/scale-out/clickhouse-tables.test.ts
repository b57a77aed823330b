/** The tables of ClickHouse have the columns of the rows that are loaded into them; no server is needed to see that. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { questionFiles } from "../../scripts/scale-out/clickhouse-questions.ts";
import { readStatements } from "../../scripts/scale-out/clickhouse-server.ts";
import type { ColumnType } from "../../src/engine/export/table-columns.ts";
import { streamedColumns } from "../../src/publishing/publish/stream-rows.ts";
import { projectFolder } from "../support/test-files.ts";

const folder = join(projectFolder, "scripts/scale-out");

/** The types of ClickHouse that may hold a type of ours. */
type Types = Readonly<Record<Exclude<ColumnType, "texts" | "type_counts" | "boolean">, RegExp>>;

/** Of the version that was run. */
const ofOldVersion: Types = {
  uuid: /^UUID$/,
  text: /^String$/,
  number: /^Float64$/,
  integer: /^UInt8$/,
  date: /^String$/,
  timestamp: /^String$/,
};

const ofCurrentVersions: Types = {
  ...ofOldVersion,
  text: /^(?:LowCardinality\(String\)|String)$/,
  date: /^Date32$/,
  timestamp: /^DateTime64\(3, 'UTC'\)$/,
};

/** The columns that the first statement of a file declares, by name, in order. */
function columnsOf(file: string): readonly (readonly [name: string, type: string])[] {
  const text = readFileSync(join(folder, file), "utf8");
  const [, declared = ""] = /CREATE TABLE prices_\{snapshot\}[^(]*\(\n(.*?)\n\) ENGINE/s.exec(text) ?? [];
  return [...declared.matchAll(/^ {2}([a-z_]+) ([A-Z].*?),?$/gm)].map(([, name = "", type = ""]) => [name, type]);
}

for (const [file, types] of [
  ["tables.sql", ofOldVersion],
  ["current-versions.sql", ofCurrentVersions],
] as const) {
  t.test(`${file} has the columns of the rows, with types that hold their values`, async (t) => {
    const columns = columnsOf(file);
    t.strictSame(
      columns.map(([name]) => name),
      streamedColumns.map(({ name }) => name),
    );
    for (const [at, { name, type, isNullable = false }] of streamedColumns.entries()) {
      const declared = columns[at]?.[1] ?? "";
      t.equal(declared.includes("Nullable("), isNullable, `${name} may be null`);
      const ofValues = declared.replace(/Nullable\(([^()]*)\)/, "$1");
      t.match(ofValues, types[type as keyof Types], name);
    }
  });
}

t.test("every statement of the files that are run has all its values, and no other", async (t) => {
  for (const file of ["tables.sql", "fill.sql", "distributed.sql"]) {
    const statements = await readStatements(file, { snapshot: "20261120T083000Z_1f2e3d4c5b6a" });
    t.ok(statements.length >= 3, file);
    t.notMatch(statements.join(), /[{}]|--/);
  }
  for (const file of ["exchange.sql", ...questionFiles]) {
    const values = { product: "p", market_type: "Retail", first: "2020-01-01", last: "2020-12-31", base_unit: "kg" };
    const numbers = { county: 1, least: 1, most: 2, offset: 0, limit: 10 };
    t.notMatch((await readStatements(file, { ...values, ...numbers, currency: "KES" })).join(), /[{}]|--/);
  }
  await t.rejects(readStatements("series.sql", {}), /^series\.sql: \{product\} is undefined, expected a number or a/);
  await t.rejects(readStatements("series.sql", { product: "x' OR 1=1" }), RangeError);
});
