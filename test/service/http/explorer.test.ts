/** The pages for people over HTTP: where they are, their headers, their languages, and who gets how many. */
import t, { type Test } from "tap";
import type { Downloads } from "../../../src/contract/downloads.ts";
import { keylessPerMinute } from "../../../src/contract/limits.ts";
import type { Site } from "../../../src/contract/site-values.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { publicationReport } from "../../../src/publishing/publish/read-publication-report.ts";
import type { RateLimits } from "../../../src/service/http/admission/rate-limits.ts";
import { startPreview } from "../../../src/service/serve/preview.ts";
import { serviceParts } from "../../../src/service-parts.ts";
import { draftSite } from "../../../src/site/draft-site.ts";
import { reportPolicy } from "../../../src/site/report/render-report.ts";
import { site } from "../../../src/site/site.ts";
import { rawExchange } from "../../support/raw-exchange.ts";
import { type RunningApp, type SentHeaders, startApp } from "../../support/start-app.ts";
import { watchCache } from "../../support/start-cached.ts";
import { structuredDataOf, withoutStructuredData } from "../../support/structured-data.ts";
import { testLimits } from "../../support/test-limits.ts";
import { testPages } from "../../support/test-pages.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

const dataset = tinyDataset({
  products: [{ name: "Maize", alternativeNames: ["Mahindi"] }],
  prices: ["2025-01-15", "2026-01-15"].map((day) => ({ recordedAt: `${day}T09:00:00+03:00` })),
});
const product = `/explore/products/${uuidOf("product", 1)}`;

const publication = {
  ...{ id: "s1", publishedAt: "2026-01-01T00:00:00.000Z", parent: null },
  ...{ rows: { prices: 2 }, replacedPrices: 0 },
};

interface StartOptions {
  readonly rateLimits?: RateLimits;
  readonly answerCacheBytes?: number;
}

/** An app with the pages on its public port. */
function startPublic(t: Test, overrides: StartOptions = {}, notes: readonly string[] = ["first"]): Promise<RunningApp> {
  const downloads: Downloads = {
    list: async () => [
      {
        ...{ snapshot: "s1", published_at: "2026-01-01T00:00:00.000Z", note: null, state: "made", problem: null },
        files: [{ name: "a.csv", media_type: "text/csv", table: "prices", rows: 1, bytes: 3, sha256: "abc" }],
      },
    ],
    open: async (snapshot, name) =>
      snapshot === "s1" && name === "a.csv"
        ? {
            ...{ name, media_type: "text/csv", bytes: 3, sha256: "abc", published_at: publication.publishedAt },
            read: async () => Buffer.from("abc"),
            close: async () => {},
          }
        : snapshot === "s2"
          ? { state: "being_made", problem: null, retryAfterSeconds: 7 }
          : undefined,
  };
  const listPublications = async () => notes.map((note) => ({ ...publication, note }));
  return startApp(t, dataset, {
    deps: { ...overrides, downloads, explorer: testPages({ listPublications }) },
  });
}

function get(app: RunningApp, path: string, headers: SentHeaders = {}): ReturnType<RunningApp["send"]> {
  return app.send({ method: "GET", path, headers });
}

t.test("pages need no key, load nothing from elsewhere, and have a tag of the snapshot", async (t) => {
  const app = await startPublic(t);
  for (const path of [
    "/explore",
    product,
    `/explore/markets/${uuidOf("market", 1)}`,
    "/explore/counties/47",
    "/explore/compare",
    "/explore/data",
    "/explore/gaps",
  ]) {
    const { status, headers, text } = await get(app, path);
    t.equal(status, 200, path);
    t.match(headers["content-type"], /^text\/html/);
    const policy = String(headers["content-security-policy"]);
    t.notMatch(policy, /unsafe|https?:|\*/);
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "script-src 'self'"]) t.match(policy, part);
    t.notMatch(
      withoutStructuredData(text),
      /<script(?! src="\/explore\/explorer\.js)|<style| style="| on\w+="|https?:\/\//,
      path,
    );
    t.match(text, /^<!doctype html>\n<html lang="en">/);
    const again = await get(app, path, { "If-None-Match": String(headers["etag"]) });
    t.equal(again.status, 304, path);
    t.equal((await app.send({ method: "HEAD", path })).status, 200);
  }
  t.equal((await get(app, "/docs/gaps")).headers["location"], "/explore/gaps");
  const { text } = await get(app, "/explore/data");
  t.match(text, 'href="/explore/gaps"');
  t.match(structuredDataOf(text), [{ "@type": "Dataset", version: String }]);
  const before = (await get(app, product)).headers["etag"];
  app.swap(tinyDataset({ snapshot: { id: "20261121T083000Z-0123456789ab" }, prices: [{}] }));
  t.equal((await get(app, product, { "If-None-Match": String(before) })).status, 200, "another snapshot");
});

