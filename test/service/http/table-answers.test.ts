/** The declaration of a column makes the JSON of answers, files and schemas: all of them say the same of the same rows. */

import assert from "node:assert/strict";
import { parquetReadObjects } from "hyparquet";
import t from "tap";
import { whiteMaize } from "../../../src/contract/example-values.ts";
import { type AnomalyRow, anomalyRows, anomalyTable } from "../../../src/engine/export/anomaly-table.ts";
import { priceTable } from "../../../src/engine/export/price-table.ts";
import { seriesTable } from "../../../src/engine/export/series-table.ts";
import { groupColumns } from "../../../src/engine/export/statistics-table.ts";
import { type Columns, ofRow } from "../../../src/engine/export/table-columns.ts";
import { tableParquet } from "../../../src/engine/export/table-parquet.ts";
import { tableText } from "../../../src/engine/export/table-text.ts";
import type { Keywords, ObjectSchema } from "../../../src/engine/model/json-schema.ts";
import { finish } from "../../../src/engine/store/steps.ts";
import { writeList } from "../../../src/service/http/answer/json-writer.ts";
import { rowWriter } from "../../../src/service/http/answer/row-writer.ts";
import { endpoints } from "../../../src/service/http/endpoint-table.ts";
import { answerFields, exportedField } from "../../../src/service/http/resources/table-fields.ts";
import { bundledStore } from "../../support/bundled-data.ts";
import { valuesOf } from "../../support/fields-of.ts";
import { noDownloads } from "../../support/no-downloads.ts";

type Json = Readonly<Record<string, unknown>>;

const store = await bundledStore();

async function ask(id: string, question: { readonly query?: object; readonly body?: object }): Promise<string> {
  const endpoint = endpoints.find((one) => one.id === id);
  assert.ok(endpoint !== undefined, `there is an operation ${id}`);
  const body = await endpoint.handle(
    { store, downloads: noDownloads, params: {}, query: {}, body: {}, ...question },
    finish,
  );
  if (typeof body === "string") return body;
  assert.ok(Symbol.iterator in body, "the body is text");
  return [...body].join("");
}

async function answered(id: string, question: { readonly query?: object; readonly body?: object }): Promise<Json[]> {
  const { data } = JSON.parse(Buffer.from(await ask(id, question), "latin1").toString());
  return Array.isArray(data) ? data : data.statistics;
}

async function exported(id: string, query: object): Promise<Json[]> {
  return linesOf(Buffer.from(await ask(id, { query }), "latin1").toString());
}

function linesOf(text: string): Json[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);
}

/** The value at a path of an answer; null where an object on the way is null, and where a field is left out. */
function valueAt(row: Json, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (value as Json | null)?.[name] ?? null, row);
}

/** Compares each column that answers have with its field. @returns How many cells are not null. */
function compareColumns<Row>(columns: Columns<Row>, answers: readonly Json[], files: readonly Json[]): number {
  let found = 0;
  assert.equal(answers.length, files.length);
  for (const [at, file] of files.entries()) {
    for (const { name, answer } of columns) {
      if (answer === null) continue;
      const path = answer?.path ?? name;
      assert.deepEqual(valueAt(answers[at] as Json, path), file[name], `${path} of row ${at}`);
      if (file[name] !== null) found++;
    }
  }
  return found;
}

t.test("a search with detail has every column of the export of prices", async (t) => {
  for (const query of [{ suspicious: true }, { product_uuid: whiteMaize, county_id: 47, start_date: "2019-01-01" }]) {
    const files = await exported("exportPricesNdjson", query);
    const byUuid = new Map(files.map((file) => [file["uuid"], file]));
    const answers = await answered("searchPrices", { body: { ...query, detail: true, page_size: 100 } });
    t.ok(answers.length > 0);
    const sameRows = answers.map(({ uuid }) => byUuid.get(uuid) as Json);
    t.ok(compareColumns(priceTable, answers, sameRows) > 15 * answers.length);
  }
});

t.test("the list of series and its export say the same of each series", async (t) => {
  const answers = await answered("listSeries", { query: { page_size: 1000, county_id: 47 } });
  t.ok(compareColumns(seriesTable, answers, await exported("exportSeriesNdjson", { county_id: 47 })) > 1000);
});

t.test("the list of anomalies and its export say the same of markets, counties and the country", async (t) => {
  for (const level of ["market", "county", "country"]) {
    const answers = await answered("listAnomalies", { query: { level, page_size: 100_000 } });
    t.ok(compareColumns(anomalyTable, answers, await exported("exportAnomaliesNdjson", { level })) > 100, level);
  }
});

t.test("statistics have the figures of their export, grouped in any way", async (t) => {
  for (const group_by of ["day", "week", "month", "quarter", "year", "market", "county"] as const) {
    const question = { product_uuid: whiteMaize, start_date: "2019-01-01", end_date: "2020-12-31", group_by };
    const answers = await answered("getPriceStatistics", { body: question });
    const files = await exported("exportStatisticsNdjson", question);
    t.ok(compareColumns(groupColumns, answers, files) > 0, group_by);
    t.same(valuesOf(answers, "period"), valuesOf(files, "period"));
  }
});

t.test("a column that is declared is in CSV, NDJSON, Parquet, answers and the schemas of both", async (t) => {
  const added = ofRow<AnomalyRow>(
    "entry_months",
    "integer?",
    "Months so far.",
    ({ month }) => (month % 2 ? month : null),
    {
      unit: "months",
    },
  );
  const table: Columns<AnomalyRow> = [...anomalyTable, added];
  const schema = {
    type: "object",
    required: ["entry_months"],
    properties: answerFields(table, {}),
  } as unknown as ObjectSchema;
  const rows = [...anomalyRows(store, { level: "country", order: "name" })].flat();
  const expected = rows.map(({ month }) => (month % 2 ? month : null));
  t.ok(expected.includes(null) && expected.some((month) => month !== null));

  t.match((schema.properties as Record<string, Keywords>)["entry_months"], {
    type: ["integer", "null"],
    description: "Months so far.",
  });
  t.match(exportedField(added) as Keywords, { type: ["integer", "null"], description: "Months so far." });
  const own = { ...schema, properties: { entry_months: schema.properties["entry_months"] } } as ObjectSchema;
  const json = writeList(rows, rowWriter<AnomalyRow>(own)(store)) as string;
  t.same(
    JSON.parse(json).map((row: Json) => row["entry_months"]),
    expected,
  );
  t.same(
    linesOf([...tableText(store, table, [rows], "ndjson")].join("")).map((row) => row["entry_months"]),
    expected,
  );
  const [head = "", first = ""] = [...tableText(store, table, [rows], "csv")].join("").split("\r\n");
  t.ok(head.endsWith(",entry_months"));
  t.ok(first.endsWith(`,${expected[0] ?? ""}`));
  const file = Buffer.concat([...tableParquet(store, table, [rows])]);
  const read = await parquetReadObjects({ file: file.buffer.slice(file.byteOffset, file.byteOffset + file.length) });
  t.same(
    read.map((row) => row["entry_months"] ?? null),
    expected,
  );
});
