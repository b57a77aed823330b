/** Pages that are sent and quoted: their absolute addresses, pictures of charts, cards, and frames of other pages. */
import t, { type Test } from "tap";
import { keylessPerMinute } from "../../../src/contract/limits.ts";
import { type Instant, instantFromText, monthNumber, monthText } from "../../../src/engine/model/calendar.ts";
import type { AppDependencies, ReadCard } from "../../../src/service/http/app-dependencies.ts";
import { noCards, type ReceivedAnswer, type RunningApp, type SentHeaders, startApp } from "../../support/start-app.ts";
import { testLimits } from "../../support/test-limits.ts";
import { testPages } from "../../support/test-pages.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

const dataset = tinyDataset({
  products: [{ name: `Maize <b>"{link}"`, alternativeNames: ["Mahindi"] }],
  prices: ["2025-01-15", "2025-12-15", "2026-01-15"].map((day) => ({ recordedAt: `${day}T09:00:00+03:00` })),
});
const product = `/explore/products/${uuidOf("product", 1)}`;
const publicUrl = "https://prices.example.org";

function start(
  t: Test,
  { publicUrl, ...deps }: Partial<AppDependencies> = {},
  readCard: ReadCard = noCards,
): Promise<RunningApp> {
  const explorer = testPages({ publicUrl, listPublications: async () => [], readCard });
  return startApp(t, dataset, { deps: { ...deps, publicUrl, explorer } });
}

function get(app: RunningApp, path: string, headers: SentHeaders = {}): Promise<ReceivedAnswer> {
  return app.send({ method: "GET", path, headers });
}

