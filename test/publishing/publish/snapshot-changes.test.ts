import fc from "fast-check";
import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import type { Uuid } from "../../../src/engine/model/ids.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { changesBetween } from "../../../src/publishing/publish/snapshot-changes.ts";
import { pricesOfDataset } from "../../engine/store/stored-prices.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { naiveMoves, naiveRowChanges, naiveSeriesOnlyIn } from "../../support/naive-changes.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { type TinyDatasetParts, type TinyPrice, tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

/** What may happen to a record between two snapshots, to one after the other and over again. */
const edits = fc.array(
  fc.constantFrom("keep", "keep", "drop", "price", "unit", "market", "time", "source", "grade", "notes", "entered"),
  { minLength: 1, maxLength: 8 },
);
const nameEdits = fc.array(fc.constantFrom("keep", "keep", "name", "active"), { minLength: 1, maxLength: 4 });

t.test("equals the slow comparison, record by record, on random pairs of snapshots", (t) => {
  fc.assert(
    fc.property(randomDataset({ priceCountMin: 4 }), edits, edits, nameEdits, (dataset, editsA, editsB, names) => {
      const before = tinyDataset(edited(dataset, editsA, ["keep"]));
      const after = tinyDataset(edited(dataset, editsB, names));
      agree(before, after);
      agree(after, before);
      agree(before, before);
    }),
    { numRuns: runsOf(60, 150) },
  );
  t.end();
});

function agree(before: Dataset, after: Dataset): void {
  const changes = changesBetween(buildStore(before), buildStore(after));
  const found = {
    rows: changes.rows,
    appearing: changes.runs.appearing.map(({ productUuid, marketUuid }) => `${productUuid}, ${marketUuid}`).sort(),
    vanishing: changes.runs.vanishing.map(({ productUuid, marketUuid }) => `${productUuid}, ${marketUuid}`).sort(),
    moves: changes.latestPriceMoves.map(({ uuid, before: was, after: is }) => [uuid, was.price, is.price]),
  };
  const wanted = {
    rows: naiveRowChanges(before, after),
    appearing: naiveSeriesOnlyIn(after, before),
    vanishing: naiveSeriesOnlyIn(before, after),
    moves: naiveMoves(before, after),
  };
  if (JSON.stringify(found, sortedKeys) !== JSON.stringify(wanted, sortedKeys)) {
    throw new Error(`found ${JSON.stringify(found)}, wanted ${JSON.stringify(wanted)}`);
  }
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The parts of a dataset in which the edits have been made; the dictionaries of its prices begin again. */
function edited(dataset: Dataset, edits: readonly string[], names: readonly string[]): TinyDatasetParts {
  const rows = pricesOfDataset(dataset) as unknown as (TinyPrice & { productUuid: Uuid; marketUuid: Uuid })[];
  return {
    ...dataset,
    products: dataset.products.map((product, at) => {
      const edit = names[at % names.length];
      if (edit === "name") return { ...product, name: `${product.name} (new)` };
      return edit === "active" ? { ...product, isActive: !product.isActive } : product;
    }),
    prices: rows.flatMap(({ productUuid, marketUuid, ...row }, at) => {
      const price = { ...row, product: productUuid, market: marketUuid };
      return editedPrice(price, edits[at % edits.length], dataset);
    }),
  };
}

function editedPrice(price: TinyPrice, edit: string | undefined, dataset: Dataset): TinyPrice[] {
  const recordedAt = price.recordedAt as Instant;
  switch (edit) {
    case "drop":
      return [];
    case "price":
      return [{ ...price, price: price.price * 1.2 + 0.01 }];
    case "unit":
      return [{ ...price, unit: price.unit === "kg" ? "g" : "kg" }];
    case "market":
      return [{ ...price, market: dataset.markets[0]?.uuid as Uuid }];
    case "time":
      return [{ ...price, recordedAt: (recordedAt + 1) as Instant }];
    case "source":
      return [{ ...price, source: "County office" }];
    case "grade":
      return [{ ...price, qualityGrade: price.qualityGrade === null ? "Z" : null }];
    case "notes":
      return [{ ...price, notes: price.notes === null ? "seen again" : null }];
    case "entered":
      return [{ ...price, updatedAt: (price.updatedAt + 1) as Instant }];
    default:
      return [price];
  }
}

t.test("a latest price is reported when it moves by more than a fifth, up or down", (t) => {
  const before = buildStore(tinyDataset({ prices: [{ price: 100 }] }));
  const movesTo = (price: number) =>
    changesBetween(before, buildStore(tinyDataset({ prices: [{ price }] }))).latestPriceMoves.length;
  t.equal(movesTo(120), 0);
  t.equal(movesTo(120.01), 1);
  t.equal(movesTo(80), 0);
  t.equal(movesTo(79.99), 1);
  t.end();
});

t.test("the latest price is compared with that of its market, or else with the newest of its kind", (t) => {
  const markets = [{ type: "Retail" }, { type: "Retail" }] as const;
  const pricesAt = (...prices: readonly (readonly [market: number, price: number])[]) =>
    buildStore(
      tinyDataset({
        markets,
        prices: prices.map(([market, price], number) => ({
          ...{ market, price, recordedAt: `2026-01-0${number + 1}T06:00:00Z` },
        })),
      }),
    );
  const movesFrom = (before: readonly [number, number][], added: readonly [number, number]) =>
    changesBetween(pricesAt(...before), pricesAt(...before, added)).latestPriceMoves;
  // The newest price before is that of the other market, which is twice as dear.
  t.same(
    movesFrom(
      [
        [0, 50],
        [1, 100],
      ],
      [0, 52],
    ),
    [],
  );
  t.match(movesFrom([[1, 100]], [0, 52]), [{ before: { market: "Market 2" }, after: { market: "Market 1" } }]);
  t.end();
});

t.test("the latest price is compared with the newest one of its unit, currency and market type", (t) => {
  const markets = [{ type: "Retail" }, { type: "Wholesale" }] as const;
  const day = (number: number): string => `2026-01-${String(number).padStart(2, "0")}T06:00:00Z`;
  const before = [
    { price: 100, recordedAt: day(1) },
    { price: 4000, unit: "90 kg bag", recordedAt: day(2) },
    { price: 1, currency: "USD", recordedAt: day(3) },
    { price: 50, market: 1, recordedAt: day(4) },
  ];
  const after = [...before, { price: 130, recordedAt: day(5) }];
  const changes = changesBetween(
    buildStore(tinyDataset({ markets, prices: before })),
    buildStore(tinyDataset({ markets, prices: after })),
  );
  t.match(changes.latestPriceMoves, [
    {
      uuid: uuidOf("product", 1),
      unit: "kg",
      currency: "KES",
      marketType: "Retail",
      before: { price: 100, market: "Market 1" },
      after: { price: 130, market: "Market 1" },
    },
  ]);
  t.same(changes.rows.prices, { added: 1, gone: 0, changed: 0 });
  t.end();
});