t.test("the form keeps a county in a cookie, which only leads from the start page to that county's", async (t) => {
  const app = await startPublic(t);
  const [form = ""] =
    /<form class="choices" action="\/explore">.*?<\/form>/s.exec((await get(app, "/explore")).text) ?? [];
  t.match(form, /<select name="county"><option value="" selected>all of Kenya<\/option>/);
  t.match(form, '<input type="hidden" name="keep" value="1">');
  const sent = await get(app, "/explore?county=47&keep=1&utm_source=x");
  t.match(sent, {
    status: 303,
    headers: {
      location: "/explore?county=47",
      "cache-control": "no-store",
      "set-cookie": ["county=47; Path=/; SameSite=Lax; Max-Age=31536000"],
    },
  });
  const ofCounty = await get(app, "/explore?county=47");
  t.equal(ofCounty.headers["set-cookie"], undefined, "a link sets nothing");
  t.match(ofCounty.text, "<h1>Food prices in Nairobi county</h1>");
  t.match(ofCounty.text, 'href="/explore?county=&amp;keep=1">Forget my county</a>');
  for (const [query = "", location] of [
    ["", "/explore?county=47"],
    ["?fbclid=x", "/explore?county=47"],
  ]) {
    const cookies = "theme=dark; county=47; mycounty=1";
    const led = await get(app, `/explore${query}`, { Cookie: cookies, "If-None-Match": "*" });
    t.match(led, { status: 303, headers: { location, "cache-control": "no-store" } }, query);
    t.equal(led.headers["set-cookie"], undefined);
    t.equal(led.text, "");
    t.equal((await app.send({ method: "HEAD", path: `/explore${query}`, headers: { Cookie: cookies } })).status, 303);
  }
  t.match(await get(app, "/sw/explore", { Cookie: "county=47" }), {
    status: 303,
    headers: { location: "/sw/explore?county=47" },
  });
  t.match((await get(app, "/sw/explore?county=47")).text, 'href="/sw/explore?county=&amp;keep=1"');
  t.match((await get(app, "/sw/explore?county=&keep=1")).headers, {
    location: "/sw/explore",
    "set-cookie": ["county=; Path=/; SameSite=Lax; Max-Age=0"],
  });
});

t.test("no page depends on a cookie, and a bad one is nothing", async (t) => {
  const app = await startPublic(t);
  const paths = [
    ...["/explore?county=47", "/explore?county=", "/explore?q=maize", "/explore?table=products", "/explore?snapshot=x"],
    ...["/explore?part=results&q=maize", "/explore/data", "/explore/compare", product, "/explore/counties/47"],
  ];
  const same = async (path: string, cookie: string): Promise<void> => {
    const [without, withOne] = [await get(app, path), await get(app, path, { Cookie: cookie })];
    t.match(
      [withOne.status, withOne.text, withOne.headers["etag"]],
      [200, without.text, without.headers["etag"]],
      path,
    );
    t.notMatch(withOne.headers["vary"], /cookie/i);
  };
  for (const path of paths) await same(path, "county=1");
  const values = [
    "",
    "0",
    "48",
    "99",
    "047",
    "4 7",
    "47x",
    "-1",
    "1e1",
    "%34%37",
    "Nairobi",
    "47\t,1",
    "9".repeat(3000),
  ];
  for (const value of values) await same("/explore", `county=${value}`);
  for (const cookie of ["county=47; county=1", "County=47", "xcounty=47", "county", ";;;", "=47"])
    await same("/explore", cookie);
  for (const query of ["county=99&keep=1", "county=x&keep=1", "county=1&county=2&keep=1"]) {
    const { status, headers } = await get(app, `/explore?${query}`);
    t.match([status, headers["set-cookie"]], [400, undefined], query);
  }
});

t.test("style and script are there under addresses that name their content", async (t) => {
  const app = await startPublic(t);
  const { text } = await get(app, "/explore");
  const paths = [...text.matchAll(/(?:href|src)="(\/explore\/[a-z.]+\?[0-9a-f]{12})"/g)].map(([, path = ""]) => path);
  t.equal(paths.length, 2);
  for (const path of paths) {
    const { status, headers } = await get(app, path);
    t.equal(status, 200);
    t.match(headers["cache-control"], /immutable/);
    t.match(headers["content-type"], path.includes(".css") ? /^text\/css/ : /^text\/javascript/);
  }
});

