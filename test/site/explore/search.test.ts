import t from "tap";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { searchCatalogue } from "../../../src/site/explore/search.ts";
import { finish } from "../../support/explorer-request.ts";
import { county, tinyDataset } from "../../support/tiny-dataset.ts";

const store = buildStore(
  tinyDataset({
    counties: [county(32, { name: "Nakuru" }), county(47, { name: "Nairobi" })],
    products: [
      { name: "Maize", alternativeNames: ["Mahindi"] },
      { name: "Maize (white)", alternativeNames: ["Mahindi meupe"] },
      { name: "Kale", description: "Leaves; sukuma wiki in Swahili." },
      { name: "Nakuru beans" },
    ],
    markets: [
      { name: "Nakuru", type: "Wholesale", countyId: 32 as CountyId },
      { name: "Top Market", type: "Retail", countyId: 32 as CountyId },
      { name: "Wakulima", type: "Wholesale", countyId: 47 as CountyId },
    ],
    prices: [
      { product: 0, market: 0, recordedAt: "2020-01-15T09:00:00+03:00" },
      { product: 1, market: 2, recordedAt: "2026-01-15T09:00:00+03:00" },
      { product: 1, market: 1, recordedAt: "2025-01-15T09:00:00+03:00" },
      { product: 2, market: 2, recordedAt: "2026-01-15T09:00:00+03:00" },
    ],
  }),
);

interface Results {
  counties: number[];
  products: string[];
  places: string[];
  markets: string[];
  isPartial: boolean;
  suggestions: string[];
}

const nothing: Results = { counties: [], products: [], places: [], markets: [], isPartial: false, suggestions: [] };

function search(text: string): Results {
  const { counties, products, productsAtPlaces, markets, isPartial, suggestions } = finish(
    searchCatalogue(store, text),
  );
  const nameOf = (code: number): string => store.catalogue.products[code]?.record.name ?? "";
  return {
    counties: [...counties],
    products: products.map(nameOf),
    places: productsAtPlaces.map(({ product, place }) => `${nameOf(product)} ${place.kind} ${place.name}`),
    markets: markets.map((code) => store.catalogue.markets[code]?.record.name ?? ""),
    isPartial,
    suggestions: suggestions.map(({ product, matched }) => `${nameOf(product)} (${matched})`),
  };
}

t.test("products by any part of a name, the best match first", async (t) => {
  for (const text of ["maize", "MAIZ", "mahindi"]) {
    t.strictSame(search(text).products, ["Maize", "Maize (white)"], text);
  }
  t.strictSame(search("white maize").products, ["Maize (white)"]);
});

t.test("products by their description, after those by name", async (t) => {
  t.strictSame(search("sukuma").products, ["Kale"]);
});

t.test("a product and a place: where it has prices, the county before its markets", async (t) => {
  t.strictSame(search("maize nakuru"), {
    counties: [],
    products: [],
    places: [
      "Maize (white) county Nakuru",
      "Maize (white) market Top Market",
      "Maize county Nakuru",
      "Maize market Nakuru",
    ],
    markets: [],
    isPartial: false,
    suggestions: [],
  });
  t.strictSame(search("kale nakuru").places, [], "no prices there");
  t.strictSame(search("wakulima kale").places, ["Kale market Wakulima"]);
});

t.test("counties and markets by name and county, and products that are called like a place", async (t) => {
  const { counties, products, markets } = search("nakuru");
  t.strictSame([counties, search("NAIR").counties, search("top nakuru").counties], [[32], [47], []]);
  t.strictSame(products, ["Nakuru beans"]);
  t.strictSame(markets, ["Nakuru", "Top Market"]);
  t.strictSame(search("top nakuru").markets, ["Top Market"]);
});

t.test("words that no name has, and short ones, are left out where nothing has all", async (t) => {
  const { places, isPartial } = search("what does maize cost in nakuru");
  t.strictSame([places[0], isPartial], ["Maize (white) county Nakuru", true]);
});

t.test("where nothing has all words, products that have some of them", async (t) => {
  t.strictSame(search("maize mombasa"), {
    counties: [],
    products: ["Maize", "Maize (white)"],
    places: [],
    markets: [],
    isPartial: true,
    suggestions: [],
  });
  t.strictSame(search("xyzzy"), nothing);
  t.strictSame(search("  "), nothing);
  t.strictSame(search("sukumawki"), nothing, "resembles no name");
  t.strictSame(search("mahndi"), { ...nothing, suggestions: ["Maize (Mahindi)", "Maize (white) (Mahindi meupe)"] });
});
