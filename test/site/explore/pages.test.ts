import fc from "fast-check";
import t from "tap";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import { wholeCountry } from "../../../src/engine/query/place.ts";
import { placesOfProduct } from "../../../src/engine/query/places-of-product.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { seriesParameter } from "../../../src/site/explore/monthly-series.ts";
import { answerOf, linksOf, nodesOf, targets } from "../../support/explorer-pages.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { findNodes, hostileText, type MarkupNode, parseMarkup, textWithin } from "../../support/parse-markup.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { county, tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

/** One page of each kind. */
function targetsOf({ catalogue, ...rest }: Store): string[] {
  const store = { catalogue, ...rest };
  return [
    "",
    "?q=maize",
    "/data",
    "/gaps",
    "/compare",
    ...catalogue.countiesByName.slice(0, 3).flatMap((id) => [`/counties/${id}`, `?county=${id}`]),
    ...catalogue.products.slice(0, 2).flatMap(({ record }, code) => {
      const path = `/products/${record.uuid}`;
      const [county] = placesOfProduct(store, code).counties;
      const [marketType] = placesOfProduct(store, code).types;
      const series = marketType && seriesParameter({ product: record, marketType, place: wholeCountry });
      return [
        ...[path, `${path}?period=all&view=change`, ...(county === undefined ? [] : [`${path}?county=${county}`])],
        `/compare?product=${record.uuid}${series === undefined ? "" : `&series=${series}`}`,
      ];
    }),
    ...catalogue.markets.slice(0, 2).map(({ record }) => `/markets/${record.uuid}`),
  ];
}

t.test("pages of random data are well-formed and lead to pages and tables that are there", async (t) => {
  let followed = 0;
  await fc.assert(
    fc.asyncProperty(randomDataset(), fc.constantFrom("en" as const, "sw" as const), async (dataset, language) => {
      const store = buildStore(dataset);
      const links = new Set<string>();
      for (const target of targetsOf(store)) {
        for (const link of linksOf(await nodesOf(store, target, { language }))) links.add(link);
      }
      for (const link of links) {
        if (link.startsWith("/downloads/")) continue;
        const { status, type, text } = await answerOf(store, link, { language });
        if (status !== 200) throw new Error(`${link}: ${status}`);
        if (type.startsWith("text/csv")) {
          const [head = "", ...lines] = text.trimEnd().split("\r\n");
          if (!/^[a-z_0-9,]+$/.test(head)) throw new Error(`${link}: ${head}`);
          if (text.includes("undefined") || lines.some((line) => line === "")) throw new Error(`${link}: ${text}`);
        } else if (type.startsWith("application/atom+xml")) {
          if (!/^<\?xml [\s\S]*<\/feed>\n?$/.test(text) || text.includes("undefined"))
            throw new Error(`${link}: ${text}`);
        } else parseMarkup(text, targets);
        followed++;
      }
    }),
    { numRuns: runsOf(9, 60) },
  );
  t.ok(followed > 100, `${followed} links`);
});

const parameterNames = [
  "q",
  "part",
  "county",
  "market",
  "period",
  "from",
  "to",
  "unit",
  "type",
  "page",
  "table",
  "series",
  "product",
  "map",
  "window",
  "category",
  ...["currency", "chart", "snapshot"],
];

t.test("whatever an address says, the answer is a page, a table, or a problem that is named", async (t) => {
  const store = buildStore(
    tinyDataset({
      prices: ["2019-12-31", "2025-02-28", "2026-01-15"].map((day) => ({ recordedAt: `${day}T09:00:00Z` })),
    }),
  );
  const product = uuidOf("product", 1);
  const values = [
    ...[
      "",
      "1",
      "47",
      "48",
      "0",
      "-1",
      "1e9",
      "1y",
      "all",
      "2025-01",
      "0000-01",
      "9999-12",
      "2025-13",
      "kg",
      "90 kg bag",
      "months",
    ],
    ...[
      "series",
      "results",
      "class",
      "3m",
      "Cereals and Tubers",
      "Wholesale",
      "constructor",
      "__proto__",
      hostileText.toWellFormed(),
      product,
      uuidOf("market", 1),
    ],
    ...[
      `${product}:Wholesale`,
      `${product}:Retail:47`,
      `${product}:Wholesale:${uuidOf("market", 1)}`,
      `${product}:x`,
      ":::",
    ],
  ];
  const value = fc.oneof(fc.constantFrom(...values), fc.string({ maxLength: 20 }));
  const address = fc.tuple(
    fc.constantFrom(
      "",
      "/compare",
      "/data",
      `/products/${product}`,
      `/markets/${uuidOf("market", 1)}`,
      "/counties/47",
      "/counties/x",
      "/products/x",
    ),
    fc.array(fc.tuple(fc.constantFrom(...parameterNames), value), { maxLength: 4 }),
  );
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(address, async ([path, parameters]) => {
      const query = new URLSearchParams(parameters.map(([name, text]) => [name, text]));
      const { status, type, text } = await answerOf(store, `${path}?${query}`);
      statuses.add(status);
      if (type.startsWith("text/html")) parseMarkup(text, targets);
    }),
    { numRuns: runsOf(200, 4000) },
  );
  t.strictSame([...statuses].sort(), [200, 400]);
});

