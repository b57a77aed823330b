import t from "tap";
import { languages } from "../../src/contract/words.ts";
import type { CountyId } from "../../src/engine/model/ids.ts";
import { countyPlace, marketPlace, type Place } from "../../src/engine/query/place.ts";
import { buildStore } from "../../src/engine/store/build-store.ts";
import type { ProductCode } from "../../src/engine/store/catalogue.ts";
import { presentNow } from "../../src/service/http/resources/prices/now-endpoint.ts";
import { endpointOf, startEndpoint } from "../support/ask-endpoint.ts";
import { bundledDataset } from "../support/bundled-data.ts";
import { valuesOf } from "../support/fields-of.ts";
import { startApp } from "../support/start-app.ts";
import { county, type TinyDatasetParts, uuidOf } from "../support/tiny-dataset.ts";

const endpointName = "GET /prices/now";

interface MarketOfPrice {
  name: string;
  uuid: string;
  county: { id: number };
}

interface Body {
  data: {
    product: { name: string } | null;
    place: { county: { name: string }; market: { name: string } | null } | null;
    prices: { market: MarketOfPrice; distance_km: number | null; price: number; previous: object | null }[];
    sentence: string;
    not_found: string[];
    suggestions: { name: string; matched: string }[];
  };
}

const parts: TinyDatasetParts = {
  counties: [
    county(32, { name: "Nakuru", coordinates: { latitude: -0.3, longitude: 36.07 } }),
    county(5, { name: "Lamu" }),
    county(23, { name: "Turkana", coordinates: { latitude: 3.1, longitude: 35.6 } }),
  ],
  products: [
    { name: "Maize", alternativeNames: ["Mahindi"] },
    { name: "Maize (old)", alternativeNames: ["Mahindi ya zamani"] },
    { name: "Rice [long] €", alternativeNames: ["Mchele “pishori”"] },
    { name: "Kale" },
    { name: "Beans (red)", alternativeNames: ["Maharagwe mekundu"] },
    { name: "Beans (white)", alternativeNames: ["Maharagwe meupe"] },
    { name: "Maize flour", description: "Milled for ugali, priced by the kilogram." },
  ],
  markets: [
    { name: "Njoro", type: "Wholesale", countyId: 32 as CountyId, location: place(-0.33, 35.94) },
    { name: "Wakulima", type: "Retail", countyId: 32 as CountyId, location: place(-0.28, 36.07) },
    {
      ...{ name: "Kakuma 1", type: "Retail", countyId: 23 as CountyId, location: place(3.7, 34.86) },
      setting: "refugee_camp",
    },
    { name: "Lodwar", type: "Retail", countyId: 23 as CountyId },
  ],
  prices: [
    { product: 0, market: 0, price: 4000, recordedAt: "2026-02-15T09:00:00+03:00" },
    { product: 0, market: 0, price: 3200, recordedAt: "2025-11-15T09:00:00+03:00" },
    { product: 0, market: 1, price: 60, recordedAt: "2024-06-15T09:00:00+03:00" },
    { product: 0, market: 2, price: 80, recordedAt: "2026-03-15T09:00:00+03:00" },
    { product: 0, market: 3, price: 90, recordedAt: "2026-01-15T09:00:00+03:00" },
    { product: 1, market: 1, price: 50, recordedAt: "2020-01-15T09:00:00+03:00" },
    { product: 2, market: 1, price: 150, recordedAt: "2023-01-15T09:00:00+03:00" },
    { product: 4, market: 1, price: 150, recordedAt: "2023-01-15T09:00:00+03:00" },
    { product: 5, market: 3, price: 140, recordedAt: "2026-01-15T09:00:00+03:00" },
    { product: 6, market: 1, price: 70, recordedAt: "2023-01-15T09:00:00+03:00" },
  ],
};

function place(latitude: number, longitude: number) {
  return { latitude, longitude, address: null };
}

t.test("a fall is rounded as a rise of as much, as in every other answer", async (t) => {
  const prices = [512, 511].map((price, at) => ({ price, recordedAt: `2026-0${at + 1}-15T09:00:00+03:00` }));
  const { ask } = await startEndpoint<Body>(t, endpointName, { prices });
  const [newest] = (await ask(`?product_uuid=${uuidOf("product", 1)}`)).data.prices;
  t.match(newest, { price: 511, previous: { price: 512, change_percent: -0.195313 } });
});

t.test("a county that is named is the place, also where all its prices are of refugee camps", async (t) => {
  const prices = [0, 1].map((market) => ({ market, recordedAt: "2026-01-15T09:00:00+03:00" }));
  const inTurkana = { type: "Retail", countyId: 23 as CountyId, setting: "refugee_camp" } as const;
  const { ask } = await startEndpoint<Body>(t, endpointName, {
    counties: parts.counties ?? [],
    products: [{ name: "Maize" }],
    markets: [
      { name: "Kakuma 1", ...inTurkana },
      { name: "Kalobeyei", ...inTurkana },
    ],
    prices,
  });
  const county = { id: 23, name: "Turkana" };
  t.strictSame((await ask("?q=maize+turkana")).data.place, { county, market: null });
  t.match((await ask("?q=maize+kakuma+turkana")).data.place, { county, market: { name: "Kakuma 1" } });
});

