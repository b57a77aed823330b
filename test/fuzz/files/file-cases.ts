/**
 * Files from other people, damaged: whatever reads them must come to what a naive reader comes to, or to an error of
 * its own kind that says what is wrong.
 */

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { RandomChoice } from "../../../bench/questions/random-choice.ts";
import { keyDigest } from "../../../src/contract/credentials.ts";
import { compareStores } from "../../../src/engine/compiled/compare-stores.ts";
import { readCompiledStore, writeCompiledStore } from "../../../src/engine/compiled/compiled-file.ts";
import { CompiledStoreError } from "../../../src/engine/compiled/compiled-store-error.ts";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { readCurrent, SnapshotUnavailableError } from "../../../src/engine/snapshots/current-snapshot.ts";
import { loadManifestDataset } from "../../../src/engine/snapshots/load-dataset.ts";
import { readManifest } from "../../../src/engine/snapshots/manifest.ts";
import { DatasetError } from "../../../src/engine/snapshots/problem.ts";
import { readCandidate } from "../../../src/engine/snapshots/read-candidate.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { ImportRefusedError } from "../../../src/publishing/importers/import-refused.ts";
import { KeysFileError, keysDocumentText, parseKeysDocument } from "../../../src/service/auth/keys-document.ts";
import { changeDescription, descriptionOf } from "../../engine/compiled/damage.ts";
import { sourceOf } from "../../engine/compiled/round-trip.ts";
import { tuplesOf } from "../../support/fields-of.ts";
import { largeDataset } from "../../support/large-dataset.ts";
import { readPricesTwice } from "../../support/read-prices-twice.ts";
import {
  countyRow,
  marketRow,
  priceRows,
  productRow,
  testUuid,
  writeRecords,
  writeSnapshot,
} from "../../support/snapshot-files.ts";
import { ordinaryLine, toFile, unusualLines } from "../../support/unusual-lines.ts";
import { assertSameRecords, parseWhole } from "./naive-snapshot.ts";
import { damaged, overwritten } from "./random-damage.ts";
import { csvTable, hostileWorkbook, workbook } from "./table-cases.ts";

/** What came of a case: accepted and right, or refused in the way that is documented. */
export type FileOutcome = "accepted" | "refused";

/**
 * Spoils one file and has it read.
 *
 * @throws {Error} when it is neither accepted as it should be nor refused as it should be.
 */
type FileCase = (random: RandomChoice) => Promise<FileOutcome>;

/** Longer than the longest report that a person should read. */
const messageCharactersMax = 100_000;

const publishedAt = Date.UTC(2026, 1, 1) as Instant;

const recordFiles = [
  ...["counties.json", "crops.json", "units.json", "market-types.json", "products.ndjson", "markets.ndjson"],
  "prices.ndjson",
];

/** Name → case. @param folder An empty folder of their own. */
export async function makeFileCases(folder: string): Promise<Readonly<Record<string, FileCase>>> {
  const whole = join(folder, "whole");
  await writeSnapshot(whole, { tables: { prices: priceRows(12) } });
  const records = join(folder, "records");
  await writeRecords(records, {
    counties: [countyRow(), countyRow({ id: 1, code: "001", name: "Mombasa", sub_counties: [] })],
    products: [productRow(), productRow({ uuid: testUuid(5), name: "Beans", metadata: { a: [1, { b: null }] } })],
    markets: [marketRow({ sub_county: "Westlands", location: { latitude: -1.2, longitude: 36.8 } })],
    prices: priceRows(12, 100, { quality_grade: "A", notes: "dry" }),
  });
  const compiled = await compiledCases(join(folder, "test.store"));
  return {
    "price lines": (random) => priceLines(join(folder, "prices"), random),
    "record files": (random) => recordsOf(records, join(folder, "candidate"), random),
    "a published snapshot": (random) => published(whole, join(folder, "published"), random),
    CURRENT: (random) => current(folder, random),
    "keys file": keysFile,
    "CSV table": (random) => outcomeOf(ImportRefusedError, async () => csvTable(random)),
    workbook: (random) => outcomeOf(ImportRefusedError, () => workbook(random)),
    "hostile workbook": (random) => outcomeOf(ImportRefusedError, () => hostileWorkbook(random, folder)),
    ...compiled,
  };
}

const piecesMax = 5000;

/** A file of prices, read by the product and by its twin. */
async function priceLines(directory: string, random: RandomChoice): Promise<FileOutcome> {
  const odd = Object.values(unusualLines);
  const lines = Array.from({ length: random.between(1, 8) }, (_, at) =>
    random.below(6) === 0 ? random.of(odd)(at) : ordinaryLine(at),
  );
  const content = random.below(2) === 0 ? toFile(lines) : damaged(toFile(lines), random);
  const isZipped = random.below(4) === 0;
  const stored = isZipped ? (random.below(2) === 0 ? damaged(gzipSync(content), random) : gzipSync(content)) : content;
  const name = `prices/a.ndjson${isZipped ? ".gz" : ""}`;
  mkdirSync(join(directory, "prices"), { recursive: true });
  writeFileSync(join(directory, name), stored);
  // Each piece is a read of the file: 100 kB byte by byte take 15 s. zlib makes no pieces below 64 bytes.
  const bytesMin = Math.max(isZipped ? 64 : 1, Math.ceil(stored.length / piecesMax));
  const pieceBytes = Math.max(random.of([1, 7, 100, 1000, 100_000]), bytesMin);
  const { table } = await readPricesTwice(directory, [{ name, kind: "prices", sequence: 0, replaces: 0 }], {
    pieceBytes,
  });
  return table === undefined ? "refused" : "accepted";
}