/** Values of attributes of elements, by a pattern of what stands before them. */
function attributesOf(html: string, before: RegExp): string[] {
  return [...html.matchAll(new RegExp(`${before.source}="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replaceAll("&amp;", "&"),
  );
}

const pagePaths = [
  ...["/explore", product, `/explore/markets/${uuidOf("market", 1)}`, "/explore/counties/47"],
  ...["/explore/compare", "/explore/data", "/explore?q=maize"],
];

function unescaped(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">");
}

t.test("without a public address, no page and no document has an absolute address of the service", async (t) => {
  const app = await start(t);
  for (const path of [...pagePaths, "/openapi.json", "/docs", "/robots.txt", "/llms.txt"]) {
    const headers = { Host: "evil.example", "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example" };
    const { text, headers: sent } = await get(app, path, headers);
    t.notMatch(text, /rel="canonical"|og:url|og:image|evil\.example|<link rel="alternate" hreflang/, path);
    t.notMatch(JSON.stringify(sent), /evil/);
  }
  t.match((await get(app, "/openapi.json")).text, `"servers":[{"url":"/",`);
});

t.test(
  "search engines find each page in both languages, and are told so by pages, sitemap and robots.txt",
  async (t) => {
    const app = await start(t, { publicUrl });
    const { text: map, headers } = await get(app, "/sitemap.xml", { Host: "evil.example" });
    t.equal(headers["content-type"], "application/xml");
    const addresses = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) => address);
    t.equal(new Set(addresses).size, addresses.length);
    for (const path of ["/docs", "/docs/client", "/explore", "/sw/explore", product, `/sw${product}`]) {
      t.ok(addresses.includes(publicUrl + path), path);
    }
    const robots = (await get(app, "/robots.txt")).text;
    t.match(robots, `\nSitemap: ${publicUrl}/sitemap.xml\n`);
    const denied = [...robots.matchAll(/^Disallow: (.+)$/gm)].map(([, rule = ""]) => rule);
    for (const address of addresses) {
      t.ok(address.startsWith(`${publicUrl}/`) && !address.includes("?"), address);
      const path = address.slice(publicUrl.length);
      t.notOk(
        denied.some((rule) => path.startsWith(rule)),
        `robots may read ${path}`,
      );
      const { status, text } = await get(app, path);
      t.equal(status, 200, path);
      if (path.startsWith("/docs")) continue;
      t.strictSame(attributesOf(text, /<link rel="canonical" href/), [address]);
      const english = publicUrl + path.replace(/^\/sw/, "");
      const swahili = `${publicUrl}/sw${path.replace(/^\/sw/, "")}`;
      for (const [language, other] of [
        ["en", english],
        ["sw", swahili],
        ["x-default", english],
      ] as const) {
        t.match(text, `<link rel="alternate" hreflang="${language}" href="${other}">`);
        if (language !== "x-default")
          t.match(map, `<xhtml:link rel="alternate" hreflang="${language}" href="${other}"/>`);
      }
    }
    t.equal((await get(await start(t), "/sitemap.xml")).status, 404, "without a public address there is none");
  },
);

t.test("with one, the head of a page has its address and its card, which lead to what it shows", async (t) => {
  const app = await start(t, { publicUrl });
  for (const path of [...pagePaths, `${product}?type=Wholesale&period=1y&utm_source=x&snapshot=s0`]) {
    const { text } = await get(app, path, { Host: "evil.example" });
    t.notMatch(text, /evil/);
    const [canonical = ""] = attributesOf(text, /<link rel="canonical" href/);
    t.strictSame(attributesOf(text, /<meta property="og:url" content/), [canonical], path);
    const [image = ""] = attributesOf(text, /<meta property="og:image" content/);
    for (const address of [canonical, image]) {
      t.equal(new URL(address).origin, publicUrl, path);
      t.notMatch(address, /utm_source|snapshot=|evil/);
      const { status } = await get(app, address.slice(publicUrl.length));
      t.equal(status, 200, address);
    }
    t.match(new URL(canonical).searchParams.get("type") ?? "", /type/.test(path) ? "Wholesale" : "");
    const shown = await get(app, canonical.slice(publicUrl.length));
    t.strictSame(attributesOf(shown.text, /<link rel="canonical" href/), [canonical], "an address of its own");
    t.match((await get(app, image.slice(publicUrl.length))).headers["content-type"], /^image\/png$/);
  }
  for (const path of ["/explore/products/x", `${product}?type=x`]) {
    t.notMatch((await get(app, path)).text, /canonical|og:url|og:image/, "nobody is to share what is wrong");
  }
  t.match((await get(app, "/openapi.json")).text, `"servers":[{"url":"${publicUrl}",`);
  const other = await start(t, { publicUrl: "https://other.example.org" });
  for (const path of [product, "/openapi.json"]) {
    t.not((await get(app, path)).headers.etag, (await get(other, path)).headers.etag, "another text has another tag");
  }
});

t.test("a product, a county and the data have a feed of the newest months, each with its sentence", async (t) => {
  const created = "2026-05-01T08:00:00.000Z" as const;
  const months = Array.from({ length: 60 }, (_, at) => monthText(monthNumber("2026-03") - at));
  const many = tinyDataset({
    prices: months.flatMap((month, at) =>
      [40, 60].map((price) => ({
        price: price + at,
        recordedAt: `${month}-10T06:00:00Z`,
        createdAt: instantFromText(created) as Instant,
      })),
    ),
  });
  const publication = {
    ...{ id: "20260501T080000Z-0123456789ab", publishedAt: created, note: "A <note>", parent: null },
    ...{ rows: { prices: 120 }, replacedPrices: 2 },
  };
  const explorer = testPages({ publicUrl, listPublications: async () => [publication] });
  const app = await startApp(t, many, { deps: { publicUrl, explorer } });
  const path = product;
  for (const [language, prefix, month] of [
    ["en", "", "March 2026"],
    ["sw", "/sw", "Machi 2026"],
  ] as const) {
    const { text: page } = await get(app, prefix + path);
    const [address = ""] = attributesOf(page, /<link rel="alternate" type="application\/atom\+xml" title="[^"]*" href/);
    t.equal(address, `${publicUrl}${prefix}${path}?feed=1`);
    const { text, headers } = await get(app, address.slice(publicUrl.length));
    t.equal(headers["content-type"], "application/atom+xml; charset=utf-8");
    t.match(text, new RegExp(`^<\\?xml .*\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}" `));
    const entries = text.split("<entry>").slice(1);
    t.equal(entries.length, 50, "the newest fifty");
    t.match(entries[0], month);
    t.match(entries[0], /<summary>[^<]* 50\.00[^<]*<\/summary>/, "the median of 40 and 60");
    t.match(entries[1], / 51\.00/);
    t.match(entries[0], `<published>${created}</published>`, "since the first publication with it");
    t.match(entries[0], `<link rel="alternate" href="${prefix}${path}"/>`);
    t.match(text, ` xml:base="${publicUrl}/">`);
    t.equal(new Set(entries.map((entry) => /<id>(.*)<\/id>/.exec(entry)?.[1])).size, 50);
  }
  const county = (await get(app, "/explore/counties/47?feed=1")).text;
  t.equal(county.split("<entry>").length - 1, 50);
  t.match(county, /<summary>[^<]*March 2026: 1 product at 1 market \(2 prices\)\.<\/summary>/);
  t.match(
    (await get(app, "/explore/data?feed=1")).text,
    /<summary>Edition \S+: 120 prices\. A &lt;note&gt;<\/summary>/,
  );
  t.equal((await get(app, "/explore?feed=1")).status, 400, "a page without a feed");
  t.equal((await get(app, "/explore/products/x?feed=1")).status, 400);
});

t.test("a feed is there without a public address too, with the same ids, and its link is seen", async (t) => {
  const [known, alone] = [await start(t, { publicUrl }), await start(t)];
  const idsOf = async (app: RunningApp, path: string): Promise<string[]> =>
    [...(await get(app, path)).text.matchAll(/<id>(urn:uuid:[0-9a-f-]{36})<\/id>/g)].map(([, id = ""]) => id);
  for (const page of [product, `/sw${product}`, "/explore/counties/47", "/explore/data"]) {
    const { text } = await get(alone, page);
    const [link = ""] = attributesOf(text, /<p class="feed"><a href/);
    t.equal(link, `${page}?feed=1`);
    t.match(text, page.startsWith("/sw") ? ">Bei mpya: mlisho</a>" : ">New prices: feed</a>");
    const { status, text: feed } = await get(alone, link);
    t.equal(status, 200);
    t.notMatch(feed, /xml:base|https?:\/\/(?!www\.w3\.org)/);
    t.strictSame(await idsOf(alone, link), await idsOf(known, link));
  }
  const [, ...entries] = await idsOf(alone, `${product}?feed=1`);
  t.equal(entries.length, 3);
  t.strictSame((await idsOf(alone, `/sw${product}?feed=1`)).slice(1), entries, "in each language");
  t.strictSame((await idsOf(alone, `${product}?period=1y&view=prices&feed=1`)).slice(1), entries, "in each period");
  const ofCounty = await idsOf(alone, `${product}?county=47&feed=1`);
  t.notOk(
    ofCounty.some((id) => entries.includes(id)),
    "prices of a county are others",
  );
  t.notMatch((await get(alone, "/explore")).text, /feed=1/);
});

t.test("ids stay when a source and a product join, and differ where the data began with another product", async (t) => {
  const base = tinyDataset({ prices: [{}, { recordedAt: "2026-02-15T08:00:00.000Z" }] });
  const [first, ...others] = base.products as [(typeof base.products)[number], ...typeof base.products];
  const unknown = { title: null, url: null, licence: null, generated: null };
  const later = { ...base.snapshot, id: "20270101T080000Z-0123456789ab", sources: { Abacus: unknown } };
  const joined = { ...first, uuid: uuidOf("product", 900), createdAt: (first.createdAt + 1) as Instant };
  const older = { ...joined, createdAt: (first.createdAt - 1) as Instant };
  const idsOf = async (data: typeof base, path: string): Promise<readonly string[]> => {
    const explorer = testPages({ listPublications: async () => [] });
    const { text } = await get(await startApp(t, data, { deps: { explorer } }), `${path}?feed=1`);
    return [...text.matchAll(/<id>([^<]*)</g)].map(([, id = ""]) => id);
  };
  for (const path of [product, "/explore/counties/47"]) {
    const ids = await idsOf(base, path);
    t.equal(ids.length, 3);
    t.strictSame(await idsOf({ ...base, snapshot: later, products: [first, ...others, joined] }, path), ids);
    t.notOk((await idsOf({ ...base, products: [first, ...others, older] }, path)).some((id) => ids.includes(id)));
  }
});

t.test("an entry is dated by the first kept publication that can have its first price", async (t) => {
  const published = ["2026-06-01T08:00:00.000Z", "2026-04-01T08:00:00.000Z", "2026-02-01T08:00:00.000Z"] as const;
  const created = ["2026-01-20T08:00:00.000Z", "2026-03-15T08:00:00.000Z", "2026-05-02T08:00:00.000Z"] as const;
  const dated = tinyDataset({
    snapshot: { createdAt: instantFromText("2026-05-03T08:00:00.000Z") as Instant },
    prices: created.map((time) => ({
      recordedAt: time,
      createdAt: instantFromText(time) as Instant,
      updatedAt: instantFromText(time) as Instant,
    })),
  });
  const publication = { note: null, parent: null, rows: { prices: 3 }, replacedPrices: 0 };
  const listed = published.map((publishedAt, at) => ({
    ...publication,
    publishedAt,
    id: `2026060${at}T080000Z-0123456789ab`,
  }));
  for (const [snapshots, dates] of [
    [listed, ["2026-05-03T08:00:00.000Z", "2026-04-01T08:00:00.000Z", "2026-02-01T08:00:00.000Z"]],
    [null, Array.from({ length: 3 }, () => "2026-05-03T08:00:00.000Z")],
  ] as const) {
    const explorer = testPages({ listPublications: async () => snapshots });
    const app = await startApp(t, dated, { deps: { explorer } });
    const { text } = await get(app, `${product}?feed=1`);
    t.strictSame(
      [...text.matchAll(/<published>([^<]*)</g)].map(([, date]) => date),
      dates,
      "never by one after the served one",
    );
  }
});

t.test("a description is the sentence of its page, in its language", async (t) => {
  const app = await start(t);
  for (const [language, sentence] of [
    ["en", /^Maize .*, wholesale outside refugee camps: [\d.]+ KES a kg in January 2026 at 1 market/],
    ["sw", /^Mahindi .*, jumla nje ya kambi za wakimbizi: KES [\d.]+ kwa kilo mwezi wa Januari 2026 katika soko 1/],
  ] as const) {
    const { text } = await get(app, language === "sw" ? `/sw${product}` : product);
    const [description = ""] = attributesOf(text, /<meta name="description" content/);
    t.match(description, sentence);
    t.strictSame(attributesOf(text, /<meta property="og:description" content/), [description]);
  }
});

t.test("a card is a file of the served snapshot, and until it is made the general one", async (t) => {
  const read: string[] = [];
  const app = await start(t, { publicUrl }, async (served, name) => {
    read.push(`${served} ${name}`);
    const isGeneral = name.startsWith("sw");
    return { png: Buffer.from([0x89, 0x50, isGeneral ? 0 : 1]), isGeneral };
  });
  const maize = uuidOf("product", 1);
  const market = `/explore/markets/${uuidOf("market", 1)}`;
  const { id } = dataset.snapshot;
  for (const [page, name] of [
    [product, `en-${maize}-Wholesale-kenya.png`],
    [`${product}?period=1y&unit=kg`, `en-${maize}-Wholesale-kenya.png`],
    [`${product}?county=47`, `en-${maize}-Wholesale-county-47.png`],
    [`${product}?market=${uuidOf("market", 1)}`, `en-${maize}-Wholesale-kenya.png`],
    [market, `en-${maize}-Wholesale-kenya.png`],
    [`/sw${product}`, `sw-${maize}-Wholesale-kenya.png`],
    ["/explore/counties/47", "en-county-47.png"],
    ["/explore/counties/1", "all.png"],
    ["/explore", "all.png"],
    ["/explore/data", "all.png"],
  ] as const) {
    const { text } = await get(app, page);
    const [image = ""] = attributesOf(text, /<meta property="og:image" content/);
    t.equal(image, `${publicUrl}/explore/cards/${id}/${name}`, page);
    const [alternative = ""] = attributesOf(text, /<meta property="og:image:alt" content/);
    t.equal(alternative.startsWith("Prices of food"), name === "all.png", alternative);
    const card = await get(app, image.slice(publicUrl.length), { "Accept-Encoding": "gzip, br, zstd" });
    t.equal(read.at(-1), `${id} ${name}`);
    const isGeneral = name.startsWith("sw");
    t.strictSame([...card.bytes], [0x89, 0x50, isGeneral ? 0 : 1], "as it is, whatever the reader accepts");
    t.match(card.headers, {
      "content-type": "image/png",
      "content-encoding": undefined,
      "cache-control": isGeneral ? "public, max-age=60" : "public, max-age=86400",
    });
  }
  await get(app, "/explore/cards/20200101T000000Z-0123456789ab/en-county-47.png");
  t.equal(read.at(-1), `${id} en-county-47.png`, "a former address has the card of what is served");
  const count = read.length;
  for (const name of ["..%2Fx.png", "x", "en-county-47.svg", "%00.png", "list.txt"]) {
    t.equal((await get(app, `/explore/cards/${id}/${name}`)).status, 404, name);
  }
  t.equal(read.length, count, "no other name is read");
});

t.test("thirty readers of a card get it at once, and cards are under the limit of pages", async (t) => {
  const limits = testLimits(0);
  const app = await start(t, { publicUrl, rateLimits: limits.rateLimits });
  const path = `/explore/cards/${dataset.snapshot.id}/en-county-47.png`;
  const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await get(app, path)).status));
  t.ok(statuses.every((status) => status === 200));
  const others = await Promise.all(Array.from({ length: keylessPerMinute }, async () => (await get(app, path)).status));
  t.equal(others.filter((status) => status === 200).length, keylessPerMinute - 30);
  t.equal((await get(app, product)).status, 429);
});

t.test("a frame is a chart with source and link, and the only page that may be framed", async (t) => {
  for (const address of [publicUrl, undefined]) {
    const app = await start(t, { publicUrl: address });
    for (const [path, query] of [
      [product, "embed=1"],
      [product, "embed=1&chart=months"],
      [product, "embed=1&theme=dark"],
      [`/sw${product}`, "embed=1"],
    ] as const) {
      const { status, headers, text } = await get(app, `${path}?type=Wholesale&${query}`);
      t.equal(status, 200);
      t.match(headers["content-security-policy"], /frame-ancestors \*/);
      t.match(headers["content-security-policy"], /^default-src 'none'; .*form-action 'none'/);
      t.match(headers["content-security-policy"], /sandbox allow-popups allow-popups-to-escape-sandbox$/);
      t.equal(headers["content-disposition"], undefined);
      t.notMatch(text, /<script|<form|<button|<nav/);
      t.match(text, /<svg class="chart /);
      t.match(text, /(?:Source|Chanzo): /);
      t.match(text, /<base target="_blank">/);
      const [link = ""] = attributesOf(text, /<h1><a href/);
      t.match(link, `${address ?? ""}${path}?type=Wholesale`);
      t.notMatch(link, /embed|chart|theme/);
      const sheets = attributesOf(text, /<link rel="stylesheet" href/);
      t.equal(sheets.length, query.includes("theme") ? 2 : 1);
      for (const sheet of sheets) t.equal((await get(app, sheet)).status, 200, sheet);
    }
    for (const path of [...pagePaths, `${product}?embed=2`, `${product}?embed=1&chart=x`, `${product}?chart=months`]) {
      const { headers } = await get(app, path);
      t.match(headers["content-security-policy"], /^(?!.*sandbox).*frame-ancestors 'none'/, path);
    }
    t.equal((await get(app, `${product}?embed=2`)).status, 400);
    t.equal((await get(app, `${product}?embed=1&theme=blue`)).status, 400);
    t.equal((await get(app, "/explore/data?embed=1")).status, 400, "it has no chart");
  }
});

t.test("buttons copy a sentence with its source, the address of the view, and a frame", async (t) => {
  const app = await start(t, { publicUrl });
  const { text } = await get(app, `${product}?type=Wholesale&chart=&snapshot=s0`);
  const copied = attributesOf(text, /data-copy/).map(unescaped);
  t.match(copied[0], /^Maize .*KES a kg in January 2026 at 1 market.*\. Source: .*\. \{link\}$/);
  t.equal(copied[1], "{link}");
  t.match(copied[2], /^<iframe src="\{link\}" title="[^"]*" width="100%" height="\d+" style="[^"]*max-width: \d+px">/);
  const [ofSentence, ofLink, ofFrame] = attributesOf(text, /data-link/);
  t.equal(ofSentence, `${publicUrl}${product}?type=Wholesale#months`);
  t.equal(ofLink, ofSentence);
  t.equal(ofFrame, `${publicUrl}${product}?type=Wholesale&chart=months&embed=1`);
});