t.test("what a product costs now", async (t) => {
  const { ask: askAll, miss, refuseAll } = await startEndpoint<Body>(t, endpointName, parts);
  const ask = async (query: string) => (await askAll(query)).data;
  const marketsOf = ({ prices }: Body["data"]) => prices.map(({ market, distance_km }) => [market.name, distance_km]);

  t.test("has every field", async (t) => {
    const nakuru = { id: 32, name: "Nakuru" };
    const turkana = { id: 23, name: "Turkana" };
    const entry = (number: number, market: object, distance_km: number | null, price: number, month: string) => ({
      ...{ uuid: uuidOf("price", number), market, distance_km, price, recorded_at: `${month}-15T06:00:00.000Z` },
      ...{ unit: "kg", currency: "KES", price_per_base_unit: price, base_unit: "kg" },
      ...{ refugee_camp: false, previous: null },
    });
    const marketOf = (number: number, name: string, type: string, county: object) => {
      return { uuid: uuidOf("market", number), name, type, county };
    };
    t.strictSame(await ask("?q=bei+ya+mahindi+njoro&lang=sw"), {
      product: { uuid: uuidOf("product", 1), name: "Maize" },
      place: { county: nakuru, market: { uuid: uuidOf("market", 1), name: "Njoro" } },
      prices: [
        {
          ...entry(1, marketOf(1, "Njoro", "Wholesale", nakuru), 0, 4000, "2026-02"),
          previous: { price: 3200, recorded_at: "2025-11-15T06:00:00.000Z", change_percent: 25 },
        },
        { ...entry(4, marketOf(3, "Kakuma 1", "Retail", turkana), 463.9, 80, "2026-03"), refugee_camp: true },
        entry(5, marketOf(4, "Lodwar", "Retail", turkana), null, 90, "2026-01"),
      ],
      sentence:
        "Mahindi - Maize, jumla katika soko la Njoro: KES 4,000 kwa kilo mwezi wa Februari 2026, " +
        "+25% tangu Novemba 2025.",
      not_found: [],
      suggestions: [],
    });
  });

  t.test("the place first, then the nearest; without both the newest, camps last", async (t) => {
    t.strictSame(marketsOf(await ask("?q=maize+turkana")), [
      ["Lodwar", null],
      ["Kakuma 1", 105.8],
      ["Njoro", 383.3],
    ]);
    t.strictSame(marketsOf(await ask("?q=maize&near=3.7,34.9")), [
      ["Kakuma 1", 4.4],
      ["Njoro", 462.8],
      ["Lodwar", null],
    ]);
    t.strictSame(marketsOf(await ask("?q=maize")), [
      ["Njoro", null],
      ["Lodwar", null],
      ["Kakuma 1", null],
    ]);
    t.strictSame(await ask(`?product_uuid=${uuidOf("product", 1)}`), await ask("?q=maize"));
  });

  t.test("says since when the place has none, what was not found, and what may be meant", async (t) => {
    t.match((await ask("?q=maize+wakulima")).sentence, /^No price from Wakulima since June 2024\. Maize, .* 15 km/);
    t.match((await ask("?q=maize+lamu")).sentence, /^No price from Lamu\. Maize, wholesale at Njoro: 4,000 KES/);
    t.match((await ask("?q=maize+lamu&lang=sw")).sentence, /^Hakuna bei kutoka Lamu\. Mahindi - Maize, jumla /);
    const partial = await ask("?q=maize+atlantis");
    t.strictSame(partial.not_found, ["atlantis"]);
    t.match(partial.sentence, /^Not found: atlantis\. Maize, wholesale at Njoro: 4,000 KES a kg/);
    t.match(await ask("?q=rice"), { prices: [], sentence: "Rice (long) ?: no price since January 2023." });
    t.match(await ask("?q=mchele&lang=sw"), {
      sentence: /^Mchele "pishori" - Rice \(long\) \?: hakuna bei tangu Januari 2023\.$/,
    });
    t.match(await ask("?q=kale"), { product: { name: "Kale" }, prices: [], sentence: "Kale: none." });
    t.match(await ask("?q=nakuru"), { product: null, place: { market: null }, sentence: /^Name a product too/ });
    const near = await ask("?q=mahndi");
    t.match(near, { product: null, place: null, prices: [], sentence: /^Nothing has every word of "mahndi"/ });
    t.strictSame(near.suggestions[0], { uuid: uuidOf("product", 1), name: "Maize", matched: "Mahindi" });
  });

  t.test("a product whose prices are all old gives way to one that the same words name", async (t) => {
    const [maize, flour] = [{ name: "Maize" }, { name: "Maize flour" }];
    t.match(await ask("?q=mahindi+wakulima"), { product: maize, prices: [{}, {}, {}] });
    const old = { product: { name: "Maize (old)" }, prices: [], sentence: "Maize (old): no price since January 2020." };
    t.match(await ask("?q=mahindi+ya+zamani"), old, "and to no other of its name");
    t.match(await ask(`?product_uuid=${uuidOf("product", 2)}`), old);
    t.match(await ask("?q=beans+lamu"), { product: { name: "Beans (white)" }, prices: [{}] });
    t.match(await ask("?q=red+beans+lamu"), { product: { name: "Beans (red)" }, prices: [] });
    t.match(await ask("?q=maize+flour+lamu"), { product: flour, prices: [] }, "nor to another good");
  });

  t.test("refuses what names a second product, and what only a description has", async (t) => {
    for (const [text, names] of [
      ["maize and beans nakuru", ["Maize", "Beans (white)"]],
      ["red maize", ["Beans (red)", "Maize"]],
      ["ugali", []],
      ["ugali please", []],
      ["price today", []],
    ] as const) {
      const { suggestions, ...data } = await ask(`?q=${encodeURIComponent(text)}`);
      t.match(data, { product: null, place: null, prices: [], sentence: /^(Not found: .*)?Nothing has every word of/ });
      t.strictSame(valuesOf(suggestions, "name"), names, text);
    }
    t.match(await ask("?q=ugali+nakuru"), { product: null, place: {}, not_found: ["ugali"] });
    const misspelt = await ask("?q=mahndi+nakuru");
    t.match(misspelt, { product: null, place: { county: { name: "Nakuru" } }, not_found: ["mahndi"] });
    t.equal(misspelt.suggestions[0]?.name, "Maize");
  });

  t.test("one of text and product is needed, and a product that is there", async () => {
    await refuseAll([
      ["", "q"],
      [`?q=maize&product_uuid=${uuidOf("product", 1)}`, "q"],
    ]);
    await miss(`?product_uuid=${uuidOf("product", 99)}`);
  });
});

