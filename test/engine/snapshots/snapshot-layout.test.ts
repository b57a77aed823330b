import { join } from "node:path";
import t from "tap";
import {
  compiledFolderPath,
  compiledIdOf,
  compiledName,
  compiledPath,
  currentPath,
  isGzipName,
  recordKindOf,
  type SnapshotId,
  snapshotPath,
  toSnapshotId,
} from "../../../src/engine/snapshots/snapshot-layout.ts";

t.test("the name of every record file gives its kind", async (t) => {
  t.equal(recordKindOf("counties.json"), "counties");
  t.equal(recordKindOf("crops.json"), "crops");
  t.equal(recordKindOf("units.json"), "units");
  t.equal(recordKindOf("market-types.json"), "market-types");
  t.equal(recordKindOf("products.ndjson"), "products");
  t.equal(recordKindOf("markets.ndjson"), "markets");
  for (const name of ["prices.ndjson", "prices.ndjson.gz", "prices/2026-01_a.b.ndjson", "prices/a.ndjson.gz"]) {
    t.equal(recordKindOf(name), "prices", name);
  }
});

t.test("a name outside the layout has no kind", async (t) => {
  const names = [
    ...["", "manifest.json", "CURRENT", "Counties.json", "counties.json.gz", "products.ndjson.gz", "prices.json"],
    ...["../counties.json", "/etc/prices.ndjson", "prices/../prices.ndjson", "prices/a/b.ndjson", "prices\\a.ndjson"],
    ...["prices/.ndjson", "prices/.hidden.ndjson", "prices/a..b.ndjson", "prices/ä.ndjson", "prices/a b.ndjson"],
    ...["prices/a.ndjson\n", "./prices.ndjson", "prices/a.ndjson.gz.gz", "toString"],
  ];
  for (const name of names) t.equal(recordKindOf(name), undefined, JSON.stringify(name));
});

t.test("only names that end in .gz are compressed", async (t) => {
  t.equal(isGzipName("prices.ndjson.gz"), true);
  t.equal(isGzipName("prices.ndjson"), false);
});

t.test("a snapshot id is a time and twelve digits of a hash, nothing else", async (t) => {
  t.equal(toSnapshotId("20261120T083000Z-1f2e3d4c5b6a"), "20261120T083000Z-1f2e3d4c5b6a");
  const others = [
    ...["", "20261120T083000Z-1f2e3d4c5b6", "20261120T083000Z-1f2e3d4c5b6a7", "20261120T083000Z-1F2E3D4C5B6A"],
    ...["20261120T083000-1f2e3d4c5b6a", "../20261120T083000Z-1f2e3d4c5b6a", "20261120T083000Z-1f2e3d4c5b6a\n"],
  ];
  for (const text of others) t.equal(toSnapshotId(text), undefined, JSON.stringify(text));
});

t.test("a snapshot lies under its id, and CURRENT beside all of them", async (t) => {
  t.equal(currentPath("data"), join("data", "CURRENT"));
  const id = "20261120T083000Z-1f2e3d4c5b6a" as SnapshotId;
  t.equal(snapshotPath("data", id), join("data", "snapshots", id));
});

t.test("a compiled store has the name of its snapshot", async (t) => {
  const id = "20261120T083000Z-1f2e3d4c5b6a" as SnapshotId;
  t.equal(compiledName(id), `${id}.store`);
  t.equal(compiledFolderPath("data"), join("data", "compiled"));
  t.equal(compiledPath("data", id), join("data", "compiled", `${id}.store`));
  t.equal(compiledIdOf(`${id}.store`), id);
  for (const name of ["", ".store", id, `${id}.store.partial`, `${id}.store.store`, `../${id}.store`, "other.store"]) {
    t.equal(compiledIdOf(name), undefined, name);
  }
});
