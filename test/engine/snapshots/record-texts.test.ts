import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import {
  lineBytesMax,
  parseJson,
  parseRecord,
  type RecordText,
  readJsonArray,
  readNdjson,
} from "../../../src/engine/snapshots/record-texts.ts";

async function* pieces(...chunks: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

async function read(...chunks: (string | Buffer)[]): Promise<RecordText[]> {
  const texts: RecordText[] = [];
  for await (const batch of readNdjson(pieces(...chunks))) texts.push(...batch);
  return texts;
}

async function faultAt(line: number, content: string | Buffer): Promise<string | undefined> {
  return (await read(content)).find((text) => text.line === line)?.fault?.found;
}

t.test("lines end in LF or CRLF and count from 1", async (t) => {
  t.same(await read('{"a":1}\n{"b":2}\r\n'), [
    { line: 1, text: '{"a":1}' },
    { line: 2, text: '{"b":2}' },
  ]);
});

t.test("an empty file has no lines", async (t) => {
  t.same(await read(), []);
  t.same(await read(""), []);
});

t.test("lines are the same wherever the pieces of a file begin and end", async () => {
  const line = fc.string({ unit: fc.constantFrom("a", "é", "€", "😀"), minLength: 1, maxLength: 8 });
  const cuts = fc.array(fc.nat(), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 6 }),
      fc.constantFrom("\n", "\r\n"),
      cuts,
      async (lines, end, cuts) => {
        const bytes = Buffer.from(lines.map((text) => text + end).join(""));
        const positions = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
        const chunks = positions.slice(1).map((position, index) => bytes.subarray(positions[index], position));
        assert.deepEqual(
          await read(...chunks),
          lines.map((text, index) => ({ line: index + 1, text })),
        );
      },
    ),
  );
});

t.test("a file that does not end in a line end ends in the middle of a line", async (t) => {
  t.same(await read('{"a":1}\n{"b":2}'), [
    { line: 1, text: '{"a":1}' },
    {
      line: 2,
      fault: {
        kind: "line",
        found: "a file that ends in the middle of a line",
        wanted: "a line end after the last line too",
      },
    },
  ]);
});

t.test("a blank line, a byte order mark and bytes that are not UTF-8 are faults of their lines only", async (t) => {
  t.equal(await faultAt(1, "\n{}\n"), "a blank line");
  t.equal(await faultAt(2, "{}\n \t\r\n"), "a blank line");
  t.equal(await faultAt(1, "\ufeff{}\n"), "a byte order mark");
  t.equal(await faultAt(1, Buffer.from([0x22, 0xff, 0x22, 0x0a])), "bytes that are not UTF-8");
  // The UTF-8 form of a lone surrogate and an overlong slash.
  t.equal(await faultAt(1, Buffer.from([0xed, 0xa0, 0x80, 0x0a])), "bytes that are not UTF-8");
  t.equal(await faultAt(1, Buffer.from([0xc0, 0xaf, 0x0a])), "bytes that are not UTF-8");
  t.equal(await faultAt(2, "\n{}\n"), undefined);
});

t.test("a line may have 64 KiB without its line end, and not one byte more", async (t) => {
  const longest = "x".repeat(lineBytesMax);
  t.same(await read(`${longest}\n{}\n`), [
    { line: 1, text: longest },
    { line: 2, text: "{}" },
  ]);
  t.equal((await read(`${longest}\r\n`))[0]?.text, longest);
  t.equal((await read(longest, "\r\n"))[0]?.text, longest);
  for (const tooLong of [[`x${longest}\n{}\n`], [longest, "x\n{}\n"], [longest, "xx\n{}\n"], [longest, "x\r\n{}\n"]]) {
    const texts = await read(...tooLong);
    t.equal(texts[0]?.fault?.found, "a longer line");
    t.same(texts[1], { line: 2, text: "{}" }, "the next line is read");
  }
});

t.test("a line that never ends is not kept", async (t) => {
  async function* endless(): AsyncGenerator<Buffer> {
    for (let piece = 0; piece < 1000; piece++) yield Buffer.alloc(lineBytesMax, "x");
  }
  const texts: RecordText[] = [];
  for await (const batch of readNdjson(endless())) texts.push(...batch);
  t.equal(texts.length, 1);
});

async function readArray(content: string | Buffer): Promise<readonly RecordText[]> {
  async function* pieces(): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(content);
    yield bytes.subarray(0, 3);
    yield bytes.subarray(3);
  }
  return await readJsonArray(pieces());
}

t.test("elements come with the line on which they begin", async (t) => {
  t.same(await readArray('[\n  { "a": "[{,}]\\"\\\\",\n    "b": [1, 2] },\n\n  7\n]\n'), [
    { line: 2, text: '{ "a": "[{,}]\\"\\\\",\n    "b": [1, 2] }' },
    { line: 5, text: "7" },
  ]);
  t.same(await readArray("[]"), []);
  t.same(await readArray(" [ \r\n ] "), []);
});

t.test("elements are the array's, however it is written", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), fc.constantFrom(0, 2, "\t"), async (values, indent) => {
      const texts = await readArray(JSON.stringify(values, null, indent));
      assert.deepEqual(
        texts.map(({ text }) => JSON.parse(text ?? "")),
        JSON.parse(JSON.stringify(values)),
      );
    }),
  );
});

t.test("what is not an array of JSON in UTF-8 is one fault", async (t) => {
  async function foundIn(content: string | Buffer): Promise<string | undefined> {
    const [text, ...others] = await readArray(content);
    t.same(others, []);
    return text?.fault?.found;
  }
  t.equal(await foundIn('{"a":1}'), "JSON that is not an array");
  t.equal(await foundIn("\ufeff[]"), "a byte order mark");
  t.equal(await foundIn(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])), "bytes that are not UTF-8");
  t.match(await foundIn("[1,\n2"), /^text that is not JSON/);
  t.match(await foundIn(""), /^text that is not JSON/);
});

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
