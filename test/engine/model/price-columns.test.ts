import t from "tap";
import {
  elementsPerRow,
  firstRows,
  numberColumnNames,
  priceColumnNames,
  priceColumns,
  sharedPriceRows,
  textColumnNames,
} from "../../../src/engine/model/price-columns.ts";

t.test("numbers and instants are number columns, codes with a dictionary are text columns", async (t) => {
  t.same(numberColumnNames.toSorted(), ["createdAt", "prices", "recordedAt", "updatedAt"]);
  t.same(textColumnNames.toSorted(), ["currencies", "flags", "grades", "notes", "sources", "units"]);
  t.same(
    priceColumnNames.filter((name) => !numberColumnNames.some((other) => other === name)),
    ["uuids", "products", "markets", "units", "currencies", "sources", "grades", "notes", "flags"],
  );
});

t.test("rows are zeros in shared memory, of the types of their columns", async (t) => {
  const rows = sharedPriceRows(3);
  t.same(Object.keys(rows), priceColumnNames);
  for (const name of priceColumnNames) {
    t.equal(rows[name].constructor.name, priceColumns[name].type);
    t.equal(rows[name].length, 3 * elementsPerRow(name));
    t.ok(rows[name].buffer instanceof SharedArrayBuffer);
    t.ok(rows[name].every((value) => value === 0));
  }
  const bytes = Object.values(rows).reduce((sum, column) => sum + column.byteLength, 0);
  t.equal(bytes, 3 * 70);
});

t.test("firstRows gives views of the same memory", async (t) => {
  const rows = sharedPriceRows(3);
  const first = firstRows(rows, 2);
  t.same([first.uuids.length, first.prices.length, first.notes.length], [8, 2, 2]);
  rows.prices[1] = 7;
  t.equal(first.prices[1], 7);
});
