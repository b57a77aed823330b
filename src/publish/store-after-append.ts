import type { Dataset, PriceTable, SnapshotIdentity } from "../domain/dataset.ts";
import { noNotes, noQualityGrade, notesDictionarySizeMax, shortDictionarySizeMax } from "../domain/dataset.ts";
import { Dictionary } from "../domain/dictionary.ts";
import { sharedFloat64, sharedUint16, sharedUint32 } from "../domain/shared-columns.ts";
import { wordsPerUuid } from "../domain/uuid-words.ts";
import { buildStore } from "../store/build-store.ts";
import { type CodeColumn, missingCode } from "../store/code-column.ts";
import type { Store } from "../store/store.ts";
import { findRowOf } from "../store/uuid-index.ts";
import { listTexts } from "./code-translation.ts";

/**
 * The store of a snapshot that adds a day's prices to another: what building a store from all its records would give,
 * without reading those of the other again.
 *
 * @param parent The store of the snapshot that is added to.
 * @param day The small tables of that snapshot, and the prices to add; a uuid that the parent has replaces its row.
 * Cost: that of `buildStore`, and a copy of all columns.
 */
export function storeAfterAppend(parent: Store, day: Omit<Dataset, "snapshot">, snapshot: SnapshotIdentity): Store {
  return buildStore({ ...day, snapshot, prices: joinPrices(parent, day) });
}

/** The prices of the parent that stay, in its order, then those of the day. */
function joinPrices(parent: Store, day: Omit<Dataset, "snapshot">): PriceTable {
  const { prices: old, catalogue } = parent;
  const { prices: added } = day;
  const stays = rowsThatStay(parent, added);
  const rowCount = stays.length + added.rowCount;
  const productPositions = new Map(day.products.map(({ uuid }, position) => [uuid, position]));
  const marketPositions = new Map(day.markets.map(({ uuid }, position) => [uuid, position]));
  const products = Uint32Array.from(catalogue.products, ({ record }) => productPositions.get(record.uuid) as number);
  const markets = Uint32Array.from(catalogue.markets, ({ record }) => marketPositions.get(record.uuid) as number);
  const units = joinTexts("units", old.units, old.unitNames, added.units, added.unitNames, stays);
  const currencies = joinTexts(
    "currencies",
    old.currencies,
    old.currencyCodes,
    added.currencies,
    added.currencyCodes,
    stays,
  );
  const sources = joinTexts("sources", old.sources, old.sourceNames, added.sources, added.sourceNames, stays);
  const grades = joinTexts("grades", old.grades, old.gradeNames, added.grades, added.gradeNames, stays);
  const notes = joinTexts("notes", old.notes, listTexts(old.noteTexts), added.notes, added.noteTexts, stays);
  return {
    rowCount,
    uuids: joinUuids(old.uuids, added.uuids, stays),
    products: joinPositions(old.products, products, added.products, stays),
    markets: joinPositions(old.markets, markets, added.markets, stays),
    prices: joinNumbers(old.prices, added.prices, stays),
    recordedAt: joinNumbers(old.recordedAt, added.recordedAt, stays),
    createdAt: joinNumbers(old.createdAt, added.createdAt, stays),
    updatedAt: joinNumbers(old.updatedAt, added.updatedAt, stays),
    units: shortColumn(units.codes),
    currencies: shortColumn(currencies.codes),
    sources: shortColumn(sources.codes),
    grades: shortColumn(grades.codes),
    notes: notes.codes,
    unitNames: units.texts,
    currencyCodes: currencies.texts,
    sourceNames: sources.texts,
    gradeNames: grades.texts,
    noteTexts: notes.texts,
  };
}

function rowsThatStay(parent: Store, added: PriceTable): Uint32Array {
  const isReplaced = new Uint8Array(parent.prices.rowCount);
  for (let row = 0; row < added.rowCount; row++) {
    const replaced = findRowOf(parent.rowByUuid, parent.prices.uuids, added.uuids, row);
    if (replaced !== undefined) isReplaced[replaced] = 1;
  }
  const stays = new Uint32Array(parent.prices.rowCount);
  let count = 0;
  for (let row = 0; row < isReplaced.length; row++) if (isReplaced[row] === 0) stays[count++] = row;
  return stays.subarray(0, count);
}

function joinUuids(old: Uint32Array, added: Uint32Array, stays: Uint32Array): PriceTable["uuids"] {
  const words = sharedUint32(stays.length * wordsPerUuid + added.length);
  stays.forEach((row, at) => {
    words.set(old.subarray(row * wordsPerUuid, (row + 1) * wordsPerUuid), at * wordsPerUuid);
  });
  words.set(added, stays.length * wordsPerUuid);
  return words;
}

function joinNumbers(old: Float64Array, added: Float64Array, stays: Uint32Array): PriceTable["prices"] {
  const column = sharedFloat64(stays.length + added.length);
  stays.forEach((row, at) => {
    column[at] = old[row] as number;
  });
  column.set(added, stays.length);
  return column;
}

function joinPositions(
  codes: CodeColumn,
  positions: Uint32Array,
  added: Uint32Array,
  stays: Uint32Array,
): PriceTable["products"] {
  const column = sharedUint32(stays.length + added.length);
  stays.forEach((row, at) => {
    column[at] = positions[codes[row] as number] as number;
  });
  column.set(added, stays.length);
  return column;
}

/** Codes of one dictionary for both; what is missing is `noNotes` in every column. */
function joinTexts(
  name: string,
  old: CodeColumn,
  oldTexts: readonly string[],
  added: Uint16Array | Uint32Array,
  addedTexts: readonly string[],
  stays: Uint32Array,
): { readonly codes: PriceTable["notes"]; readonly texts: readonly string[] } {
  const dictionary = new Dictionary(name, name === "notes" ? notesDictionarySizeMax : shortDictionarySizeMax);
  const codes = sharedUint32(stays.length + added.length);
  const missing = missingCode(old);
  const oldCodes = oldTexts.map((text) => dictionary.codeOf(text));
  stays.forEach((row, at) => {
    const code = old[row] as number;
    codes[at] = code === missing ? noNotes : (oldCodes[code] as number);
  });
  const addedCodes = addedTexts.map((text) => dictionary.codeOf(text));
  const addedMissing = added instanceof Uint16Array ? noQualityGrade : noNotes;
  added.forEach((code, at) => {
    codes[stays.length + at] = code === addedMissing ? noNotes : (addedCodes[code] as number);
  });
  return { codes, texts: dictionary.texts };
}

/** `noNotes` becomes `noQualityGrade` by losing its upper half. */
function shortColumn(codes: Uint32Array): PriceTable["units"] {
  const column = sharedUint16(codes.length);
  column.set(codes);
  return column;
}
