import t from "tap";
import { missingCode } from "../../../src/engine/model/shared-columns.ts";
import { codeColumn } from "../../../src/engine/store/columns.ts";

t.test("a column is as narrow as its codes and the code for missing allow", async (t) => {
  const widths = [
    [0, 1],
    [1, 1],
    [254, 1],
    [255, 1],
    [256, 2],
    [65_534, 2],
    [65_535, 2],
    [65_536, 4],
    [100_000, 4],
  ] as const;
  for (const [codeCount, bytes] of widths) {
    t.equal(codeColumn(3, codeCount).BYTES_PER_ELEMENT, bytes, `${codeCount} codes`);
  }
});

t.test("the greatest code and the code for missing are kept and distinguished", async (t) => {
  for (const codeCount of [0, 1, 255, 256, 65_535, 65_536, 70_000]) {
    const column = codeColumn(2, codeCount);
    const greatest = Math.max(0, codeCount - 1);
    column.set([greatest, missingCode(column)]);
    t.same([...column], [greatest, missingCode(column)], `${codeCount} codes`);
    t.ok(missingCode(column) > greatest, `${codeCount} codes`);
  }
});

t.test("a column is in shared memory and full of the first code", async (t) => {
  for (const codeCount of [10, 1000, 100_000]) {
    const column = codeColumn(5, codeCount);
    t.type(column.buffer, SharedArrayBuffer);
    t.same([...column], [0, 0, 0, 0, 0]);
    t.equal(column.buffer.byteLength, column.byteLength);
  }
});
