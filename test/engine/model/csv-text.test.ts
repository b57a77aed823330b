import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import t from "tap";
import { csvRow, guardFormula, unguardFormula } from "../../../src/engine/model/csv-text.ts";
import { anyCharacter } from "../../support/any-character.ts";

const signs = ["=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫", "⁼", "₊", "⁻", "⩵", "\u2212"];
const invisible = [
  "",
  " ",
  "\u00a0",
  "\ufeff",
  "\u200b",
  "\u2060\u200d",
  "\u00ad",
  "\u180e",
  "\ufe0f",
  "\u0000",
  "\u3000",
];

t.test("every form of a formula sign is guarded, whatever invisible characters stand before it", async (t) => {
  for (const sign of signs) {
    for (const before of invisible) t.equal(guardFormula(`${before}${sign}1`), `'${before}${sign}1`);
    t.equal(guardFormula(`a${sign}1`), `a${sign}1`);
  }
  for (const text of ["\tx", "\rx", "\nx", " \tx", "\u200b\rx"]) t.equal(guardFormula(text), `'${text}`);
  for (const text of ["", " x", "'x", "5", "Café", "é=", "(=", '"=', "—x", "#x", "\u200bx"])
    t.equal(guardFormula(text), text, JSON.stringify(text));
});

t.test("the guard comes off again, also where a text has apostrophes of its own, and rows are read back", async () => {
  const starts = fc.constantFrom(...signs, ...invisible, "'", "''", '"', ",", ";", "\r\n");
  const text = fc
    .tuple(fc.array(starts, { maxLength: 3 }), fc.string({ unit: anyCharacter }))
    .map((parts) => parts.flat().join(""));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), fc.constantFrom(",", ";"), (texts, delimiter) => {
      assert.deepEqual(
        parse(csvRow(texts.map(guardFormula), delimiter), { delimiter })
          .flat()
          .map(unguardFormula),
        texts,
      );
    }),
  );
});
