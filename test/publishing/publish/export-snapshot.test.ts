import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { compareStores } from "../../../src/engine/compiled/compare-stores.ts";
import { ExportRefusedError } from "../../../src/engine/export/select-table.ts";
import { FolderTakenError } from "../../../src/engine/files/whole-folder.ts";
import type { Uuid } from "../../../src/engine/model/ids.ts";
import { readCurrent } from "../../../src/engine/snapshots/current-snapshot.ts";
import { exportRecords, exportTable } from "../../../src/publishing/publish/export-snapshot.ts";
import { openSnapshotStore } from "../../../src/publishing/publish/open-published.ts";
import { naivePriceRows } from "../../support/naive-exports.ts";
import { loadCurrentDataset } from "../../support/open-snapshots.ts";
import { firstPublication, publishCandidate } from "../../support/published-data.ts";

/** Datasets with everything: nulls in every field, and prices that were appended and replaced. */
const golden = join(import.meta.dirname, "../../golden");

for (const name of ["three-counties", "appended-prices", "no-prices"]) {
  t.test(`the records of ${name}, published as they are, give the same answers`, async (t) => {
    const root = t.testdir({});
    const dataDirectory = join(golden, name, "data");
    const outputPath = join(root, "candidate");
    const { id } = await exportRecords({ dataDirectory, id: undefined, outputPath });
    const published = await publishCandidate(root, firstPublication);
    const [before, after] = await Promise.all([
      openSnapshotStore(dataDirectory, id),
      openSnapshotStore(join(root, "data"), published.id),
    ]);
    const different = compareStores(before, after);
    t.strictSame(
      different.filter((path) => !["snapshot.id", "snapshot.createdAt", "snapshot.parent"].includes(path)),
      [],
    );
    t.ok(different.includes("snapshot.id"), "it is another snapshot");
    await t.rejects(
      exportRecords({ dataDirectory, id, outputPath }),
      new FolderTakenError(`${outputPath}: holds record files already, expected an empty or a new folder`),
    );
  });
}

t.test("a table is written whole, with the rows of an export over HTTP, to a path that is free", async (t) => {
  const root = t.testdir({});
  const dataDirectory = join(golden, "three-counties", "data");
  const dataset = await loadCurrentDataset(dataDirectory, { onFallback: ({ error }) => t.fail(error.message) });
  const outputPath = join(root, "new", "prices.ndjson");
  const filter = { marketType: "Wholesale", productUuids: [dataset.products[0]?.uuid as Uuid] } as const;
  const request = { dataDirectory, id: await readCurrent(dataDirectory), outputPath, formulas: "escaped" } as const;
  const { bytes } = await exportTable({ ...request, table: "prices", format: "ndjson", filter });
  const text = await readFile(outputPath, "utf8");
  t.equal(Buffer.byteLength(text), bytes);
  const rows = text.trimEnd().split("\n");
  t.ok(rows.length > 1);
  t.strictSame(
    rows.map((row) => JSON.parse(row)),
    naivePriceRows(dataset, filter),
  );
  await t.rejects(
    exportTable({ ...request, table: "series", format: "csv", filter: {} }),
    new FolderTakenError(`${outputPath}: is there already, expected a new file`),
  );
  await writeFile(`${outputPath}2.partial`, "left by one that was killed");
  const statistics = { ...request, outputPath: `${outputPath}2`, table: "statistics", format: "csv" } as const;
  await t.rejects(exportTable({ ...statistics, filter: { unit: "litre" } }), ExportRefusedError);
  const days = { dayFirst: 0, dayLast: 50_000 } as never;
  await t.rejects(exportTable({ ...statistics, filter: { ...(days as object), unit: "litre" } }), /expected one of/);
  await t.rejects(
    exportTable({ ...statistics, table: "series", filter: { unit: "KG" } }),
    /"KG", expected one of .*\bkg\b/,
  );
  await exportTable({ ...statistics, filter: days });
  t.match(await readFile(`${outputPath}2`, "utf8"), /^product_uuid,product,unit,/);
  t.strictSame((await readdir(join(root, "new"))).sort(), ["prices.ndjson", "prices.ndjson2"]);
});