t.test("the language is that of the path alone, and each has a tag of its own", async (t) => {
  const app = await startPublic(t);
  const languageOf = async (path: string, accepted?: string): Promise<string | undefined> => {
    const { text } = await get(app, path, { "Accept-Language": accepted });
    return /<html lang="(\w+)">/.exec(text)?.[1];
  };
  for (const accepted of [undefined, "sw-KE,sw;q=0.9,en;q=0.8", "fr,de"]) {
    t.equal(await languageOf(product, accepted), "en");
    t.equal(await languageOf(`/sw${product}`, accepted), "sw");
  }
  const [english, swahili] = [await get(app, product), await get(app, `/sw${product}`)];
  t.not(english.headers["etag"], swahili.headers["etag"]);
  t.equal(english.headers["vary"], "Accept-Encoding");
  t.match(swahili.text, "Mahindi – Maize");
  for (const path of ["/sw/explore", "/sw/explore/data", "/sw/explore/compare", `/sw${product}`]) {
    const { status, text } = await get(app, path);
    t.equal(status, 200, path);
    t.match(text, `<a class="language" lang="en" hreflang="en" href="${path.slice(3)}">`);
    t.notMatch(text, "lang=sw");
    const targets = [...text.matchAll(/(?:href|action)="(\/[^"]*)"/g)].map(([, target = ""]) => target);
    // What is the same in every language has one address: files of the service, downloads, tables, English pages.
    const shared = /^\/explore\/(?:style\.css|explorer\.js|downloads\/)|[?;]table=|^\/docs/;
    const left = targets.filter((target) => !target.startsWith("/sw/") && !shared.test(target));
    t.strictSame(left, [path.slice(3)], `${path} leads to pages in its language`);
  }
  t.match((await get(app, "/sw/explore/products/nothing")).text, '<html lang="sw">');
  for (const path of ["/explore", "/sw/explore"]) {
    const { text, headers } = await get(app, `${path}/nothing`, { Accept: "text/html" });
    t.match(text, `href="${path}"`);
    t.match(text, `role="search" action="${path}"`, "the search is offered");
    t.match(headers["content-security-policy"], "form-action 'self'");
  }
  for (const path of ["/sw", "/sw/docs", "/sw/api/v1/counties", "/en/explore", "/sw/sw/explore", "/SW/explore"]) {
    t.equal((await get(app, path)).status, 404, path);
  }
});

t.test("former addresses lead to the path of their language, with all their other parameters", async (t) => {
  const app = await startPublic(t);
  for (const [path, location] of [
    [`${product}?lang=sw`, `/sw${product}`],
    [`${product}?lang=en`, product],
    [`${product}?period=all&lang=sw&county=47&utm_source=x`, `/sw${product}?period=all&county=47&utm_source=x`],
    ["/explore/compare?series=a&lang=sw&series=b", "/sw/explore/compare?series=a&series=b"],
    ["/explore?lang=sw&county=47&keep=1", "/sw/explore?county=47&keep=1"],
    [`${product}?lang=sw&table=months`, `/sw${product}?table=months`],
    [`${product}?chart=months&lang=sw`, `/sw${product}?chart=months`],
    [`${product}?lang=`, product],
    [`/sw${product}?lang=fr`, `/sw${product}`],
    [`/sw${product}?lang=en&q=a%20%26b`, `${product}?q=a+%26b`],
    ["/explore/counties/47?lang=sw", "/sw/explore/counties/47"],
    ["/explore/markets/x?lang=sw&lang=en", "/sw/explore/markets/x"],
  ] as const) {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers, text } = await app.send({ method, path });
      t.strictSame([status, headers.location, text], [303, location, ""], path);
    }
  }
  t.equal(
    (await get(app, `/sw${product}?table=months`)).text,
    (await get(app, `${product}?table=months`)).text,
    "a table is the same in every language",
  );
});

