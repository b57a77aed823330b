import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import t from "tap";
import { runsOf } from "../../../support/fixed-seed.ts";
import { mutations, read, readOne, variedLines, writeNew } from "../../../support/price-files.ts";
import { readPricesTwice } from "../../../support/read-prices-twice.ts";
import { ordinaryLine, toFile, unusualLines } from "../../../support/unusual-lines.ts";

t.test("each odd form of a line among ordinary ones", async (t) => {
  const directory = t.testdir({});
  let flawless = 0;
  for (const [name, line] of Object.entries(unusualLines)) {
    const content = toFile([ordinaryLine(1), line(2), ordinaryLine(3), line(4)]);
    const { table } = await read(directory, { "prices.ndjson": { content } });
    if (table !== undefined) flawless++;
    t.pass(name);
  }
  t.ok(flawless > 40 && flawless < Object.keys(unusualLines).length - 40, "forms of both kinds were read");
});

t.test("all odd forms that are fit, in one file", async (t) => {
  const directory = t.testdir({});
  const fit: (string | Buffer)[] = [];
  for (const line of Object.values(unusualLines)) {
    const { table } = await read(directory, { "prices.ndjson": { content: toFile([line(1)]) } });
    if (table !== undefined) fit.push(line(100 + fit.length));
  }
  for (const pieceBytes of [300, 100_000]) {
    const { table } = await readOne(t, toFile(fit), { pieceBytes });
    t.equal(table?.rowCount, fit.length);
  }
});

t.test("wherever the pieces of a file end", async (t) => {
  const content = toFile(variedLines(12));
  for (const pieceBytes of [1, 2, 3, 7, 64, 320, 321, 322, 350, 1000, 5000]) {
    t.equal((await readOne(t, content, { pieceBytes })).table?.rowCount, 12);
  }
});

t.test("a file cut short anywhere", async (t) => {
  const directory = t.testdir({});
  const content = toFile([ordinaryLine(1), `${ordinaryLine(2, { notes: "é" })}\r`]);
  const first = ordinaryLine(1).length;
  // As the examples of a property: every third place, and in CI each.
  const step = Math.round(content.length / runsOf(content.length));
  for (let length = 0; length <= content.length; length += step) {
    // Both lines have the same fields: the second is cut everywhere, the first at places that fall into each of them.
    if (length < first - 8 && length % 8 !== 0) continue;
    const { problems } = await read(directory, { "prices.ndjson": { content: content.subarray(0, length) } });
    const isWhole = [0, first + 1, content.length].includes(length);
    if ((problems.length === 0) !== isWhole) t.fail(`cut after ${length} bytes: ${problems.join(", ")}`);
  }
  const gzipped = gzipSync(content);
  for (let length = 0; length < gzipped.length; length += 3 * step) {
    mkdirSync(join(directory, "prices"), { recursive: true });
    writeNew(join(directory, "prices/cut.ndjson.gz"), gzipped.subarray(0, length));
    await readPricesTwice(directory, [{ name: "prices/cut.ndjson.gz", kind: "prices", sequence: 0, replaces: 0 }]);
  }
  t.pass("both ways agree");
});

t.test("files that were spoilt at random", { timeout: 3_600_000 }, async (t) => {
  const directory = t.testdir({});
  const lines = [
    ...variedLines(3),
    ordinaryLine(50),
    ...["all fields", "fields that are null"].map((name) => line(name)),
  ];
  const base = toFile(lines);
  const fragments = [
    '"',
    "\\",
    "\n",
    "\r\n",
    ",",
    ":",
    "{",
    "}",
    "null",
    "-0",
    "1e400",
    " ",
    "\\u0041",
    "\\ud800",
    "é",
    "\0",
  ]
    .map((text) => Buffer.from(text))
    .concat([Buffer.from([0xff]), Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from([0x7f])]);
  const place = fc.nat(base.length - 1);
  const change = fc.oneof(
    fc.record({ at: place, bit: fc.nat(7) }),
    fc.record({ at: place, remove: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ at: place, insert: fc.constantFrom(...fragments) }),
    fc.record({
      at: place,
      insert: fc.tuple(place, fc.nat(60)).map(([from, length]) => base.subarray(from, from + length)),
    }),
    fc.record({ at: place, put: fc.constantFrom(...'0123456789abcfKZT-:.+eE"') }),
  );
  let flawless = 0;
  const property = fc.asyncProperty(
    fc.array(change, { minLength: 1, maxLength: 3 }),
    // Lines have about 300 bytes. Smaller pieces are those of "wherever the pieces of a file end".
    fc.integer({ min: 30, max: 900 }),
    async (changes, pieceBytes) => {
      const content = changes.reduce(changed, base);
      const { table } = await read(directory, { "prices.ndjson": { content } }, { pieceBytes });
      if (table !== undefined) flawless++;
    },
  );
  await fc.assert(property, mutations);
  t.ok(flawless > mutations.numRuns / 100, `${flawless} of ${mutations.numRuns} were still flawless`);

  function line(name: string): string {
    return String(unusualLines[name]?.(60 + name.length));
  }
});

interface Change {
  readonly at: number;
  readonly bit?: number;
  readonly remove?: number;
  readonly insert?: Buffer;
  readonly put?: string;
}

function changed(bytes: Buffer, { at, bit, remove = 0, insert = Buffer.alloc(0), put }: Change): Buffer {
  const from = Math.min(at, bytes.length);
  const copy = Buffer.concat([bytes.subarray(0, from), insert, bytes.subarray(from + remove)]);
  if (bit !== undefined && from < copy.length) copy[from] = (copy[from] as number) ^ (1 << bit);
  if (put !== undefined) copy.write(put, from);
  return copy;
}
