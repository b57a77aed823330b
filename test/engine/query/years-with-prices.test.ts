import fc from "fast-check";
import t from "tap";
import { dayText } from "../../../src/engine/model/calendar.ts";
import { marketTypes } from "../../../src/engine/model/vocabulary.ts";
import { newestDayAt, placesOfProduct } from "../../../src/engine/query/places-of-product.ts";
import { yearsWithPrices } from "../../../src/engine/query/years-with-prices.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { recordAt } from "../../../src/engine/store/catalogue.ts";
import { finish } from "../../support/explorer-request.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { type PlainPrice, plainPrices } from "../../support/plain-prices.ts";
import { randomDataset } from "../../support/random-dataset.ts";

t.test("places are those of a plain count", async (t) => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const store = buildStore(dataset);
      const prices = plainPrices(dataset);
      return store.catalogue.products.every(({ record }, code) => {
        const ofProduct = prices.filter(({ product }) => product.uuid === record.uuid);
        const { types, counties, markets } = placesOfProduct(store, code);
        const isSame =
          types.join() === marketTypes.filter((type) => ofProduct.some(({ market }) => market.type === type)).join() &&
          counties.length === new Set(ofProduct.map(({ county }) => county.id)).size &&
          markets.length === new Set(ofProduct.map(({ market }) => market.uuid)).size;
        const newest = counties.every((countyId) =>
          marketTypes.every((marketType) => {
            const there = ofProduct.filter(
              ({ county, market }) => county.id === countyId && market.type === marketType,
            );
            const day = there.length === 0 ? undefined : Math.max(...there.map((price) => price.day));
            return newestDayAt(store, code, { countyId, marketType }) === day;
          }),
        );
        return isSame && newest;
      });
    }),
    { numRuns: runsOf(60, 300) },
  );
  t.pass();
});

t.test("the months and counties of each year are those of a plain count", async (t) => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const store = buildStore(dataset);
      const found = finish(yearsWithPrices(store)).map(({ marketType, product, year, outside, inCamps, counties }) => {
        const { uuid } = recordAt(store.catalogue.products, product);
        return [uuid, marketType, year, outside.size, inCamps.size, counties.size].join(" ");
      });
      const monthsOf = (prices: readonly PlainPrice[], isInCamps: boolean): number => {
        const some = prices.filter(({ market }) => (market.setting === "refugee_camp") === isInCamps);
        return new Set(some.map(({ day }) => dayText(day).slice(0, -"-31".length))).size;
      };
      const yearOf = ({ day }: PlainPrice): number => Number(dayText(day).slice(0, -"-12-31".length));
      const cells = Map.groupBy(plainPrices(dataset), (price) =>
        [price.product.uuid, price.market.type, yearOf(price)].join(" "),
      );
      const expected = [...cells].map(([key, prices]) =>
        [
          key,
          monthsOf(prices, false),
          monthsOf(prices, true),
          new Set(prices.map(({ county }) => county.id)).size,
        ].join(" "),
      );
      return found.sort().join("\n") === expected.sort().join("\n");
    }),
    { numRuns: runsOf(60, 300) },
  );
  t.pass();
});
