import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import t, { type Test } from "tap";
import { CompiledStoreError } from "../../../src/engine/compiled/compiled-store-error.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { largeDataset } from "../../support/large-dataset.ts";
import { changeDescription, changeHeader, columnsOf, descriptionOf, flipBit } from "./damage.ts";
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
  for (let at = 0; at < 64; at++) {
    const expected = at < 8 ? "foreign" : at < 12 ? "layout" : "damaged";
    for (const bit of [0, 3, 7]) {
      t.equal(await verdict(path, flipBit(file, at, bit)), expected, `byte ${at}, bit ${bit}`);
    }
  }
});

t.test("a bit turned in any column, or in the padding behind it, is noticed", async (t) => {
  const { path, file } = await prepare(t);
  const columns = descriptionOf(file)["columns"] as { path: string; type: string; length: number }[];
  t.ok(columns.length > 50);
  let at = 64;
  for (const { path: name, type, length } of columns) {
    const bytes = (length * Number(/\d+/.exec(type)?.[0])) / 8;
    const padded = Math.ceil(bytes / 64) * 64;
    for (const place of [0, bytes >> 1, bytes - 1, padded - 1]) {
      if (place < 0 || place >= padded) continue;
      t.equal(await verdict(path, flipBit(file, at + place, place % 8)), "damaged", `${name}, byte ${place}`);
    }
    at += padded;
  }
  t.equal(at, 64 + columnsOf(file).length);
});

t.test("a bit turned in a random place is noticed", async (t) => {
  const { path, file } = await prepare(t);
  for (let turn = 0; turn < 300; turn++) {
    const at = 64 + Math.floor(Math.random() * (file.length - 64));
    const bit = Math.floor(Math.random() * 8);
    t.equal(await verdict(path, flipBit(file, at, bit)), "damaged", `byte ${at}, bit ${bit}`);
  }
});

t.test("a file that ends too soon is noticed, and one that goes on", async (t) => {
  const { path, file } = await prepare(t);
  const ends = Array.from({ length: 40 }, (_, part) => Math.floor((file.length * part) / 40));
  for (const end of [...ends, 1, 7, 8, 9, 63, 64, 65, file.length - 64, file.length - 1]) {
    t.equal(await verdict(path, file.subarray(0, end)), "truncated", `cut at ${end} of ${file.length}`);
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
    ["another version", changeHeader(file, (header) => header.writeUInt32LE(77, 8)), "layout"],
    [
      "the other byte order",
      changeHeader(file, (header) => header.writeUInt32LE(header[12] === 1 ? 2 : 1, 12)),
      "layout",
    ],
    ["untouched", changeHeader(file, () => {}), "good"],
  ] as const) {
    t.equal(await verdict(path, bytes), code, name);
  }
});

t.test("a header that lies with a right checksum neither reads nor takes more than there is", async (t) => {
  const { path, file } = await prepare(t);
  const columnBytes = file.readBigUInt64LE(16);
  const descriptionBytes = file.readBigUInt64LE(24);
  const huge = 2n ** 64n - 1n;
  for (const [columns, description, code] of [
    [huge, descriptionBytes, "truncated"],
    [columnBytes, huge, "truncated"],
    [huge, huge, "truncated"],
    [2n ** 40n, descriptionBytes, "truncated"],
    [columnBytes + 64n, descriptionBytes, "truncated"],
    [columnBytes - 64n, descriptionBytes, "damaged"],
    [columnBytes + 64n, descriptionBytes - 64n, "damaged"],
    [columnBytes - 1n, descriptionBytes + 1n, "damaged"],
    [0n, columnBytes + descriptionBytes, "damaged"],
    [columnBytes + descriptionBytes, 0n, "damaged"],
  ] as const) {
    const bytes = changeHeader(file, (header) => {
      header.writeBigUInt64LE(columns, 16);
      header.writeBigUInt64LE(description, 24);
    });
    t.equal(await verdict(path, bytes), code, `${columns} bytes of columns, ${description} of description`);
  }
});

