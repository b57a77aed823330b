import t from "tap";
import {
  elementsPerRow,
  numberColumnNames,
  priceColumnNames,
  priceColumns,
  removeRows,
  rowBefore,
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

t.test("rows that stay move up in the same memory, and are known by where they were", async (t) => {
  const rows = sharedPriceRows(6);
  for (let row = 0; row < 6; row++) {
    rows.prices[row] = row;
    rows.uuids.fill(row, 4 * row, 4 * row + 4);
  }
  for (const [rowCount, removed, wanted] of [
    [6, [], [0, 1, 2, 3, 4, 5]],
    [6, [1, 2, 5], [0, 3, 4]],
    [3, [0], [3, 4]],
    [2, [0, 1], []],
  ] as const) {
    const places = wanted.map((_, row) => rowBefore(removed, row));
    const before = places.map((row) => rows.prices[row]);
    const left = removeRows(rows, rowCount, removed);
    t.same([...left.prices], wanted);
    t.same(before, wanted);
    t.same(
      [...left.uuids],
      wanted.flatMap((row) => [row, row, row, row]),
    );
    t.equal(left.prices.buffer, rows.prices.buffer);
    t.equal(left.notes.length, wanted.length);
  }
});
