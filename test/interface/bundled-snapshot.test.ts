/** The data that comes with the project: it loads, it is whole, and every endpoint answers from it. */
import assert from "node:assert/strict";
import t from "tap";
import { bundledDataset, bundledStore } from "../support/bundled-data.ts";
import { valuesOf } from "../support/fields-of.ts";
import { startApp } from "../support/start-app.ts";

t.test("the bundled snapshot", async (t) => {
  const dataset = await bundledDataset();
  const store = await bundledStore();
  const { catalogue, prices } = store;
  const app = await startApp(t, undefined, { deps: { currentStore: () => store } });

  await t.test("is of Kenya and says where it comes from", async (t) => {
    t.equal(dataset.snapshot.timeZone, "Africa/Nairobi");
    t.match(
      dataset.snapshot.parent,
      /^20261128T/,
      "prices are withdrawn by the command, which publishes on top of another",
    );
    t.match(dataset.snapshot.attribution.join("\n"), /World Food Programme/);
  });

  await t.test("has every county, sub-county and ward", async (t) => {
    const subCounties = dataset.counties.flatMap((county) => county.subCounties);
    t.strictSame(
      valuesOf(dataset.counties, "id").toSorted((a, b) => a - b),
      Array.from({ length: 47 }, (_, index) => index + 1),
    );
    t.equal(subCounties.length, 290);
    t.equal(subCounties.flatMap(({ wards }) => wards).length, 1450);
    for (const { name, population, areaSqKm, coordinates } of dataset.counties) {
      assert.ok(population !== null && areaSqKm !== null && coordinates !== null, `${name} has its facts`);
    }
  });

  await t.test("has 26,714 prices of 2006 to 2026 in shillings", async (t) => {
    t.equal(prices.rowCount, 26_714);
    t.strictSame(prices.currencyCodes, ["KES"]);
    t.strictSame(prices.sourceNames, ["WFP"]);
    const instants = prices.recordedAt;
    t.equal(new Date(Math.min(...instants)).getUTCFullYear(), 2006);
    t.equal(new Date(Math.max(...instants)).getUTCFullYear(), 2026);
    t.ok(
      instants.every((instant) => instant % 86_400_000 === 6 * 3_600_000),
      "recorded at 09:00 in Nairobi",
    );
  });

  await t.test(
    "names places that go on under another name, and has none of the rows that two markets share",
    async (t) => {
      const nameOf = (uuid: string): string | undefined => dataset.markets.find((market) => market.uuid === uuid)?.name;
      t.strictSame(
        dataset.marketContinuations.map(({ marketUuid, continuesUuid }) => [nameOf(continuesUuid), nameOf(marketUuid)]),
        [
          ["Lodwar", "Lodwar Town"],
          ["Hola", "Hola Town"],
        ],
      );
      const pricesAt = (name: string): number => {
        const market = catalogue.markets.findIndex(({ record }) => record.name === name);
        return prices.markets.filter((code) => code === market).length;
      };
      t.strictSame([pricesAt("Wote Town"), pricesAt("Makueni")], [0, 31]);
    },
  );

  await t.test("describes every product and trades it in units that are known", async () => {
    for (const { name, description, category, commonUnits } of dataset.products) {
      assert.ok(description.length >= 20 && description.endsWith("."), `${name}: ${description}`);
      assert.match(category, /^[A-Z][A-Za-z ,-]+$/, `${name}: ${category}`);
      assert.ok(
        commonUnits.every((unit) => catalogue.units.has(unit)),
        `${name}: ${commonUnits}`,
      );
    }
  });

  await t.test("is searched best match first, and slips are understood", async (t) => {
    interface Found {
      data: { name: string }[];
      meta: { suggestions?: { name: string; matched: string }[] };
    }
    const search = async (query: string): Promise<Found> =>
      (await app.post("/api/v1/products/search", { query, detail: true })).body as Found;
    for (const [query, name] of [
      ["rice", /^Rice/],
      ["oil", /^Oil/],
      ["maize", /^Maize/],
    ] as const) {
      t.match((await search(query)).data[0]?.name, name, query);
    }
    for (const [query, name] of [
      ["maharge", "Beans"],
      ["cabage", "Cabbage"],
      ["sukumawikki", "Kale"],
      ["potatos", "Potatoes (Irish)"],
    ] as const) {
      const { data, meta } = await search(query);
      t.strictSame([data.length, meta.suggestions?.[0]?.name], [0, name], query);
      t.ok((meta.suggestions?.length ?? 9) <= 5, query);
    }
  });

  await t.test("has units that keep their rules", async (t) => {
    for (const { category, units } of dataset.unitCategories) {
      for (const unit of units) {
        const base = units.find(({ name }) => name === unit.baseUnit);
        t.match(base, { baseUnit: unit.baseUnit, conversionFactor: 1 }, `${category}: ${unit.name}`);
      }
    }
    for (const name of ["bunch", "head", "piece"]) {
      const sharing = [...catalogue.units.values()].filter(({ baseUnit }) => baseUnit === name);
      t.strictSame(valuesOf(sharing, "name"), [name], `${name} converts to nothing else`);
    }
    t.match(catalogue.units.get("90 kg bag"), { baseUnit: "kg", conversionFactor: 90 });
  });
});
