import fc from "fast-check";
import t from "tap";
import { firstOutside } from "../../../src/engine/compiled/check-store.ts";

t.test("the first place outside is that of a plain search, whatever the type of the column", async (t) => {
  for (const type of [Uint8Array, Uint16Array, Uint32Array]) {
    const greatest = 2 ** (8 * type.BYTES_PER_ELEMENT) - 1;
    const number = fc.oneof(fc.nat(10), fc.constantFrom(greatest, greatest - 1, greatest >>> 1));
    fc.assert(
      fc.property(fc.array(number), fc.nat(12), fc.constantFrom(-1, greatest), (numbers, end, missing) => {
        const expected = numbers.findIndex((value) => value >= end && value !== missing);
        return firstOutside(type.from(numbers), end, missing) === expected;
      }),
    );
  }
  t.equal(firstOutside(Uint8Array.of(0, 7, 255), 7, 255), 1);
  t.equal(firstOutside(Uint8Array.of(0, 6, 255), 7, 255), -1);
});
