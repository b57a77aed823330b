import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import t, { type Test } from "tap";
import { PriceReaders } from "../../../../src/engine/snapshots/prices/price-readers.ts";
import { readPrices } from "../../../../src/engine/snapshots/prices/read-prices.ts";
import { DatasetError, ProblemList, problemsPerKindMax } from "../../../../src/engine/snapshots/problem.ts";
import type { RecordFile } from "../../../../src/engine/snapshots/record-file.ts";
import { ReadingCounter } from "../../../../src/engine/snapshots/stored-file.ts";
import { WorkerEndedError } from "../../../../src/engine/threads/worker-client.ts";
import { runsOf } from "../../../support/fixed-seed.ts";
import { mutations, read, readOne, variedLines, writeNew } from "../../../support/price-files.ts";
import { readPricesTwice, recordedAtMax, smallTables } from "../../../support/read-prices-twice.ts";
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

t.test("several files, plain and gzipped, with a manifest and without", async (t) => {
  for (const isListed of [false, true]) {
    const contents = {
      "prices.ndjson": { content: toFile(variedLines(9)), isListed },
      "prices/a.ndjson.gz": { content: toFile(variedLines(7, 200)), isListed },
      "prices/b.ndjson": { content: Buffer.alloc(0), isListed },
      "prices/c.ndjson": { content: toFile(variedLines(5, 300).toReversed()), isListed },
    };
    t.equal((await read(t.testdir({}), contents)).table?.rowCount, 21);
    const repeated = { ...contents, "prices/d.ndjson": { content: toFile(variedLines(1, 204)), isListed } };
    t.match((await read(t.testdir({}), repeated)).problems, [/^prices\/d\.ndjson:1: "uuid"/]);
  }
});

t.test("random files of random sequences", async (t) => {
  const directory = t.testdir({});
  let flawless = 0;
  const file = fc.record({
    sequence: fc.nat(2),
    rows: fc.uniqueArray(fc.tuple(fc.nat(11), fc.constantFrom("kg", "90 kg bag"), fc.constantFrom("a", "b", "c")), {
      selector: ([uuid]) => uuid,
      maxLength: 6,
    }),
    isListed: fc.boolean(),
    slack: fc.constantFrom(0, 0, 0, 0, 0, 1),
  });
  const property = fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 4 }), async (drawn) => {
    const contents = drawn.map(({ sequence, rows, isListed, slack }) => ({
      sequence,
      isListed,
      replaces:
        replacedBy(
          drawn,
          sequence,
          rows.map(([uuid]) => uuid),
        ) + slack,
      content: toFile(
        rows.map(([uuid, unit, source]) => ordinaryLine(uuid, { unit, source, notes: `${source}${unit}` })),
      ),
    }));
    const { table } = await read(
      directory,
      Object.fromEntries(contents.map((content, n) => [`prices/${n}.ndjson`, content])),
    );
    if (table !== undefined) flawless++;
  });
  const numRuns = runsOf(30, 300);
  await fc.assert(property, { numRuns });
  t.ok(flawless > numRuns / 5, `${flawless} of ${numRuns} were flawless`);
});

t.test("random files with well-formed, odd, broken and repeated lines", { timeout: 3_600_000 }, async (t) => {
  const directory = t.testdir({});
  const odd = Object.values(unusualLines).filter((line) => line(1).length < 1000);
  const line = fc.oneof(
    { weight: 6, arbitrary: fc.nat(40).map((uuid) => ordinaryLine(uuid, { source: `source ${uuid % 7}` })) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...odd), fc.nat(40)).map(([form, uuid]) => form(uuid)) },
    { weight: 1, arbitrary: fc.constantFrom("", "x", "{}", "null") },
  );
  const file = fc.record({
    lines: fc.array(line, { maxLength: 12 }),
    sequence: fc.nat(2),
    replaces: fc.nat(3),
    isListed: fc.boolean(),
    isGzipped: fc.boolean(),
    cut: fc.option(fc.nat(400), { freq: 4 }),
  });
  const found = new Set<string>();
  const property = fc.asyncProperty(
    fc.array(file, { minLength: 1, maxLength: 4 }),
    // Lines have about 300 bytes. Smaller pieces are those of "wherever the pieces of a file end"; zlib makes none.
    fc.integer({ min: 64, max: 3000 }),
    async (files, pieceBytes) => {
      const contents = files.map(({ lines, cut, isGzipped, ...rest }, index) => {
        const content = toFile(lines);
        const name = `prices/${index}.ndjson${isGzipped ? ".gz" : ""}`;
        return [name, { ...rest, content: content.subarray(0, content.length - (cut ?? 0)) }] as const;
      });
      const { problems } = await read(directory, Object.fromEntries(contents), { pieceBytes });
      for (const problem of problems) found.add(problem.replace(/^[^ ]* /, "").slice(0, 30));
    },
  );
  await fc.assert(property, { ...mutations, numRuns: Math.ceil(mutations.numRuns / 2) });
  t.ok(found.size > 20, `${found.size} kinds of problems were compared`);
});

