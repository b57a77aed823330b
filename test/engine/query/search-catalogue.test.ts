import t from "tap";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import { searchCatalogue, wordsToSearch } from "../../../src/engine/query/search-catalogue.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
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
  notFound: string[];
  suggestions: string[];
}

const nothing: Results = { counties: [], products: [], places: [], markets: [], notFound: [], suggestions: [] };

function search(text: string): Results {
  const { counties, products, productsAtPlaces, markets, notFound, suggestions } = finish(searchCatalogue(store, text));
  const nameOf = (code: number): string => store.catalogue.products[code]?.record.name ?? "";
  return {
    counties: [...counties],
    products: products.map(nameOf),
    places: productsAtPlaces.map(({ product, place }) => `${nameOf(product)} ${place.kind} ${place.name}`),
    markets: markets.map((code) => store.catalogue.markets[code]?.record.name ?? ""),
    notFound: [...notFound],
    suggestions: suggestions.map(({ product, matched }) => `${nameOf(product)} (${matched})`),
  };
}

t.test("products by the beginnings of words, the newest first", async (t) => {
  for (const text of ["maize", "MAIZ", "mahindi"]) {
    t.strictSame(search(text).products, ["Maize (white)", "Maize"], text);
  }
  t.strictSame(search("white maize").products, ["Maize (white)"]);
  t.strictSame(search("aize").products, [], "the end of a word");
  t.strictSame(search("eet").products, [], "within a word of a description");
});

t.test("products by their description, after those by name", async (t) => {
  t.strictSame(search("sukuma").products, ["Kale"]);
});

t.test("equal hits: the newest outside camps first, then more markets; camps alone last", async (t) => {
  const camp = { setting: "refugee_camp" } as const;
  const sold = (product: number, market: number, day: string) => {
    return { product, market, recordedAt: `${day}T09:00:00+03:00` };
  };
  const store = buildStore(
    tinyDataset({
      counties: [county(32, { name: "Nakuru" })],
      products: [
        { name: "Rice of camps" },
        { name: "Rice of one" },
        { name: "Rice of two" },
        { name: "Rice that is old" },
        { name: "Rice" },
        { name: "Rice flour" },
      ],
      markets: [{ name: "A" }, { name: "B" }, { name: "C", ...camp }].map((market) => {
        return { ...market, type: "Retail", countyId: 32 as CountyId };
      }),
      prices: [
        ...[sold(0, 2, "2026-05-02"), sold(1, 0, "2026-03-02"), sold(2, 0, "2026-03-02"), sold(2, 1, "2026-03-09")],
        ...[sold(3, 0, "2020-03-02"), sold(4, 0, "2019-03-02"), sold(5, 0, "2026-04-02"), sold(5, 1, "2026-04-02")],
      ],
    }),
  );
  const found = finish(searchCatalogue(store, "rice"));
  const names = found.products.map((code) => store.catalogue.products[code]?.record.name);
  // The noun of the first is rice; all others are of something.
  t.strictSame(names, ["Rice", "Rice flour", "Rice of two", "Rice of one", "Rice that is old", "Rice of camps"]);
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
    notFound: [],
    suggestions: [],
  });
  t.strictSame(search("kale nakuru").places, ["Kale county Nakuru"], "the place that was meant, without a price");
  t.strictSame(search("wakulima kale").places, ["Kale market Wakulima"]);
});

t.test("counties and markets by name and county, and products that are called like a place", async (t) => {
  const { counties, products, markets } = search("nakuru");
  t.strictSame([counties, search("NAIR").counties, search("top nakuru").counties], [[32], [47], []]);
  t.strictSame(products, ["Nakuru beans"]);
  t.strictSame(markets, ["Nakuru", "Top Market"]);
  t.strictSame(search("top nakuru").markets, ["Top Market"]);
});