t.test("a request is a command of several lines that can be copied", async (t) => {
  const store = buildStore(tinyDataset({ prices: [{}] }));
  const page = await nodesOf(store, `/products/${uuidOf("product", 1)}`);
  t.strictSame(
    findNodes(page, ({ name }) => name === "pre"),
    [],
    "the page itself has none",
  );
  const requests = linksOf(page).find((link) => /part=requests/.test(link)) as string;
  const nodes = await nodesOf(store, requests);
  const commands = findNodes(nodes, ({ name }) => name === "pre").map(({ children }) => textWithin(children));
  t.ok(commands.length >= 2);
  t.match(textWithin(nodes), "In BASE_URL the command expects the address of the service");
  for (const command of commands) t.match(command, /^(?:TARGET='\/api\/v1\/|BODY=|curl -sS )/);
});

/** Everything that comes from files, as bad as it can be. */
function hostileDataset(): Dataset {
  const name = `${hostileText} {product}`;
  return tinyDataset({
    snapshot: { note: name, attribution: [name] },
    counties: [county(32, { name }), county(47, { name: "Nairobi" })],
    unitCategories: [{ category: name, units: [{ name, abbreviation: name, baseUnit: name, conversionFactor: 1 }] }],
    products: [
      { name, category: name, description: name, alternativeNames: [name], commonUnits: [name] },
      { name: `${name} (white)`, category: name, commonUnits: [name] },
    ],
    markets: [
      { name, countyId: 32 as CountyId, type: "Wholesale", location: { latitude: -0.3, longitude: 36, address: name } },
      { name: "Plain", countyId: 47 as CountyId },
    ],
    prices: [0, 1].flatMap((product) =>
      ["2025-01-15", "2025-02-15", "2026-01-15"].map((day) => ({
        ...{ product, market: product, unit: name, currency: "KES", source: name, notes: name },
        recordedAt: `${day}T09:00:00+03:00`,
      })),
    ),
  });
}

t.test("names from files stay texts, whatever is in them", async (t) => {
  const store = buildStore(hostileDataset());
  const publications = {
    snapshots: [
      {
        id: hostileText,
        publishedAt: hostileText,
        note: hostileText,
        parent: hostileText,
        rows: { prices: 1 },
        replacedPrices: 0,
      },
    ],
    files: [{ snapshot: "a", name: "b", bytes: 1, rows: null, sha256: hostileText }],
    filesAreBeingMade: false,
  };
  for (const language of ["en", "sw"] as const) {
    for (const target of [...targetsOf(store), `?q=${encodeURIComponent(hostileText.toWellFormed())}`]) {
      const { text, status } = await answerOf(store, target, { language, publications });
      t.equal(status, 200, target);
      t.doesNotThrow(() => parseMarkup(text, targets), target);
    }
  }
});

t.test("the data page says whether files are being made", async (t) => {
  const store = buildStore(tinyDataset({ prices: [{}] }));
  const publications = { snapshots: [], files: [] };
  const sayings = [true, false].map(async (filesAreBeingMade) => {
    const { text } = await answerOf(store, "/data", { publications: { ...publications, filesAreBeingMade } });
    return [/are being made/.test(text), /No files were made/.test(text)];
  });
  t.strictSame(await Promise.all(sayings), [
    [true, false],
    [false, true],
  ]);
});

t.test("a bad address is a page that names what is wrong, and an unknown thing is not found", async (t) => {
  const store = buildStore(tinyDataset({ prices: [{}] }));
  const product = uuidOf("product", 1);
  const market = uuidOf("market", 1);
  const other = "00000000-0000-4000-8000-000000000000";
  for (const [target, status, words] of [
    [`/products/${other}`, 404, other],
    [`/markets/${other}`, 404, other],
    ["/products/maize", 400, "product is “maize”, expected UUID"],
    [`/products/${product}?period=2y`, 400, "period is “2y”, expected 1y, 5y, 10y, all"],
    ["/counties/48", 400, "county is “48”, expected 1–47"],
    ["/counties/nakuru", 400, "county is “nakuru”, expected 1–47"],
    ["/counties/4.7", 400, "county is “4.7”, expected 1–47"],
    [`/products/${product}?county=Nairobi`, 400, "county is “Nairobi”, expected 1–47"],
    [`/products/${product}?market=x`, 400, "market is “x”, expected UUID"],
    [`/products/${product}?to=2026`, 400, "to is “2026”, expected YYYY-MM"],
    [`/products/${product}?part=x`, 400, "part is “x”, expected results, requests"],
    ["?category=Cars", 400, "category is “Cars”"],
    [`/products/${product}?county=48`, 400, "county is “48”, expected 1–47"],
    [`/products/${product}?county=1&market=${market}`, 400, "market is"],
    [`/products/${product}?market=${other}`, 400, other],
    [`/products/${product}?unit=furlong`, 400, "unit is “furlong”, expected kg, 90 kg bag, g"],
    [`/products/${product}?type=Night`, 400, "expected Wholesale, Retail, Rural, Urban"],
    [`/products/${product}?from=2026-13`, 400, "from is “2026-13”, expected YYYY-MM"],
    [`/products/${product}?from=2026-02&to=2026-01`, 400, "expected ≤ 2026-01"],
    [`/products/${product}?view=map`, 400, "view is “map”, expected prices, change"],
    [`/markets/${market}?product=x`, 400, "product is “x”, expected UUID"],
    [`/compare?series=${product}:Retail:1:tents`, 400, "series is"],
    [`/products/${product}?table=secrets`, 400, "expected months, markets"],
    [`/products/${product}?period=1y&period=5y`, 400, "period is “1y, 5y”"],
    ["/compare?series=maize", 400, "series is “maize”"],
    [`/compare?series=${product}:Night`, 400, "expected Wholesale"],
    [`/compare?series=${product}:Retail:99`, 400, "county is “99”"],
    [
      `/compare?${"x".repeat(7).replaceAll(/x/g, `series=${product}:Retail:1&`)}series=${product}:Urban`,
      200,
      "Compare",
    ],
  ] as const) {
    const answer = await answerOf(store, target);
    t.equal(answer.status, status, target);
    t.match(textWithin(parseMarkup(answer.text, targets)), words, target);
  }
  const swahili = await answerOf(store, `/products/${product}?from=2026`, { language: "sw" });
  t.match(textWithin(parseMarkup(swahili.text, targets)), "from ni “2026”, ilitarajiwa YYYY-MM.");
  t.equal(
    (await answerOf(store, `/products/${product}?fbclid=1&utm_source=x&period=`)).status,
    200,
    "others add theirs",
  );
});

t.test("the data page says that counties are ours where prices are WFP's, and nowhere else", async (t) => {
  for (const [source, isShown] of [
    ["WFP", true],
    ["KAMIS", false],
  ] as const) {
    const store = buildStore(tinyDataset({ prices: [{ source }] }));
    for (const [language, text] of [
      ["en", "The county of a market is ours, not WFP’s"],
      ["sw", "Kaunti ya soko ni yetu, si ya WFP"],
    ] as const) {
      t.equal(
        textWithin(await nodesOf(store, "/data", { language })).includes(text),
        isShown,
        `${source} in ${language}`,
      );
    }
  }
});

t.test("every month that a calendar can name is answered, or refused by name", async (t) => {
  const store = buildStore(tinyDataset());
  const product = [...store.catalogue.productCodes.keys()][0];
  const months = ["0000-01", "0000-12", "0099-02", "1582-10", "1969-12", "2024-02", "9999-11", "9999-12"];
  for (const path of [`/products/${product}?`, `/compare?series=${product}:Wholesale&`]) {
    for (const month of months) {
      for (const asked of [`from=${month}`, `to=${month}`, `from=${month}&to=9999-12`]) {
        for (const part of ["", "&table=months"]) {
          const { status, text } = await answerOf(store, path + asked + part);
          t.ok(status === 200 || status === 400, `${path}${asked}${part}: ${status}`);
          t.notMatch(text, /NaN|undefined|Invalid/, `${path}${asked}${part}`);
        }
      }
    }
  }
});

t.test("where all prices are suspicious, the page says so", async (t) => {
  const months = Array.from({ length: 9 }, (_, at) => `2025-0${at + 1}-15T09:00:00+03:00`);
  const store = buildStore(
    tinyDataset({
      products: [{ name: "Maize" }],
      prices: [
        ...months.flatMap((recordedAt) => [0, 2].map((market) => ({ market, recordedAt }))),
        { market: 3, price: 1, recordedAt: months[4] as string },
      ],
      markets: [0, 1, 2, 3].map(() => ({ type: "Wholesale" })),
    }),
  );
  t.equal(store.suspicious.rows.length, 1);
  const text = textWithin(await nodesOf(store, `/products/${uuidOf("product", 1)}?market=${uuidOf("market", 4)}`));
  t.match(text, "1 suspicious price left out.");
  t.notMatch(text, "There is no price");
});

t.test("headings leave out no level", async (t) => {
  const store = buildStore(tinyDataset({ prices: [{}] }));
  for (const target of [...targetsOf(store), "?q=maize+mombasa", "?q=xyzzy", "/compare?product=x"]) {
    const { text } = await answerOf(store, target);
    const levels = [...text.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    t.equal(levels[0], 1, target);
    t.ok(
      levels.every((level, at) => level <= (levels[at - 1] ?? 0) + 1),
      `${target}: ${levels}`,
    );
  }
});

t.test("a page of a place has it in its title", async (t) => {
  const store = buildStore(
    tinyDataset({
      products: [{ name: "Maize" }],
      prices: [0, 1].map((market) => ({ market, recordedAt: "2026-01-15T09:00:00+03:00" })),
    }),
  );
  const path = `/products/${uuidOf("product", 1)}`;
  const titleOf = async (target: string): Promise<string> => {
    const [title] = findNodes(await nodesOf(store, target), ({ name }) => name === "h1");
    return textWithin(title?.children ?? []);
  };
  t.equal(await titleOf(path), "Maize");
  t.equal(await titleOf(`${path}?county=47`), "Maize in Nairobi");
  t.match(await titleOf(`${path}?market=${uuidOf("market", 1)}`), /^Maize at /);
});

t.test("prices that do not convert are counted, also where a type or place has no others", async (t) => {
  const store = buildStore(
    tinyDataset({
      products: [{ name: "Maize" }],
      prices: [
        { market: 0, recordedAt: "2026-01-14T09:00:00+03:00" },
        { market: 0, recordedAt: "2026-01-15T09:00:00+03:00" },
        { market: 1, currency: "USD", recordedAt: "2026-01-15T09:00:00+03:00" },
      ],
    }),
  );
  const [product, market] = [uuidOf("product", 1), uuidOf("market", 2)];
  const sentence = "One price is left out: its unit or currency does not convert to KES per kg.";
  const code = store.catalogue.markets.findIndex(({ record: { uuid } }) => uuid === market);
  const { record } = store.catalogue.markets[code] as Store["catalogue"]["markets"][number];
  for (const target of [
    `/products/${product}`,
    `/products/${product}?market=${market}`,
    `/compare?series=${product}:${record.type}:${market}`,
    `?q=${encodeURIComponent(`maize ${record.name}`)}`,
  ]) {
    const text = textWithin(await nodesOf(store, target));
    t.match(text, sentence, target);
    t.notMatch(text, "There is no price", target);
  }
});

t.test("what is not here names sought goods and products without a price, and what each year has", async (t) => {
  const products = ["Tomatoes", "Goats", "Onions (red)"].map((name) => ({ name }));
  const markets = [{ type: "Retail" as const }, { type: "Retail" as const, setting: "refugee_camp" as const }];
  const prices = [
    { product: 0, market: 0, recordedAt: "2026-01-15T09:00:00+03:00" },
    { product: 0, market: 0, recordedAt: "2026-01-20T09:00:00+03:00" },
    { product: 0, market: 1, recordedAt: "2026-02-15T09:00:00+03:00" },
    { product: 1, market: 1, recordedAt: "2026-02-15T09:00:00+03:00" },
  ];
  const store = buildStore(tinyDataset({ products, markets, prices }));
  const nodes = await nodesOf(store, "/gaps");
  const text = textWithin(nodes).replaceAll(/\s+/g, " ");
  t.match(text, "outside refugee camps here: live animals, onions at retail, cabbages at retail.");
  t.match(text, "In the catalogue without any price: Onions (red).");
  const rows = findNodes(nodes, ({ name }) => name === "tr").map(({ children }) =>
    findNodes(children, ({ name }) => name === "td" || name === "th").map((cell) => textWithin(cell.children)),
  );
  const years = rows.filter(([first]) => first === "2026");
  t.strictSame(years, [
    ["2026", "0", "1", "1"],
    ["2026", "1", "1", "1"],
  ]);
});

t.test("what is not here stays small where the catalogue is large, and says what it leaves out", async (t) => {
  const products = Array.from({ length: 200 }, (_, at) => ({ name: `Product ${String(at).padStart(3, "0")}` }));
  const prices = products.slice(100).flatMap((_, at) =>
    Array.from({ length: 20 }, (_, year) => ({
      product: 100 + at,
      recordedAt: `${2006 + year}-05-05T09:00:00+03:00`,
    })),
  );
  const { text } = await answerOf(buildStore(tinyDataset({ products, prices })), "/gaps");
  t.ok(text.length < 300_000, `${text.length} bytes`);
  t.match(text, "1,500 of 2,000");
  t.match(text, "Product 059, + 40.");
});

t.test("a comparison leads to each of its series, and its period can be chosen also when it is full", async (t) => {
  const store = buildStore(
    tinyDataset({ prices: [0, 1].map((market) => ({ market, recordedAt: "2026-01-15T09:00:00+03:00" })) }),
  );
  const product = uuidOf("product", 1);
  const places = ["Wholesale", "Retail", "Wholesale:47", "Retail:47", "Urban", "Rural"];
  for (const count of [1, 6]) {
    const series = places.slice(0, count).map((place) => `series=${product}:${place}`);
    const nodes = await nodesOf(store, `/compare?${series.join("&")}`);
    const names = findNodes(nodes, ({ name }) => name === "select").map(({ attributes }) => attributes["name"]);
    t.ok(names.includes("period"), `${count} series`);
    const links = linksOf(nodes);
    t.ok(links.includes(`/products/${product}?type=Wholesale`));
    if (count > 3) t.ok(links.includes(`/products/${product}?county=47&type=Retail`));
  }
});

t.test("pages of counties, markets and products say what other data calls them, where that is known", async (t) => {
  const store = buildStore(
    tinyDataset({
      counties: [county(47, { name: "Nairobi", iso_3166_2: "KE-30" }), county(1)],
      products: [{ name: "Maize", sourceIds: ["WFP:51"], scientificName: "Zea mays" }, { name: "Salt" }],
      markets: [{ sourceIds: ["WFP:184"] }, {}],
      prices: [{}, { product: 1, market: 1 }],
    }),
  );
  const textOf = async (target: string): Promise<string> => textWithin(await nodesOf(store, target));
  t.match(await textOf("/counties/47"), "In other data: county number 47, P-code KE047, ISO 3166-2 KE-30.");
  t.match(await textOf(`/markets/${uuidOf("market", 1)}`), "In other data: WFP:184.");
  t.match(await textOf(`/products/${uuidOf("product", 1)}`), "In other data: Zea mays, WFP:51.");
  for (const target of ["/counties/1", `/markets/${uuidOf("market", 2)}`, `/products/${uuidOf("product", 2)}`]) {
    t.notMatch(await textOf(target), "In other data", target);
  }
});

t.test("where a source gives months, pages say the month of a price and tables as files its day", async (t) => {
  const recorded = "2026-04-15T06:00:00Z";
  const prices = [{ recordedAt: recorded }, { recordedAt: recorded, source: "Farm", market: 1 }];
  const monthly = buildStore(tinyDataset({ prices: prices.slice(0, 1), snapshot: { periods: { WFP: "month" } } }));
  const targetsOf = ["", "/data", `/products/${uuidOf("product", 1)}`, `/markets/${uuidOf("market", 1)}`];
  for (const target of targetsOf) {
    const text = textWithin(await nodesOf(monthly, target));
    t.match(text, /Prices to April 2026\./, target);
    // The windows of the moves and of the counties are days that are requested.
    if (target.startsWith("/markets") || target === "/data") t.notMatch(text, /15 Apr/, target);
  }
  const both = buildStore(tinyDataset({ prices, snapshot: { periods: { WFP: "month", Farm: "day" } } }));
  const farm = textWithin(await nodesOf(both, `/markets/${uuidOf("market", 2)}`));
  t.match(farm, /15 Apr 2026/);
});

t.test("a chart is a file that says what it shows, where it is from and which snapshot it is of", async (t) => {
  const store = buildStore(hostileDataset());
  const product = store.catalogue.products[0]?.record.uuid;
  const { text: page } = await answerOf(store, `/products/${product}?period=all`);
  const links = linksOf(parseMarkup(page, targets)).filter((link) => /chart=/.test(link));
  t.ok(links.some((link) => link.includes("chart=months")));
  for (const link of links) {
    const { status, type, text, fileName } = await answerOf(store, link);
    t.strictSame([status, type], [200, "image/svg+xml"]);
    t.match(fileName, /^[a-z-]+-\d{8}T\d{6}Z-[0-9a-f]{12}\.svg$/);
    const [svg] = parseMarkup(text) as [MarkupNode];
    t.equal(svg.attributes["xmlns"], "http://www.w3.org/2000/svg");
    t.match(textWithin([svg]), /Source: .*20\d{6}T\d{6}Z-/s);
    t.notMatch(text, /var\(|light-dark|href=/, "programs that show SVG know neither");
    if (link.includes("chart=counties")) t.match(textWithin([svg]), /© OpenStreetMap contributors/);
  }
  t.equal((await answerOf(store, `/products/${product}?chart=nothing`)).status, 400);
});

t.test("the foot of a page has its sources, a citation, and an address that keeps its days and snapshot", async (t) => {
  const prices = ["2024-12-10", "2025-01-15"].map((day) => ({ recordedAt: `${day}T09:00:00+03:00`, source: "WFP" }));
  const other = { product: 1, source: "Another", recordedAt: "2025-01-15T09:00:00+03:00" };
  const store = buildStore(
    tinyDataset({ products: [{ name: "Maize" }, { name: "Beans" }], prices: [...prices, other] }),
  );
  const path = `/products/${uuidOf("product", 1)}`;
  const nodes = await nodesOf(store, path);
  const foot = textWithin(findNodes(nodes, ({ name }) => name === "footer"));
  t.match(foot, "WFP");
  t.notMatch(foot, "Another", "the sources of this page only");
  t.match(foot, `snapshot ${store.snapshot.id}`);
  const [description] = findNodes(nodes, ({ attributes }) => attributes["property"] === "og:description");
  t.match(description?.attributes["content"], /^Maize, .*: 100\.00 KES a kg in January 2025 at 1 market/);
  t.match(foot, `Link with the number of this edition, ${store.snapshot.id}`);
  const files = findNodes(nodes, ({ attributes }) => /downloads/.test(attributes["href"] ?? ""));
  t.strictSame(
    files.map(({ attributes }) => attributes["href"]),
    [`/explore/downloads/${store.snapshot.id}/prices.csv.gz`, "/explore/data#downloads"],
  );
  const exact = linksOf(nodes).find((link) => /snapshot=/.test(link)) as string;
  t.match(exact, new RegExp(`from=2024-12&to=2025-01&snapshot=${store.snapshot.id}`));
  t.notMatch(textWithin(await nodesOf(store, exact)), "This address was made for snapshot");
  const later = buildStore(
    tinyDataset({ products: [{ name: "Maize" }], snapshot: { id: "20261121T083000Z-0123456789ab" }, prices }),
  );
  const moved = await nodesOf(later, exact);
  t.match(textWithin(moved), `made for snapshot ${store.snapshot.id}, which is not served here`);
  t.ok(findNodes(moved, ({ attributes }) => attributes["href"] === "/explore/data#downloads").length > 0);
});

t.test("a page of generated prices says so, a page of real ones beside them does not", async (t) => {
  const details = { title: "Random generator", url: null, licence: null, generated: null };
  const store = buildStore(
    tinyDataset({
      snapshot: { sources: { Made: { ...details, generated: true }, WFP: details } },
      products: [{ name: "Maize" }, { name: "Beans" }],
      prices: [{ source: "Made" }, { product: 1, source: "WFP" }],
    }),
  );
  const says = async (target: string): Promise<boolean> =>
    /Generated data.*None of them is real/.test(textWithin(await nodesOf(store, target)));
  const made = uuidOf("product", 1);
  for (const target of ["", "/data", `/compare?product=${made}`, "/counties/47", `/products/${made}`]) {
    t.ok(await says(target), target);
  }
  t.notOk(await says(`/products/${uuidOf("product", 2)}`));
});

t.test("the data page lists no type of market without a price", async (t) => {
  const store = buildStore(tinyDataset({ prices: [{}] }));
  const [section] = findNodes(
    await nodesOf(store, "/data"),
    ({ attributes }) => attributes["aria-labelledby"] === "types",
  );
  t.match(textWithin(section === undefined ? [] : [section]), /(?:wholesale|retail)1\s*What is not here\s*$/);
  t.notMatch(textWithin(section === undefined ? [] : [section]), /\b0\b/);
});