/** What a sentence begins with where the place has no price: with its place, which may be cut. */
const noneFrom = /^(No price from|Hakuna bei kutoka) |^[^,]+: (none|no price since|hakuna)/;

function isInPlace({ uuid, county }: MarketOfPrice, { conditions }: Place): boolean {
  return uuid === conditions.marketUuid || county.id === conditions.countyId;
}

/** GSM 03.38, the table of the standard without its extension. */
const gsm = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]{1,160}$/;

t.test("every product at every place of the bundled data has a sentence of one text message", async (t) => {
  const bundled = await bundledDataset();
  const store = buildStore(bundled);
  const { products, markets, counties } = store.catalogue;
  const places = [
    undefined,
    ...[...counties.values()].map(countyPlace),
    ...markets.map(({ record }) => marketPlace(record)),
  ];
  let count = 0;
  for (const product of products.keys()) {
    for (const place of places) {
      for (const lang of languages) {
        const asked = { product: product as ProductCode, place, text: "x", near: undefined, lang };
        const answer = presentNow(store, { ...asked, notFound: [], suggestions: [] });
        const { sentence, prices } = answer as unknown as Body["data"];
        count++;
        const [first] = prices;
        const isElsewhere = place && first && !isInPlace(first.market, place);
        if (isElsewhere && !noneFrom.test(sentence)) t.fail(`${place.name} is not said: ${sentence}`);
        if (!gsm.test(sentence)) t.fail(`${sentence.length}: ${sentence}`);
      }
    }
  }
  t.equal(count, products.length * places.length * 2);
  t.ok(count > 10_000);
});

t.test("so has every long name, in its first words", async (t) => {
  const name = (text: string) => `${text} ${"ndefu sana ".repeat(30)}`.slice(0, 200).trim();
  const { ask } = await startEndpoint<Body>(t, endpointName, {
    products: [{ name: name("Zao"), alternativeNames: [name("Jina")] }],
    markets: [{ name: name("Soko") }],
    prices: [{}],
  });
  for (const lang of ["en", "sw"]) {
    const { data } = await ask(`?q=zao&lang=${lang}`);
    t.match(data.sentence, gsm);
    t.match(data.sentence, /^Zao ndefu.*Soko ndefu/);
  }
});

t.test("singular, short and joined names find their product in the bundled data", async (t) => {
  const app = await startApp(t, await bundledDataset());
  const { ask } = endpointOf<Body>(t, app, endpointName);
  const wanted = { kitunguu: /^Onions/, maharage: /^Beans/, sukumawiki: /^Kale$/, kiazi: /^Potatoes/ };
  for (const [text, name] of Object.entries(wanted)) {
    const { data } = await ask(`?q=bei+ya+${text}`);
    t.match(data.product?.name, name, text);
    t.ok(data.prices.length > 0, text);
    const { text: listed } = await app.get(`/api/v1/products?search=${text}`);
    t.match((JSON.parse(listed) as { data: { name: string }[] }).data[0]?.name, name, text);
  }
});