t.test("texts of rows that are replaced take no place in the dictionaries", async (t) => {
  const count = 65_535;
  const lines = Array.from({ length: count }, (_, index) => ordinaryLine(index, { source: `s${index}` }));
  const corrections = Array.from({ length: 10 }, (_, index) => ordinaryLine(index, { source: `new ${index}` }));
  const directory = t.testdir({ "first.ndjson": toFile(lines), "second.ndjson": toFile(corrections) });
  const files = [
    { name: "first.ndjson", kind: "prices", sequence: 0, replaces: 0 },
    { name: "second.ndjson", kind: "prices", sequence: 1, replaces: 10 },
  ] as const;
  // Not against the twin, which takes most of the time for so many lines: what is expected is plain.
  const readers = new PriceReaders(0);
  const counter = new ReadingCounter();
  const problems = new ProblemList();
  const { table } = await readPrices({
    directory,
    files,
    tables: smallTables(),
    recordedAtMax,
    problems,
    readers,
    counter,
    pieceBytes: 300_000,
  });
  t.strictSame(problems.problems, []);
  t.equal(table?.rowCount, count);
  t.equal(table?.sourceNames.length, count);
  const found = new Set(Array.from(table?.sources ?? [], (code) => table?.sourceNames[code]));
  const expected = new Set(Array.from({ length: count }, (_, index) => (index < 10 ? `new ${index}` : `s${index}`)));
  t.same(expected.symmetricDifference(found).size, 0);
});

/** How many uuids of a file stand in files of lower sequence. */
function replacedBy(
  files: readonly { sequence: number; rows: readonly (readonly [number, ...unknown[]])[] }[],
  sequence: number,
  uuids: readonly number[],
): number {
  const lower = new Set(
    files.filter((file) => file.sequence < sequence).flatMap(({ rows }) => rows.map(([uuid]) => uuid)),
  );
  return uuids.filter((uuid) => lower.has(uuid)).length;
}

t.test("threads read as one reader does", async (t) => {
  const lines = variedLines(3000);
  // Every reader meets the texts in another order, and odd lines on the way.
  for (const at of [5, 700, 2900]) lines[at] = (lines[at] as string).replace(",", ", ");
  const contents = {
    "prices.ndjson": { content: toFile(lines) },
    "prices/a.ndjson.gz": { content: toFile(variedLines(300, 2950)), sequence: 1, replaces: 150 },
  };
  for (const [threads, pieceBytes] of [
    [3, 5000],
    [2, 200_000],
  ] as const) {
    const options = { readers: new PriceReaders(threads), pieceBytes };
    t.equal((await read(t.testdir({}), contents, options)).table?.rowCount, 3150);
  }
  const broken = { "prices.ndjson": { content: toFile(lines.with(1500, "nonsense")) } };
  const { problems } = await read(t.testdir({}), broken, { readers: new PriceReaders(2), pieceBytes: 5000 });
  t.match(problems, [/^prices\.ndjson:1501: found text that is not JSON/]);
});

t.test("a block that waits for the slow path to be loaded keeps its texts from the next one", async (t) => {
  const lines = Array.from({ length: 60 }, (_, index) => ordinaryLine(index, { notes: `note ${index}` }));
  const odd = lines.with(1, (lines[1] as string).replace('"price":', '"price": '));
  // What is decompressed comes many pieces at a time.
  const { table } = await read(t.testdir({}), { "prices/a.ndjson.gz": { content: toFile(odd) } }, { pieceBytes: 1000 });
  t.same(
    table?.noteTexts,
    Array.from(lines, (_, index) => `note ${index}`),
  );
});

t.test("more rows than were expected of a file that compresses well", async (t) => {
  const content = toFile(variedLines(6000));
  t.ok(gzipSync(content).length * 14 < content.length, "fewer rows are expected than come");
  for (const readers of [new PriceReaders(0), new PriceReaders(1)]) {
    const contents = { "prices/a.ndjson.gz": { content } };
    const { table } = await read(t.testdir({}), contents, { readers, pieceBytes: 50_000 });
    t.equal(table?.rowCount, 6000);
  }
});

t.test("problems in front of damage are reported, and then the damage", async (t) => {
  const directory = t.testdir({ prices: {} });
  const name = "prices/a.ndjson.gz";
  const stored = gzipSync(toFile(variedLines(6000).with(4, "nonsense")));
  writeFileSync(join(directory, name), stored.subarray(0, -8));
  const file = { name, kind: "prices", sequence: 0, replaces: 0 } as const;
  const { problems } = await readPricesTwice(directory, [file], { pieceBytes: 4_000_000 });
  t.match(problems, [/^prices\/a\.ndjson\.gz:5: found text/, /^prices\/a\.ndjson\.gz: found damaged/]);
});

