/** Random questions for what a product costs now get the same prices as from a plain scan, also in words. */
import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import { readUuid } from "../../../src/engine/model/ids.ts";
import { countyPlace, marketPlace, type Place } from "../../../src/engine/query/place.ts";
import { pricesNow, readNowQuestion } from "../../../src/engine/query/prices-now.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { ProductCode } from "../../../src/engine/store/catalogue.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { bundledDataset, bundledStore } from "../../support/bundled-data.ts";
import { finish } from "../../support/explorer-request.ts";
import { naiveNow, withPlaces } from "../../support/naive-now.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { questionRuns } from "./question-runs.ts";

const point = fc.record({
  latitude: fc.constantFrom(-4.05, -1.28, -0.33, 0, 3.7, 90, -90),
  longitude: fc.constantFrom(34.7, 35.94, 36.82, 39.66, 180, -180),
});

function checkNow(
  dataset: Dataset,
  store: Store,
  product: ProductCode,
  place: Place | undefined,
  near?: { latitude: number; longitude: number },
): void {
  const { prices } = pricesNow(store, product, place, near);
  const record = store.catalogue.products[product]?.record;
  assert.ok(record);
  const wanted = naiveNow(dataset, { productUuid: record.uuid, near, ...place?.conditions });
  const uuidAt = (row: number | undefined) => (row === undefined ? undefined : readUuid(store.prices.uuids, row));
  assert.deepEqual(
    prices.map(({ row, previousRow }) => ({ uuid: uuidAt(row), previous: uuidAt(previousRow) })),
    wanted.map(({ uuid, previous }) => ({ uuid, previous })),
  );
  for (const [at, { kilometres }] of prices.entries()) {
    const other = wanted[at]?.kilometres ?? null;
    assert.ok(kilometres === other || Math.abs((kilometres ?? NaN) - (other ?? NaN)) < 0.01, `${kilometres} ${other}`);
  }
}

const question = fc.record({
  product: fc.nat(),
  place: fc.nat(),
  kind: fc.nat(2),
  near: fc.option(point, { nil: undefined }),
});

/** Asks for a product, without a place, at a market or in a county. */
function checkQuestion(dataset: Dataset, store: Store, { product, place, kind, near }: Asked): void {
  const { products, markets, counties } = store.catalogue;
  const ids = [...counties.values()];
  const market = markets[place % markets.length]?.record;
  const county = ids[place % ids.length];
  const at = [undefined, market && marketPlace(market), county && countyPlace(county)][kind];
  checkNow(dataset, store, (product % products.length) as ProductCode, at, near);
}

type Asked = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

t.test("random products, places and points, of random and of the bundled data", async () => {
  fc.assert(
    fc.property(randomDataset({ priceCountMin: 1 }).map(withPlaces), question, (dataset, asked) => {
      checkQuestion(dataset, buildStore(dataset), asked);
    }),
    questionRuns,
  );
  const [dataset, store] = [await bundledDataset(), await bundledStore()];
  fc.assert(
    fc.property(question, (asked) => checkQuestion(dataset, store, asked)),
    { numRuns: 3 * questionRuns.numRuns },
  );
});

const english = ["maize", "beans", "rice", "sorghum", "potatoes", "kale", "milk", "sugar"] as const;
const swahili = ["mahindi", "maharagwe", "mchele", "mtama", "viazi", "sukuma wiki", "maziwa", "sukari"] as const;

t.test("questions in words, of the bundled data: the good and the county that were named, and its prices", async () => {
  const [dataset, store] = [await bundledDataset(), await bundledStore()];
  const question = fc.record({
    good: fc.nat(english.length - 1),
    county: fc.constantFrom(...store.catalogue.counties.values()),
    form: fc.constantFrom(
      (good: number, place: string) => `price of ${english[good]} in ${place}`,
      (good: number, place: string) => `${place} ${english[good]} how much is a 90 kg bag`,
      (good: number, place: string) => `bei ya ${swahili[good]} ${place} leo`,
      (good: number, place: string) => `BEI YA ${swahili[good]?.toUpperCase()} kaunti ya ${place}`,
      (good: number, place: string) =>
        `please tell me ${english[good]} today ${place.replaceAll(/[^a-z]/gi, "")} Kenya`,
    ),
    near: fc.option(point, { nil: undefined }),
  });
  fc.assert(
    fc.property(question, ({ good, county, form, near }) => {
      const { product, place, notFound } = finish(readNowQuestion(store, form(good, county.name)));
      assert.ok(product !== undefined, "a product was found");
      const { name, alternativeNames, description } = store.catalogue.products[product]?.record ?? assert.fail();
      const called = [name, description, ...(alternativeNames ?? [])].join(" ").toLowerCase();
      const noun = english[good]?.replace(/(?:es|s)$/, "") ?? "";
      assert.ok(called.includes(noun) || called.includes(swahili[good] ?? ""), `${name}: ${english[good]}`);
      if (place !== undefined) {
        const market = store.catalogue.markets.find(({ record }) => record.uuid === place.conditions.marketUuid);
        assert.equal(market?.record.countyId ?? place.conditions.countyId, county.id, place.name);
      }
      // A county without a market that sells it is a word like any other.
      assert.deepEqual(notFound, []);
      checkNow(dataset, store, product, place, near);
    }),
    questionRuns,
  );
});