t.test("tables are files, problems are pages with their status, and what is no page is an error", async (t) => {
  const app = await startPublic(t);
  const { headers, text } = await get(app, `${product}?table=months&period=all`);
  t.match(headers["content-disposition"], /^attachment; filename="months-\d{8}T/);
  t.match(
    text,
    /^product_uuid,product,unit,currency,group_by,period,[^\r]*\r\n[-\w]+,[^,]+,kg,KES,month,2025-01,,,,,100,100,/,
  );
  for (const [path, status, code] of [
    [`${product}?period=2y`, 400, "VALIDATION_ERROR"],
    [`/explore/products/${uuidOf("market", 1)}`, 404, "NOT_FOUND"],
  ] as const) {
    const answer = await get(app, path);
    t.equal(answer.status, status, path);
    t.match(answer.headers["content-type"], /^text\/html/);
    t.equal(answer.headers["etag"], undefined);
    t.match(await app.logLineOf(String(answer.headers["x-request-id"])), { status, code });
  }
  t.match((await get(app, "/explore/nowhere")).body, { code: "NOT_FOUND" });
  t.equal((await app.send({ method: "POST", path: "/explore" })).status, 405);
});

t.test("the data page has the publications and their files, which need no key either", async (t) => {
  const app = await startPublic(t);
  const { text, headers } = await get(app, "/explore/data");
  t.match(text, 'href="/explore/downloads/s1/a.csv"');
  t.match(text, "first");
  t.not(headers["etag"], undefined);
  const file = await get(app, "/explore/downloads/s1/a.csv");
  t.strictSame([file.status, file.text], [200, "abc"]);
  t.equal((await get(app, "/explore/downloads/s1/b.csv")).status, 404);
  t.match(await get(app, "/explore/downloads/s2/a.csv"), { status: 503, headers: { "retry-after": "7" } });
});

t.test("the data page is kept while publications and files are the same", async (t) => {
  const searches = watchCache(t);
  const notes = ["first"];
  const app = await startPublic(t, { answerCacheBytes: 2 ** 20 }, notes);
  const first = await get(app, "/explore/data");
  t.equal((await get(app, "/explore/data")).text, first.text);
  t.strictSame(searches, [false, true]);
  notes.push("second");
  const second = await get(app, "/explore/data", { "If-None-Match": String(first.headers["etag"]) });
  t.equal(second.status, 200);
  t.match(second.text, "second");
  t.strictSame(searches, [false, true, false]);
  app.swap(tinyDataset({ snapshot: { id: "20261121T083000Z-0123456789ab" }, prices: [{}] }));
  t.not((await get(app, "/explore/data")).text, second.text);
});

t.test("what a page does not read is in no link, and changes neither tag nor kept page", async (t) => {
  const searches = watchCache(t);
  const app = await startPublic(t, { answerCacheBytes: 2 ** 20 });
  const plain = await get(app, `${product}?period=1y`);
  for (const query of ["?fbclid=abc&period=1y", "?period=1y&unit=&q=maize", `?period=1y&x=${"x".repeat(5000)}`]) {
    const other = await get(app, product + query);
    t.equal(other.text, plain.text, query.slice(0, 30));
    t.equal(other.headers["etag"], plain.headers["etag"]);
  }
  t.strictSame(searches, [false, true, true, true]);
  t.not((await get(app, product)).headers["etag"], plain.headers["etag"]);
});

t.test("however many pages are kept, answers to those with keys stay", async (t) => {
  const searches = watchCache(t);
  const app = await startPublic(t, { answerCacheBytes: 2 ** 19 });
  const ask = () => app.get("/api/v1/products");
  await ask();
  for (let year = 1900; year < 2000; year++) await get(app, `${product}?from=${year}-01&to=2026-01`);
  await get(app, `${product}?from=1999-01&to=2026-01`);
  await get(app, `${product}?from=1900-01&to=2026-01`);
  t.strictSame(searches.slice(-2), [true, false], "the oldest pages are dropped");
  await ask();
  t.equal(searches.at(-1), true);
});

t.test("kept pages are limited by address as well", async (t) => {
  const { rateLimits, pass } = testLimits(0);
  const app = await startPublic(t, { rateLimits, answerCacheBytes: 2 ** 20 });
  const first = await get(app, product);
  for (let asked = 1; asked < keylessPerMinute; asked++) {
    const { text } = await get(app, product);
    if (text !== first.text) t.fail("a kept page is another one");
  }
  t.equal((await get(app, product)).status, 429);
  t.equal((await get(app, "/explore/nothing.css")).status, 429);
  pass(60);
  t.equal((await get(app, product)).status, 200);
});

t.test("the address of the service leads to the pages where they are public", async (t) => {
  const app = await startPublic(t);
  t.equal((await get(app, "/")).headers["location"], "/explore");
  const without = await startApp(t, dataset);
  t.equal((await get(without, "/explore")).status, 404);
});

/** A preview of a store, which reports no failure. @returns Its address. */
async function preview(t: Test, store: Store, ofSite: Site): Promise<URL> {
  const onFailure = (_fields: object, message: string): void => void t.fail(message);
  const at = { dataDirectory: t.testdir(), port: 0 };
  const { url, stop } = await startPreview({ ...serviceParts, ...at, store, site: ofSite, onFailure });
  t.teardown(stop);
  return new URL(url);
}

t.test("each page over a draft says so, compares it with what is served, and leads to its report", async (t) => {
  const served = buildStore(dataset);
  const drafted = tinyDataset({
    products: [{ name: "Maize", alternativeNames: ["Mahindi"] }],
    snapshot: { id: "20261120T083000Z-1f2e3d4c5b6a" },
    prices: [
      { recordedAt: "2025-01-15T09:00:00+03:00", price: 41 },
      { recordedAt: "2026-01-15T09:00:00+03:00" },
      // Products whose latest price moves far are in the report.
      ...["2026-02-15", "2026-03-15", "2026-04-15"].map((day) => ({ recordedAt: `${day}T09:00:00+03:00`, price: 150 })),
    ],
  });
  const store = buildStore(drafted);
  const { origin } = await preview(t, store, draftSite(publicationReport(store, served, "")));
  const textOf = async (path: string): Promise<string> => (await fetch(origin + path)).text();
  const [market] = drafted.markets;
  for (const path of [
    ...["/explore", "/explore?q=maize", "/explore/data", "/explore/compare", `/explore/markets/${market?.uuid}`],
    ...["/explore/counties/47", "/explore/products/nothing", "/explore/data?table=nothing", product],
  ]) {
    const english = await textOf(path);
    t.match(english, "<title>Draft, not published · ", path);
    t.match(english, `Compared with ${served.snapshot.id}: 3 prices added, 1 corrected, 0 removed; `, path);
    t.match(english, 'href="/explore/draft"', path);
    t.notMatch(english, "Cite as", path);
    const swahili = await textOf(`/sw${path}`);
    t.match(swahili, "<title>Rasimu, haijachapishwa · ", path);
    const changes = "bei 3 zimeongezwa, 1 imesahihishwa, 0 zimeondolewa";
    t.match(swahili, `Ikilinganishwa na ${served.snapshot.id}: ${changes}; `, path);
    if (path.includes("/markets/")) t.match(swahili, `: ${changes}.`);
  }
  t.match(await textOf(product), "Maize: 3 prices added, 1 corrected, 0 removed.");
  const chart = await fetch(`${origin}${product}?chart=months`);
  t.match(chart.headers.get("content-disposition"), /filename="draft-months-/);
  t.match(await chart.text(), "Draft, not published");
  const report = await fetch(`${origin}/explore/draft`);
  t.equal(report.status, 200);
  t.equal(report.headers.get("cache-control"), "no-store");
  t.equal(report.headers.get("content-security-policy"), reportPolicy);
  const page = await report.text();
  t.match(page, `Report on draft ${store.snapshot.id}`);
  t.match(page, `<a href="${product}">Maize</a>`, "its products lead to the pages of the draft");
  t.equal((await fetch(`${origin}/explore/draft`, { headers: { Origin: "http://evil.example" } })).status, 403);
});

t.test("a draft with nothing to compare with says so, and pages of published data say nothing of drafts", async (t) => {
  const store = buildStore(dataset);
  const ofDraft = draftSite(publicationReport(store, undefined, "It is the first."));
  const text = await (await fetch(await preview(t, store, ofDraft))).text();
  t.match(text, "There is no snapshot to compare it with: 2 prices added; 2 warnings.");
  const published = await preview(t, store, site);
  t.notMatch(await (await fetch(published)).text(), /[Dd]raft/);
  t.equal((await fetch(`${published.origin}/explore/draft`)).status, 404);
});

t.test("a preview shows a store on loopback alone, and nothing that it answers may be kept", async (t) => {
  const store = buildStore(dataset);
  const { origin, port } = await preview(t, store, site);
  const page = await fetch(origin + product);
  t.equal(page.status, 200);
  t.equal(page.headers.get("cache-control"), "no-store");
  t.match(await page.text(), "Maize");
  t.equal((await fetch(`${origin}/explore/data`)).status, 200);
  t.equal((await fetch(origin + product, { headers: { Origin: "http://evil.example" } })).status, 403);
  const { answers } = await rawExchange(Number(port), `GET ${product} HTTP/1.1\r\nHost: evil.example\r\n\r\n`);
  t.equal(answers[0]?.status, 403, "another name of this machine");
  t.equal((await fetch(`${origin}/api/v1/counties`)).status, 401);
});
