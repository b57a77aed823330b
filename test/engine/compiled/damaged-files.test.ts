import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import t, { type Test } from "tap";
import { CompiledStoreError } from "../../../src/engine/compiled/compiled-store-error.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { largeDataset } from "../../support/large-dataset.ts";
import { changeDescription, changeHeader, columnsOf, descriptionOf, flipBit, headerBytes } from "./damage.ts";
import { readAs, writeToTestFile } from "./round-trip.ts";

const store = buildStore(largeDataset(300));

interface Case {
  readonly path: string;
  readonly file: Buffer;
}

async function prepare(t: Test): Promise<Case> {
  const path = await writeToTestFile(t, store);
  return { path, file: readFileSync(path) };
}

/** The code by which a file is refused; `good` when it is not. */
async function verdict(path: string, bytes: Uint8Array, wanted: Store = store): Promise<string> {
  writeFileSync(path, bytes);
  return await readAs(path, wanted).then(
    () => "good",
    (error: unknown) => (error instanceof CompiledStoreError ? error.code : String(error)),
  );
}

t.test("a bit turned anywhere in the header is noticed", async (t) => {
  const { path, file } = await prepare(t);
  for (let at = 0; at < headerBytes; at++) {
    const expected = at < 8 ? "foreign" : at < 16 ? "layout" : "damaged";
    for (const bit of [0, 3, 7]) {
      t.equal(await verdict(path, flipBit(file, at, bit)), expected, `byte ${at}, bit ${bit}`);
    }
  }
});

t.test("a bit turned in any column, or in the description, is noticed", async (t) => {
  const { path, file } = await prepare(t);
  const columns = descriptionOf(file)["columns"] as { path: string; type: string; length: number }[];
  t.ok(columns.length > 50);
  let at = headerBytes;
  for (const { path: name, type, length } of columns) {
    const bytes = (length * Number(/\d+/.exec(type)?.[0])) / 8;
    for (const place of [0, bytes >> 1, bytes - 1]) {
      if (place < 0 || place >= bytes) continue;
      t.equal(await verdict(path, flipBit(file, at + place, place % 8)), "damaged", `${name}, byte ${place}`);
    }
    at += bytes;
  }
  t.equal(at, headerBytes + columnsOf(file).length);
  for (const place of [at, (at + file.length) >> 1, file.length - 1]) {
    t.equal(await verdict(path, flipBit(file, place, 3)), "damaged", `byte ${place}`);
  }
});

t.test("a file that ends too soon is noticed, and one that goes on", async (t) => {
  const { path, file } = await prepare(t);
  const ends = Array.from({ length: 40 }, (_, part) => Math.floor((file.length * part) / 40));
  for (const end of [...ends, 1, 7, 8, 9, 16, 39, 40, 41, file.length - 64, file.length - 1]) {
    const expected = end < 8 ? "foreign" : end === 8 ? "layout" : "damaged";
    t.equal(await verdict(path, file.subarray(0, end)), expected, `cut at ${end} of ${file.length}`);
  }
  for (const more of [Buffer.alloc(1), Buffer.alloc(64), Buffer.from("\n"), file]) {
    t.equal(await verdict(path, Buffer.concat([file, more])), "damaged", `${more.length} bytes more`);
  }
});

t.test("a file that is not ours, or not for us, is reported", async (t) => {
  const { path, file } = await prepare(t);
  for (const [name, bytes, code] of [
    ["zeros, as an unfinished file begins", Buffer.alloc(file.length), "foreign"],
    ["NDJSON", Buffer.from('{"uuid":"1"}\n'.repeat(100)), "foreign"],
    [
      "another version",
      changeHeader(file, (numbers) => {
        numbers[0] = 77n;
      }),
      "layout",
    ],
    ["the other byte order", changeHeader(file, (numbers) => new Uint8Array(numbers.buffer, 0, 8).reverse()), "layout"],
    ["untouched", changeHeader(file, () => {}), "good"],
  ] as const) {
    t.equal(await verdict(path, bytes), code, name);
  }
});

t.test("a header that lies neither reads nor takes more than there is", async (t) => {
  const { path, file } = await prepare(t);
  const columnBytes = BigInt(columnsOf(file).length);
  const descriptionBytes = BigInt(file.length - headerBytes) - columnBytes;
  const huge = 2n ** 64n - 1n;
  for (const [columns, description] of [
    [huge, descriptionBytes],
    [columnBytes, huge],
    [huge, huge],
    [2n ** 40n, descriptionBytes],
    [columnBytes + 64n, descriptionBytes],
    [columnBytes - 64n, descriptionBytes],
    [columnBytes + 64n, descriptionBytes - 64n],
    [columnBytes - 1n, descriptionBytes + 1n],
    [0n, columnBytes + descriptionBytes],
    [columnBytes + descriptionBytes, 0n],
  ] as const) {
    const bytes = changeHeader(file, (numbers) => numbers.set([columns, description], 1));
    t.equal(await verdict(path, bytes), "damaged", `${columns} bytes of columns, ${description} of description`);
  }
});

t.test("a store of other content, or of another calendar, is not used", async (t) => {
  const { path, file } = await prepare(t);
  const description = descriptionOf(file) as { source: object; columns: { checksum: number }[] };
  const { source, columns } = description;
  for (const [name, code, change] of [
    ["untouched", "good", {}],
    ["another snapshot", "stale", { source: { ...source, snapshot: "other" } }],
    ["other content", "stale", { source: { ...source, contentHash: "00" } }],
    ["another zone", "stale", { source: { ...source, timeZone: "UTC" } }],
    ["another offset", "stale", { source: { ...source, utcOffset: 0 } }],
    ["no list of columns", "damaged", { columns: 1 }],
    ["no tables", "damaged", { tables: {} }],
    ["a column without end", "damaged", { columns: [{ ...columns[0], length: 2 ** 52 }] }],
    ["another checksum", "damaged", { columns: columns.map((one) => ({ ...one, checksum: one.checksum ^ 1 })) }],
  ] as const) {
    const text = JSON.stringify({ ...description, ...change });
    t.equal(await verdict(path, changeDescription(file, text)), code, name);
  }
});

t.test("what is no ordinary file is not read", async (t) => {
  const { path } = await prepare(t);
  const folder = dirname(path);
  const code = (name: string): Promise<string> =>
    readAs(join(folder, name), store).then(
      () => "good",
      (error: CompiledStoreError) => error.code,
    );
  t.equal(await code("none"), "missing");
  t.equal(await code("none/none"), "missing");
  mkdirSync(join(folder, "folder"));
  t.equal(await code("folder"), "unreadable");
  if (process.platform === "win32") return;
  symlinkSync(path, join(folder, "link"));
  t.equal(await code("link"), "unreadable");
  execFileSync("sh", ["-c", 'mkfifo "$0"', join(folder, "pipe")]);
  t.equal(await code("pipe"), "unreadable");
});

t.test("the message is one line that names the file, what was found and what was wanted", async (t) => {
  const { path, file } = await prepare(t);
  writeFileSync(path, file.subarray(0, 1000));
  await t.rejects(readAs(path, store), {
    name: "CompiledStoreError",
    code: "damaged",
    path,
    message: `${path}: found 1000 bytes, expected the ${file.length} that its header says`,
  });
});
