import t from "tap";
import { visibleLines, visibleText } from "../../../src/engine/model/visible-text.ts";

t.test("what moves a cursor, reorders text or forges a line is shown as its escape", async (t) => {
  for (const [text, shown] of [
    ["\u001b[2J", "\\u001b[2J"],
    ["a\nb\r\tc", "a\\nb\\r\\tc"],
    ["\u0000\u007f\u0080\u009b", "\\u0000\\u007f\\u0080\\u009b"],
    ["\u061c\u200e\u200f\u202a\u202e\u2066\u2069", "\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069"],
    ["\u2028\u2029", "\\u2028\\u2029"],
    ["\ud800 \udfff", "\\ud800 \\udfff"],
    ["Mahindi – maïs 玉米 🌽 'C:\\new'", "Mahindi – maïs 玉米 🌽 'C:\\new'"],
    ["می\u200cخواهم 👩\u200d🌾", "می\u200cخواهم 👩\u200d🌾"],
  ] as const) {
    t.equal(visibleText(text), shown);
  }
});

t.test("lines stay lines, and JSON keeps its value", async (t) => {
  t.equal(visibleLines("a\r\nb\u0007\n"), "a\\r\nb\\u0007\n");
  const value = { text: Array.from({ length: 0x3000 }, (_, unit) => String.fromCharCode(unit)).join("") };
  t.same(JSON.parse(visibleLines(JSON.stringify(value, null, 2))), value);
});