t.test("more problems than are listed are counted", async (t) => {
  const broken = variedLines(50).map((line) => line.replace('"price":', '"price":-'));
  const repeated = [...variedLines(30, 500), ...variedLines(30, 500)];
  const { problems } = await readOne(t, toFile([...broken, ...repeated]), { pieceBytes: 2000 });
  t.equal(problems.length, 40, "20 of each kind; the counts of both readers were compared");
});

t.test("a line too long by more than a piece, with a carriage return where a fit one may have it", async (t) => {
  const longest = ordinaryLine(1, { notes: "x".repeat(65_536 - ordinaryLine(1, { notes: "" }).length) });
  const line = `${longest}\r`.padEnd(66_000, "y");
  const { problems } = await readOne(t, toFile([line, ordinaryLine(2)]), { pieceBytes: 100 });
  t.match(problems, [/^prices\.ndjson:1: found a longer line/]);
});

t.test("a thread that ends early is an error, not a table with holes", async (t) => {
  const readers = new PriceReaders(1, new URL("./broken-reader.ts", import.meta.url));
  t.teardown(() => readers.end());
  const content = toFile(variedLines(2000));
  await t.rejects(
    read(t.testdir({}), { "prices.ndjson": { content } }, { readers, pieceBytes: 5000 }),
    WorkerEndedError,
  );
});

/** Reading that ends because there are too many problems. */
interface Reading {
  readonly list: ProblemList;
  readonly error: unknown;
  readonly rows: number;
  readonly bytes: number;
}

async function readAll(t: Test, contents: readonly string[], max: number, threads = 0): Promise<Reading> {
  const directory = t.testdir({ prices: {} });
  const files = contents.map((content, index): RecordFile<"prices"> => {
    const name = `prices/${index}.ndjson`;
    writeFileSync(join(directory, name), content);
    return { name, kind: "prices", sequence: 0, replaces: 0 };
  });
  let bytes = 0;
  const counter = new ReadingCounter((done) => {
    bytes = done;
  });
  const list = new ProblemList(max);
  const readers = new PriceReaders(threads);
  const error = await readPrices({
    directory,
    files,
    tables: smallTables(),
    recordedAtMax,
    problems: list,
    readers,
    counter,
    pieceBytes: 4000,
  })
    .then(
      () => undefined,
      (reason: unknown) => reason,
    )
    .finally(() => readers.end());
  return { list, error, rows: counter.rows.get("prices") ?? 0, bytes };
}

const brokenLines = (count: number): string => "x\n".repeat(count);

t.test("as many problems as the list takes are all counted, and one more ends the reading", async (t) => {
  const most = await readAll(t, [brokenLines(100)], 100);
  t.equal(most.error, undefined);
  t.match(most.list, { total: 100, isCut: false });
  const one = await readAll(t, [brokenLines(101)], 100);
  t.type(one.error, DatasetError);
  t.match(one.list, { total: 100, isCut: true });
  t.strictSame([...one.list.counts], [["line", 100]]);
  t.equal(one.list.problems.length, problemsPerKindMax);
  t.match(one.list.problems[19], { file: "prices/0.ndjson", line: 20 });
});

t.test("the rest of a file is not read, by one reader or several", async (t) => {
  const content = `${toFile(variedLines(20))}${brokenLines(1_000_000)}`;
  for (const threads of [0, 2]) {
    const { list, error, rows, bytes } = await readAll(t, [content], 3000, threads);
    t.type(error, DatasetError);
    t.match(list, { total: 3000, isCut: true });
    t.match(list.problems[0], { line: 21 });
    t.ok(rows > 3000 && rows < 100_000, `${rows} rows`);
    t.ok(bytes < content.length / 4, `${bytes} bytes of ${content.length}`);
  }
});

t.test("problems of all files count, also those of lines that are long enough for a price", async (t) => {
  const line = ordinaryLine(1).replace('"price":', '"price":-');
  const contents = Array.from({ length: 10 }, () => toFile(Array.from({ length: 40 }, () => line)).toString());
  const { list, error } = await readAll(t, contents, 100);
  t.type(error, DatasetError);
  t.match(list, { total: 100, isCut: true });
  t.match(list.problems[0], { file: "prices/0.ndjson", line: 1, field: "price" });
});

t.test("repeated uuids count, though they are found last", async (t) => {
  const lines = variedLines(200);
  const { list, error } = await readAll(t, [toFile([...lines, ...lines]).toString()], 150);
  t.type(error, DatasetError);
  t.strictSame([...list.counts], [["duplicate", 150]]);
});

t.test("the counts at the end of reading cover what was read", async (t) => {
  const line = ordinaryLine(1).replace('"price":', '"price":-').replace('"source":', '"sources":');
  const { list } = await readAll(t, [toFile(Array.from({ length: 3000 }, () => line)).toString()], 1000);
  t.match(list, { total: 1000, isCut: true });
  // Each line has one of each kind; only the last block is counted less exactly.
  for (const kind of ["value", "missing-field", "unknown-field"] as const) {
    const count = list.counts.get(kind) ?? 0;
    t.ok(count > 300 && count < 370, `${count} of ${kind}`);
  }
});
