import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import t, { type Test } from "tap";
import { startReaderThreads } from "../../../src/dataset/columns/block-readers.ts";
import type { PriceFile } from "../../../src/dataset/read-prices-by-line.ts";
import { oddLines, ordinaryLine, toFile } from "../../support/odd-lines.ts";
import { letteredUuid, readPricesTwice, type TwiceOptions } from "../../support/read-prices-twice.ts";
import { testUuid } from "../../support/snapshot-files.ts";

/**
 * How many spoilt files are read; a long run needs more time than tap grants:
 *
 *     MUTATIONS=50000 npx tap --timeout=3600 test/dataset/columns/read-columns.test.ts
 */
const mutations = { numRuns: Number(process.env["MUTATIONS"] ?? 400) };

interface TestFile {
  readonly content: Buffer;
  readonly sequence?: number;
  readonly replaces?: number;
  /** Whether a manifest speaks of it. */
  readonly isClaimed?: boolean;
}

/** Writes files and reads them both ways. */
async function read(directory: string, contents: Readonly<Record<string, TestFile>>, options?: TwiceOptions) {
  mkdirSync(join(directory, "prices"), { recursive: true });
  const files = Object.entries(contents).map(
    ([name, { content, sequence = 0, replaces = 0, isClaimed }]): PriceFile => {
      const stored = name.endsWith(".gz") ? gzipSync(content) : content;
      writeFileSync(join(directory, name), stored);
      const sha256 = createHash("sha256").update(stored).digest("hex");
      const claim = { bytes: stored.length, sha256, rows: content.toString("latin1").split("\n").length - 1 };
      return { name, kind: "prices", sequence, replaces, ...(isClaimed === true ? { claim } : {}) };
    },
  );
  return await readPricesTwice(directory, files, options);
}

async function readOne(t: Test, content: Buffer, options?: TwiceOptions) {
  return await read(t.testdir({}), { "prices.ndjson": { content } }, options);
}

/** Prices with everything that may differ from line to line. */
function variedLines(count: number, first = 100): string[] {
  return Array.from({ length: count }, (_, index) =>
    ordinaryLine(first + index, {
      product_uuid: index % 3 === 0 ? letteredUuid : testUuid(1),
      price: 60 + index / 100,
      unit: index % 5 === 2 ? "90 kg bag" : "kg",
      currency: index % 7 === 4 ? "USD" : "KES",
      recorded_at: new Date(Date.UTC(2026, 0, 1 + (index % 28), index % 24)).toISOString(),
      source: `source ${(index * index) % 13}`,
      ...(index % 4 === 1 ? { quality_grade: `grade ${index % 6}` } : {}),
      ...(index % 6 === 5 ? { notes: `Price "asked" ${index % 40}; é` } : {}),
    }),
  );
}

t.test("each odd form of a line among ordinary ones", async (t) => {
  const directory = t.testdir({});
  let flawless = 0;
  for (const [name, line] of Object.entries(oddLines)) {
    const content = toFile([ordinaryLine(1), line(2), ordinaryLine(3), line(4)]);
    const { table } = await read(directory, { "prices.ndjson": { content } });
    if (table !== undefined) flawless++;
    t.pass(name);
  }
  t.ok(flawless > 40 && flawless < Object.keys(oddLines).length - 40, "forms of both kinds were read");
});

t.test("all odd forms that are fit, in one file", async (t) => {
  const directory = t.testdir({});
  const fit: (string | Buffer)[] = [];
  for (const line of Object.values(oddLines)) {
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
  for (let length = 0; length <= content.length; length++) {
    const { problems } = await read(directory, { "prices.ndjson": { content: content.subarray(0, length) } });
    const isWhole = [0, ordinaryLine(1).length + 1, content.length].includes(length);
    if ((problems.length === 0) !== isWhole) t.fail(`cut after ${length} bytes: ${problems.join(", ")}`);
  }
  const gzipped = gzipSync(content);
  for (let length = 0; length < gzipped.length; length += 3) {
    mkdirSync(join(directory, "prices"), { recursive: true });
    writeFileSync(join(directory, "prices/cut.ndjson.gz"), gzipped.subarray(0, length));
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
    fc.integer({ min: 1, max: 900 }),
    async (changes, pieceBytes) => {
      const content = changes.reduce(changed, base);
      const { table } = await read(directory, { "prices.ndjson": { content } }, { pieceBytes });
      if (table !== undefined) flawless++;
    },
  );
  await fc.assert(property, mutations);
  t.ok(flawless > mutations.numRuns / 100, `${flawless} of ${mutations.numRuns} were still flawless`);

  function line(name: string): string {
    return String(oddLines[name]?.(60 + name.length));
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
  for (const isClaimed of [false, true]) {
    const contents = {
      "prices.ndjson": { content: toFile(variedLines(9)), isClaimed },
      "prices/a.ndjson.gz": { content: toFile(variedLines(7, 200)), isClaimed },
      "prices/b.ndjson": { content: Buffer.alloc(0), isClaimed },
      "prices/c.ndjson": { content: toFile(variedLines(5, 300).toReversed()), isClaimed },
    };
    t.equal((await read(t.testdir({}), contents)).table?.rowCount, 21);
    const repeated = { ...contents, "prices/d.ndjson": { content: toFile(variedLines(1, 204)), isClaimed } };
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
    isClaimed: fc.boolean(),
    slack: fc.constantFrom(0, 0, 0, 0, 0, 1),
  });
  const property = fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 4 }), async (drawn) => {
    const contents = drawn.map(({ sequence, rows, isClaimed, slack }) => ({
      sequence,
      isClaimed,
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
  await fc.assert(property, { numRuns: 300 });
  t.ok(flawless > 60, `${flawless} were flawless`);
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
    [1, 5000],
    [3, 5000],
    [2, 200_000],
  ] as const) {
    const options = { readers: startReaderThreads(threads), pieceBytes };
    t.equal((await read(t.testdir({}), contents, options)).table?.rowCount, 3150);
  }
  const broken = { "prices.ndjson": { content: toFile(lines.with(1500, "nonsense")) } };
  const { problems } = await read(t.testdir({}), broken, { readers: startReaderThreads(3), pieceBytes: 5000 });
  t.match(problems, [/^prices\.ndjson:1501: found text that is not JSON/]);
});

t.test("a dictionary without room is no crash", async (t) => {
  const lines = Array.from({ length: 65_536 }, (_, index) => ordinaryLine(index, { source: `s${index}` }));
  const { problems } = await readOne(t, toFile(lines), { pieceBytes: 1_000_000 });
  assert.match(problems[0] ?? "", /more than 65535 different/);
});
