import { parse } from "csv-parse/sync";
import t from "tap";
import { type Cell, ofRow } from "../../../src/engine/export/table-columns.ts";
import { type FormulaForm, type TextFormat, tableText } from "../../../src/engine/export/table-text.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

const store = buildStore(tinyDataset());
const columns = ["a", "b"].map((name, at) => ofRow<Cell[]>(name, "text", "", (row) => row[at] as Cell));

function textOf(rows: Cell[][], format: TextFormat, formulas?: FormulaForm): string {
  return [...tableText(store, columns, [rows], format, formulas)].join("");
}

t.test("CSV has a header, lines ended by CR LF, empty cells for null, and quotes where needed", async (t) => {
  const rows = [
    ["x", null],
    ['say "hi"', "one, two"],
    ["a\nb", "c\rd"],
    [["kg", "90 kg bag"], ["a,b"]],
    [-1.5, true],
    ["é“", ""],
  ];
  const text = textOf(rows, "csv");
  t.equal(text, 'a,b\r\nx,\r\n"say ""hi""","one, two"\r\n"a\nb","c\rd"\r\nkg; 90 kg bag,"a,b"\r\n-1.5,true\r\né“,\r\n');
  t.strictSame(parse(text)[2], ['say "hi"', "one, two"]);
  t.equal(textOf([], "csv"), "a,b\r\n");
});

t.test("what a spreadsheet would read as a formula gets an apostrophe, unless it is wanted raw", async (t) => {
  const formulas = ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "＝1", "＠x", "\u200b=1", "\ufeff\u2060-1", "\u00ad＋1"];
  const rows = formulas.map((text) => [text, [text, "kg"]]);
  t.strictSame(
    parse(textOf(rows, "csv"), { from: 2 }),
    formulas.map((text) => [`'${text}`, `'${text}; kg`]),
  );
  t.strictSame(
    parse(textOf(rows, "csv", "raw"), { from: 2 }),
    formulas.map((text) => [text, `${text}; kg`]),
  );
  t.strictSame(parse(textOf([["a=1", -1]], "csv"), { from: 2 }), [["a=1", "-1"]], "nothing else does");
  t.equal(textOf([["=1", null]], "ndjson"), '{"a":"=1","b":null}\n', "no spreadsheet reads NDJSON");
});

t.test("NDJSON has an object a line", async (t) => {
  const rows: Cell[][] = [
    [1, "a\n“b”"],
    [false, ["x"]],
  ];
  t.equal(textOf(rows, "ndjson"), '{"a":1,"b":"a\\n“b”"}\n{"a":false,"b":["x"]}\n');
});
