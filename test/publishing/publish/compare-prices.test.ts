import t from "tap";
import { findRow, type Uuid } from "../../../src/engine/model/ids.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { pricesOfRecords, pricesOfStore, rowComparison } from "../../../src/publishing/publish/compare-prices.ts";
import { valuesOf } from "../../support/fields-of.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

t.test("rows are compared by their texts, also where there are more than a short column has codes for", (t) => {
  for (const count of [10, 66_500]) {
    const uuidAt = (at: number): Uuid => `00000000-0000-4000-8000-${String(at).padStart(12, "0")}` as Uuid;
    const prices = Array.from({ length: count }, (_, at) => ({
      uuid: uuidAt(at),
      notes: at % 100 === 0 ? null : `note ${at}`,
    }));
    const dataset = tinyDataset({ prices });
    // Other codes: rows in reverse. Some notes are gone, new, or others.
    const changed = new Map([1, 2, 3].map((at) => [uuidAt(at), at === 1 ? null : `changed ${at}`]));
    const edited = prices.map((price) => ({
      ...price,
      notes: changed.has(price.uuid) ? changed.get(price.uuid) : price.notes,
    }));
    const store = buildStore(tinyDataset({ prices: edited.toReversed() as typeof prices }));
    const isSame = rowComparison(pricesOfRecords(dataset), pricesOfStore(store));
    const different = prices.filter(({ uuid }, row) => {
      return !isSame(row, findRow(store.rowByUuid, store.prices.uuids, uuid) ?? Number.NaN);
    });
    t.same(valuesOf(different, "uuid"), [...changed.keys()], `${count} rows`);
    t.ok(isSame(4, findRow(store.rowByUuid, store.prices.uuids, uuidAt(4)) ?? -1));
  }
  t.end();
});
