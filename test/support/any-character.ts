import fc from "fast-check";

/** Any code point but surrogates, as the unit "binary" of fast-check, which makes a table of all 1.1 million first. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10_ffff - 0x800 })
  .map((index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800));
