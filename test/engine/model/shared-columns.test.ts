import t from "tap";
import {
  missingCode,
  sharedColumn,
  sharedColumnFrom,
  sharedFloat64,
  sharedUint32,
} from "../../../src/engine/model/shared-columns.ts";

const sharedUint16 = (length: number) => sharedColumn("Uint16Array", length);

for (const [name, make] of Object.entries({ sharedFloat64, sharedUint16, sharedUint32 })) {
  t.test(`${name} makes zeroed columns of the length asked for`, async (t) => {
    t.same([...make(3)], [0, 0, 0]);
    t.equal(make(0).length, 0);
  });

  t.test(`${name} makes columns that another view can share`, async (t) => {
    const column = make(4);
    t.ok(column.buffer instanceof SharedArrayBuffer);
    t.equal(column.byteOffset, 0);
    t.equal(column.buffer.byteLength, 4 * column.BYTES_PER_ELEMENT, "no byte too many");
  });
}

t.test("a column is filled from numbers, or from what has them", async (t) => {
  const column = sharedColumnFrom("Uint16Array", ["a", "bc"], ({ length }) => length);
  t.ok(column instanceof Uint16Array && column.buffer instanceof SharedArrayBuffer);
  t.same([...column], [1, 2]);
  t.same([...sharedColumnFrom("Float64Array", [0.5, 3])], [0.5, 3]);
});

t.test("the code of nothing is the greatest number that a column of codes holds", async (t) => {
  for (const type of ["Uint8Array", "Uint16Array", "Uint32Array"] as const) {
    const column = sharedColumn(type, 2);
    column[0] = missingCode(column);
    column[1] = missingCode(column) + 1;
    t.same([...column], [missingCode(column), 0], type);
  }
});
