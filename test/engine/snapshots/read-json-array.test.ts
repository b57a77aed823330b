import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { RecordText } from "../../../src/engine/snapshots/record-texts.ts";
import { readJsonArray } from "../../../src/engine/snapshots/record-texts.ts";

async function read(content: string | Buffer): Promise<readonly RecordText[]> {
  async function* pieces(): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(content);
    yield bytes.subarray(0, 3);
    yield bytes.subarray(3);
  }
  return await readJsonArray(pieces());
}

t.test("elements come with the line on which they begin", async (t) => {
  t.same(await read('[\n  { "a": "[{,}]\\"\\\\",\n    "b": [1, 2] },\n\n  7\n]\n'), [
    { line: 2, text: '{ "a": "[{,}]\\"\\\\",\n    "b": [1, 2] }' },
    { line: 5, text: "7" },
  ]);
  t.same(await read("[]"), []);
  t.same(await read(" [ \r\n ] "), []);
});

t.test("elements are the array's, however it is written", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), fc.constantFrom(0, 2, "\t"), async (values, indent) => {
      const texts = await read(JSON.stringify(values, null, indent));
      assert.deepEqual(
        texts.map(({ text }) => JSON.parse(text ?? "")),
        JSON.parse(JSON.stringify(values)),
      );
    }),
  );
});

t.test("what is not an array of JSON in UTF-8 is one fault", async (t) => {
  async function foundIn(content: string | Buffer): Promise<string | undefined> {
    const [text, ...others] = await read(content);
    t.same(others, []);
    return text?.fault?.found;
  }
  t.equal(await foundIn('{"a":1}'), "JSON that is not an array");
  t.equal(await foundIn("\ufeff[]"), "a byte order mark");
  t.equal(await foundIn(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])), "bytes that are not UTF-8");
  t.match(await foundIn("[1,\n2"), /^text that is not JSON/);
  t.match(await foundIn(""), /^text that is not JSON/);
});