t.test("a description that lies with right checksums is reported", async (t) => {
  const { path, file } = await prepare(t);
  type Description = Record<"source" | "tables" | "rest", Record<string, unknown>> & {
    columns: { path: string; type: string; length: number }[];
    checksums: number[];
  };
  const changes: readonly [string, string, (description: Description) => unknown][] = [
    ["untouched", "good", (description) => description],
    ["no object", "inconsistent", () => [1]],
    ["null", "inconsistent", () => null],
    ["nothing in it", "inconsistent", () => ({})],
    ["another snapshot", "stale", ({ source, ...others }) => ({ ...others, source: { ...source, snapshot: "other" } })],
    ["other content", "stale", ({ source, ...others }) => ({ ...others, source: { ...source, contentHash: "00" } })],
    ["another zone", "stale", ({ source, ...others }) => ({ ...others, source: { ...source, timeZone: "UTC" } })],
    ["another offset", "stale", ({ source, ...others }) => ({ ...others, source: { ...source, utcOffset: 0 } })],
    ["no source", "inconsistent", ({ source: _, ...others }) => others],
    ["no tables", "inconsistent", ({ tables: _, ...others }) => others],
    ["tables of nothing", "inconsistent", (description) => ({ ...description, tables: {} })],
    [
      "products that are none",
      "inconsistent",
      ({ tables, ...others }) => ({ ...others, tables: { ...tables, products: [7] } }),
    ],
    ["no columns", "layout", (description) => ({ ...description, columns: [] })],
    ["a column less", "layout", ({ columns, ...others }) => ({ ...others, columns: columns.slice(1) })],
    ["a column twice", "inconsistent", ({ columns, ...others }) => ({ ...others, columns: [...columns, columns[0]] })],
    [
      "a column elsewhere",
      "layout",
      ({ columns: [first, ...columns], ...others }) => ({
        ...others,
        columns: [{ ...first, path: "elsewhere" }, ...columns],
      }),
    ],
    [
      "a column in a prototype",
      "inconsistent",
      ({ columns, ...others }) => ({
        ...others,
        columns: [...columns, { path: "__proto__.polluted", type: "Uint8Array", length: 0 }],
      }),
    ],
    [
      "a column of another type",
      "layout",
      ({ columns, ...others }) => ({
        ...others,
        columns: columns.map((one) => (one.path === "prices.prices" ? { ...one, type: "Float32Array" } : one)),
      }),
    ],
    [
      "a column of no type",
      "inconsistent",
      ({ columns: [first, ...columns], ...others }) => ({
        ...others,
        columns: [{ ...first, type: "constructor" }, ...columns],
      }),
    ],
    [
      "a column without end",
      "inconsistent",
      ({ columns: [first, ...columns], ...others }) => ({
        ...others,
        columns: [{ ...first, length: 2 ** 52 }, ...columns],
      }),
    ],
    [
      "a column of less than nothing",
      "inconsistent",
      ({ columns: [first, ...columns], ...others }) => ({
        ...others,
        columns: [{ ...first, length: -64 }, ...columns],
      }),
    ],
    ["no checksums", "inconsistent", (description) => ({ ...description, checksums: [] })],
    [
      "another checksum",
      "damaged",
      ({ checksums, ...others }) => ({ ...others, checksums: checksums.map((one) => (one ^ 1) >>> 0) }),
    ],
    ["more in the store", "layout", ({ rest, ...others }) => ({ ...others, rest: { ...rest, more: 1 } })],
    ["an empty store", "layout", (description) => ({ ...description, rest: {} })],
  ];
  for (const [name, code, change] of changes) {
    const text = JSON.stringify(change(descriptionOf(file) as Description));
    t.equal(await verdict(path, changeDescription(file, text)), code, name);
  }
  for (const text of ["", "{", "\ufeff{}"]) {
    t.equal(await verdict(path, changeDescription(file, text)), "inconsistent", JSON.stringify(text));
  }
  t.notOk("polluted" in {});
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
    code: "truncated",
    path,
    message: `${path}: found 1000 bytes, expected the ${file.length} that its header says`,
  });
});
