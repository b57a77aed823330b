import t from "tap";
import { parseJson, parseRecord } from "../../../src/engine/snapshots/record-texts.ts";

t.test("a JSON object is read, spaced or not", async (t) => {
  t.same(parseRecord('{"a":[1,{"a":2}]}').value, { a: [1, { a: 2 }] });
  t.same(parseRecord(' { "a" : 1 } ').value, { a: 1 });
});

t.test("text that is not JSON, or not an object, is a fault", async (t) => {
  t.match(parseRecord('{"a":1,}').fault, { kind: "line", found: /^text that is not JSON/, wanted: "one JSON object" });
  t.match(parseRecord('{"a":1}{"b":2}').fault, { kind: "line" });
  t.equal(parseRecord("[1]").fault?.found, "[1]");
  t.equal(parseRecord("null").fault?.found, "null");
  t.equal(parseRecord('"a"').fault?.found, '"a"');
});

t.test("a key given twice is a fault at any depth and in any spelling", async (t) => {
  for (const text of ['{"a":1,"b":2,"a":1}', '{"x":[{"a":1,"\\u0061":2}]}', '{ "a": 1, "a": 1 }']) {
    t.match(parseRecord(text).fault, { kind: "line", field: "a", found: "given twice" }, text);
  }
});

t.test("half of a surrogate pair is a fault in a text and in a key, a whole pair is not", async (t) => {
  t.match(parseRecord('{"a":"\\ud83d"}').fault, { kind: "line", found: "half of a surrogate pair" });
  t.match(parseRecord('{"a":[{"\\uDE00":1}]}').fault, { kind: "line" });
  t.same(parseRecord('{"a":"\\ud83d\\ude00"}').value, { a: "😀" });
  t.same(parseRecord('{"a":"\\\\ud83d"}').value, { a: "\\ud83d" });
});

t.test("very deep nesting is read without overflow", async (t) => {
  const levels = 30_000;
  t.ok(parseRecord(`{"\\u0061":${"[".repeat(levels)}${"]".repeat(levels)}}`).value);
});

t.test("the reason for a JSON fault is one line", async (t) => {
  t.notMatch(parseJson("[\n  {\n x", "JSON").fault?.found ?? "", /\n/);
  t.same(parseJson("1", "JSON"), { value: 1 });
});
