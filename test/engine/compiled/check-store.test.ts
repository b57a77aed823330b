import t from "tap";
import { writeCompiledStore } from "../../../src/engine/compiled/compiled-file.ts";
import { CompiledStoreError } from "../../../src/engine/compiled/compiled-store-error.ts";
import type { Column } from "../../../src/engine/compiled/serialize-store.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";
import { typedArraysIn } from "../store/shared-memory.ts";
import { readAs, sourceOf, writeToTestFile } from "./round-trip.ts";

const dataset = tinyDataset({
  prices: [
    { notes: "first", qualityGrade: "A" },
    { product: 1, market: 1, notes: "second", recordedAt: "2026-02-15T06:00:00Z" },
    { market: 2, unit: "90 kg bag", recordedAt: "2026-03-15T06:00:00Z" },
  ],
});

/** Columns whose numbers may be anything: figures, times, words of uuids, bytes of texts. */
const free =
  /^\.prices\.(uuids|prices|recordedAt|createdAt|updatedAt|noteTexts\.bytes)$|^\.periods\.ages$|^\.rollups\..*\.(counts|means|mins|maxs|medians|deviations|typesBefore|converted|excluded)$|^\.rates$|^\.series\.(counts|longestGaps|monthCounts|longestMonthGaps)$|^\.sourceCounts$|^\.suspicious\.bits$/;

/** Columns that are not in a file, but made anew. */
const rebuilt = /^\.catalogue\./;

t.test("a store whose columns were written right and are wrong is refused", async (t) => {
  const store = buildStore(dataset);
  const path = await writeToTestFile(t, store);
  let spoilt = 0;
  for (const [name, column] of typedArraysIn(store)) {
    if (free.test(name) || rebuilt.test(name)) continue;
    for (let at = 0; at < column.length; at++) {
      const right = column[at] as number;
      const wrong = greatPresent(column);
      if (right === wrong) continue;
      column[at] = wrong;
      await writeCompiledStore(path, store, sourceOf(store));
      const error = await readAs(path, store).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      column[at] = right;
      spoilt++;
      if (error instanceof CompiledStoreError && error.code === "inconsistent") continue;
      t.fail(`${name}[${at}] = ${wrong} was taken (${error})`);
    }
  }
  t.ok(spoilt > 100, `${spoilt} entries were spoilt`);
});

/** A number that is neither missing nor a code of so small a store. */
function greatPresent(column: Column | Int32Array): number {
  return column instanceof Float64Array || column instanceof Int32Array ? 1e6 : 2 ** (8 * column.BYTES_PER_ELEMENT) - 2;
}

t.test("a store whose parts do not fit one another is refused", async (t) => {
  const store = buildStore(dataset);
  const path = await writeToTestFile(t, store);
  const { prices, rowByUuid, rowsByCounty, runs, priceOrder, periods, rollups } = store;
  const { week } = rollups;
  const changes: readonly [string, Partial<Store>][] = [
    ["fewer rows than columns", { prices: { ...prices, rowCount: 2 } }],
    ["more rows than columns", { prices: { ...prices, rowCount: 4 } }],
    ["half a row", { prices: { ...prices, rowCount: 2.5 } }],
    ["no names for the units", { prices: { ...prices, unitNames: [] } }],
    ["a short column", { prices: { ...prices, updatedAt: prices.updatedAt.subarray(1) } }],
    ["offsets that begin late", { prices: { ...prices, productOffsets: Uint32Array.from([1, 2, 3]) as never } }],
    ["offsets that decrease", { runs: { ...runs, rowOffsets: Uint32Array.from([0, 2, 1, 3]) as never } }],
    ["a table without an empty slot", { rowByUuid: { slots: rowByUuid.slots.slice().fill(0) as never } }],
    ["a table of three slots", { rowByUuid: { slots: new Uint32Array(3).fill(0xffff_ffff) as never } }],
    ["a table of no slots", { rowByUuid: { slots: new Uint32Array(0) as never } }],
    ["a table of too few slots", { rowByUuid: { slots: new Uint32Array(2).fill(0xffff_ffff) as never } }],
    ["units of statistics of too few products", { statisticsUnits: store.statisticsUnits.slice(1) }],
    ["statistics in no unit", { statisticsUnits: store.statisticsUnits.map((own) => ({ ...own, unit: "stone" })) }],
    ["a table of narrow slots", { rowByUuid: { slots: Uint16Array.from(rowByUuid.slots) as never } }],
    ["a list of too few rows", { rowsByCounty: { ...rowsByCounty, rows: rowsByCounty.rows.subarray(1) } }],
    ["a row without a day", { periods: { ...periods, dayCodes: periods.dayCodes.subarray(1) } }],
    ["a day less", { periods: { ...periods, ages: periods.ages.subarray(1) } }],
    ["a group of no period", { rollups: { ...rollups, week: { ...week, keys: week.keys.slice().fill(99) as never } } }],
    ["an owner less", { rollups: { ...rollups, week: { ...week, offsets: week.offsets.subarray(1) } } }],
    ["a month less", { priceOrder: { ...priceOrder, monthOffsets: priceOrder.monthOffsets.subarray(1) } }],
    ["a group less", { rollups: { ...rollups, week: { ...week, means: week.means.subarray(1) } } }],
  ];
  for (const [name, change] of changes) {
    await writeCompiledStore(path, { ...store, ...change }, sourceOf(store));
    await t.rejects(readAs(path, store), { name: "CompiledStoreError", code: "inconsistent" }, name);
  }
  await writeCompiledStore(path, { ...store }, sourceOf(store));
  await t.resolves(readAs(path, store));
});