/** A folder to be published, one file of which is damaged, or two exchanged. */
async function recordsOf(source: string, copy: string, random: RandomChoice): Promise<FileOutcome> {
  rmSync(copy, { recursive: true, force: true });
  await cp(source, copy, { recursive: true });
  spoilFolder(copy, random);
  return await outcomeOf(DatasetError, async () => {
    const { reading } = await readCandidate(copy, publishedAt);
    assertSameRecords(copy, reading.records);
  });
}

/** A snapshot with its manifest: the manifest is damaged, or a file under it. */
async function published(source: string, copy: string, random: RandomChoice): Promise<FileOutcome> {
  rmSync(copy, { recursive: true, force: true });
  await cp(source, copy, { recursive: true });
  const path = join(copy, "manifest.json");
  if (random.below(3) > 0) writeFileSync(path, damaged(readFileSync(path), random));
  else spoilFolder(copy, random);
  return await outcomeOf(DatasetError, async () => {
    const manifest = await readManifest(copy);
    const naive = parseWhole(readFileSync(path, "utf8")) as {
      id: string;
      files: readonly { name: string; sha256: string }[];
    };
    assert.equal(manifest.id, naive.id);
    assert.deepEqual(tuplesOf(manifest.files, "name", "sha256"), tuplesOf(naive.files, "name", "sha256"));
    assertSameRecords(copy, await loadManifestDataset(copy, manifest));
  });
}

function spoilFolder(folder: string, random: RandomChoice): void {
  const name = random.of(recordFiles);
  const path = join(folder, name);
  const other = join(folder, random.of(recordFiles));
  if (random.below(10) === 0 && other !== path) {
    renameSync(path, `${path}.tmp`);
    renameSync(other, path);
    renameSync(`${path}.tmp`, other);
  } else if (random.below(20) === 0) rmSync(path);
  else writeFileSync(path, damaged(readFileSync(path), random));
}

async function current(folder: string, random: RandomChoice): Promise<FileOutcome> {
  const bytes = damaged(Buffer.from("20260201T083000Z-0123456789ab\n"), random);
  writeFileSync(join(folder, "CURRENT"), bytes);
  return await outcomeOf(SnapshotUnavailableError, async () => {
    assert.equal((await readCurrent(folder)).length, bytes.toString().replace(/\r?\n$/, "").length);
  });
}

async function keysFile(random: RandomChoice): Promise<FileOutcome> {
  const records = ["a", "b", "c"].map((label, at) => ({
    id: `key_${label.repeat(10)}`,
    kind: random.of(["public", "secret"] as const),
    label,
    digest: keyDigest(label),
    createdAt: publishedAt,
    expiresAt: at === 0 ? null : ((publishedAt + 1000) as Instant),
    revokedAt: null,
    ratePerMinute: at === 1 ? 60 : null,
    rotatedFrom: null,
  }));
  const bytes = damaged(Buffer.from(keysDocumentText(records)), random);
  return await outcomeOf(KeysFileError, async () => {
    const read = parseKeysDocument("keys.json", bytes);
    const naive = parseWhole(bytes.toString()) as { keys: readonly { id: string; digest: string }[] };
    assert.deepEqual(tuplesOf(read, "id", "digest"), tuplesOf(naive.keys, "id", "digest"));
    assert.deepEqual(parseKeysDocument("keys.json", Buffer.from(keysDocumentText(read))), read);
  });
}

/**
 * A compiled store whose bytes were changed is refused, or is the same store. One whose checksums were made to fit may
 * hold other prices: it comes from somebody who may write `compiled/`. It must be refused, or answer without failing.
 */
async function compiledCases(path: string): Promise<Readonly<Record<string, FileCase>>> {
  const store = buildStore(largeDataset(300));
  await writeCompiledStore(path, store, sourceOf(store));
  const file = readFileSync(path);
  const read = (bytes: Buffer): Promise<Store> => {
    writeFileSync(path, bytes);
    return readCompiledStore(path, sourceOf(store), store.snapshot);
  };
  return {
    "compiled store": (random) =>
      outcomeOf(CompiledStoreError, async () => {
        assert.deepEqual(compareStores(await read(random.of([damaged, overwritten])(file, random)), store), []);
      }),
    "description of a compiled store": (random) =>
      outcomeOf(CompiledStoreError, async () => {
        const text = JSON.stringify(descriptionOf(file));
        // Its checksums are right, so only its form is checked: nobody but its owner can write it.
        await read(changeDescription(file, damaged(Buffer.from(text), random).toString("latin1")));
      }),
  };
}

/** The outcome of reading: an error of the wanted kind is a refusal, any other is passed on. */
async function outcomeOf(refusal: new (...args: never[]) => Error, read: () => Promise<void>): Promise<FileOutcome> {
  try {
    await read();
    return "accepted";
  } catch (error) {
    if (!(error instanceof refusal)) throw error;
    if (error.message === "" || error.message.length > messageCharactersMax) throw error;
    return "refused";
  }
}