t.test("words of a question and amounts are none, in both languages", async (t) => {
  for (const [text, words] of [
    ["what does maize cost in nakuru", "maize nakuru"],
    ["Bei ya mahindi karibu na Nakuru", "mahindi nakuru"],
    ["90 kg bag maize nakuru", "maize nakuru"],
    ["gunia la kilo 90 mahindi", "mahindi"],
    ["maize 1/2 kg", "maize"],
    ["maize 0.5 kg, 90kg", "maize"],
    ["Kakuma 2", "kakuma 2"],
    ["maize kakuma 2 near", "maize kakuma 2"],
    ["bagamoyo", "bagamoyo"],
    ["price of maize in Kenya today please", "maize"],
    ["naomba bei ya mahindi ya Nakuru leo tafadhali", "mahindi nakuru"],
    ["green grams nakuru", "green grams nakuru"],
    ["500 grams of green grams", "green grams"],
    ["bei ya", "bei ya"],
    ["kg", "kg"],
  ] as const) {
    t.strictSame(wordsToSearch(text), words.split(" "), text);
  }
  t.strictSame(search("Bei ya mahindi, karibu na Nakuru"), search("maize nakuru"));
  t.strictSame(search("90 kg bag maize nakuru"), search("maize nakuru"));
});

t.test("where names have all words, but none of them has all, the best product of each", async (t) => {
  const suggestions = ["Maize (white) (Maize (white))", "Kale (Kale)"];
  for (const text of ["maize and kale wakulima", "mahindi na kale", "white kale"]) {
    t.strictSame(search(text), { ...nothing, suggestions }, text);
  }
  t.strictSame(search("maize xyzzy kale"), { ...nothing, notFound: ["xyzzy"], suggestions });
});

t.test("a word of a description counts where no product is named by it", async (t) => {
  const store = buildStore(
    tinyDataset({
      products: [{ name: "Maize", description: "Grain, boiled with beans as githeri." }, { name: "Beans" }],
    }),
  );
  const found = (text: string): number[] => [...finish(searchCatalogue(store, text)).products];
  t.strictSame([found("maize githeri"), found("githeri"), found("maize beans")], [[1], [1], []]);
});

t.test("words that tell markets of a place apart are left out where nothing has them", async (t) => {
  const markets = ["Nakuru (Wholesale)", "Wakulima"].map((name) => ({ name }));
  const store = buildStore(tinyDataset({ markets, prices: [{ market: 0 }, { market: 1 }] }));
  const found = (text: string) => {
    const { products, productsAtPlaces, notFound } = finish(searchCatalogue(store, text));
    return [products.length, productsAtPlaces.map(({ place }) => place.name), notFound];
  };
  t.strictSame(found("maize wholesale nakuru"), [0, ["Nakuru (Wholesale)"], []]);
  t.strictSame(found("maize wholesale wakulima"), [0, ["Wakulima"], ["wholesale"]]);
  t.strictSame(found("maize wholesale"), [1, [], ["wholesale"]]);
});

t.test("names in one word", async (t) => {
  t.strictSame(search("topmarket"), { ...search("top market") });
  t.strictSame(search("maize topmarket").places, ["Maize (white) market Top Market"]);
  t.strictSame(search("nakurubeans").products, ["Nakuru beans"]);
});

t.test("words that no name has, and short ones, are left out where nothing has all", async (t) => {
  const { places, notFound } = search("fine maize nakuru");
  t.strictSame([places[0], notFound], ["Maize (white) county Nakuru", ["fine"]]);
});

t.test("where nothing has all words, products that have some of them", async (t) => {
  t.strictSame(search("maize mombasa"), {
    counties: [],
    products: ["Maize (white)", "Maize"],
    places: [],
    markets: [],
    notFound: ["mombasa"],
    suggestions: [],
  });
  t.strictSame(search("xyzzy"), nothing);
  t.strictSame(search("  "), nothing);
  t.strictSame(search("mahndi wakulima"), {
    ...search("wakulima"),
    notFound: ["mahndi"],
    suggestions: ["Maize (Mahindi)", "Maize (white) (Mahindi meupe)"],
  });
  t.strictSame(search("sukumawki"), nothing, "resembles no name");
  t.strictSame(search("mahndi"), { ...nothing, suggestions: ["Maize (Mahindi)", "Maize (white) (Mahindi meupe)"] });
});

t.test("many products at many places are looked at in slices", async (t) => {
  const manyMarkets = Array.from({ length: 150 }, (_, at) => ({ name: `Kiosk ${at}`, type: "Retail" as const }));
  const many = buildStore(
    tinyDataset({
      products: Array.from({ length: 100 }, (_, at) => ({ name: `Meal ${at}` })),
      markets: manyMarkets,
      prices: [{ product: 99, market: 7 }],
    }),
  );
  const work = searchCatalogue(many, "m k");
  let slices = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) slices++;
  // 10,000 pairs, some hundred between two yields.
  t.ok(slices > 50, `${slices} slices`);
});
