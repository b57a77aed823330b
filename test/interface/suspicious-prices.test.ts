/** Suspicious prices in searches, latest prices, statistics and exports. */
import t from "tap";
import { endpointOf } from "../support/ask-endpoint.ts";
import { tuplesOf } from "../support/fields-of.ts";
import { startApp } from "../support/start-app.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

/** Seven months of wholesale prices, the fourth ten times too high and the sixth far too low, and a retail price. */
const dataset = tinyDataset({
  markets: [{ type: "Wholesale" }, { type: "Retail" }],
  prices: [
    ...[50, 52, 51, 500, 49, 8, 50, 52, 51, 50].map((price, month) => ({
      price,
      recordedAt: new Date(Date.UTC(2025, month, 15)).toISOString(),
    })),
    { price: 70, market: 1, recordedAt: "2025-04-20T06:00:00Z" },
  ],
});

const product = uuidOf("product", 1);

interface FoundPrice {
  readonly price: number;
  readonly suspicious?: boolean;
  readonly suspicious_reason?: string | null;
}

t.test("a search with detail says which prices are suspicious and why, and leaves them out or alone", async (t) => {
  const app = await startApp(t, dataset);
  const { ask: search } = endpointOf<{ data: FoundPrice[]; meta: object }>(t, app, "POST /prices/search");
  const { data } = await search({ detail: true });
  const marks = data.map((found) => [found.price, found.suspicious, found.suspicious_reason]);
  t.same(marks.length, 11);
  t.same(
    marks.filter(([, suspicious]) => suspicious),
    [
      [8, true, "far"],
      [500, true, "decimal_slip"],
    ],
  );
  t.ok(marks.every(([, suspicious, reason]) => suspicious === (reason !== null)));
  const pricesOf = async (body: object): Promise<number[]> => (await search(body)).data.map(({ price }) => price);
  t.same(await pricesOf({ suspicious: true }), [8, 500]);
  t.same(await pricesOf({ suspicious: false }), [50, 51, 52, 50, 49, 70, 51, 52, 50]);
  t.same(await pricesOf({ suspicious: true, start_date: "2025-05-01" }), [8]);
  t.same(await pricesOf({ suspicious: true, market_type: "Retail" }), []);
  t.same(await pricesOf({ suspicious: false, min_price: 52, price_flag: "actual" }), []);
  t.match(await search({ suspicious: false, page_size: 4, page: 3, product_uuid: product }), {
    data: [{ price: 50 }],
    meta: { total: 9, total_pages: 3 },
  });
});

t.test("latest prices have the marks with detail", async (t) => {
  const app = await startApp(t, dataset);
  const { ask } = endpointOf<{ data: { prices: FoundPrice[] }[] }>(t, app, "GET /prices/latest");
  const { data } = await ask("?detail=true&limit=5&market_type=Wholesale");
  t.same(tuplesOf(data[0]?.prices ?? [], "price", "suspicious_reason"), [
    [50, null],
    [51, null],
    [52, null],
    [50, null],
    [8, "far"],
  ]);
});

t.test("statistics count suspicious prices, and leave them out where asked to", async (t) => {
  const app = await startApp(t, dataset);
  const question = { product_uuid: product, start_date: "2025-04-01", end_date: "2025-06-30" };
  const { ask } = endpointOf(t, app, "POST /prices/statistics");
  const statistics = (body: object) => ask({ ...question, ...body });
  t.match(await statistics({}), {
    data: {
      statistics: [
        { period: "2025-04", max_price: 500, sample_count: 2 },
        { period: "2025-05", max_price: 49, sample_count: 1 },
        { period: "2025-06", min_price: 8, sample_count: 1 },
      ],
    },
    meta: { suspicious_samples: 2 },
  });
  t.match(await statistics({ suspicious: false }), {
    data: {
      statistics: [
        { period: "2025-04", max_price: 70, sample_count: 1 },
        { period: "2025-05", max_price: 49, sample_count: 1 },
      ],
      overall: { total_samples: 2 },
    },
    meta: { suspicious_samples: 0, market_types: { Wholesale: 1, Retail: 1 } },
  });
  t.match(await statistics({ suspicious: true, group_by: "market" }), {
    data: { statistics: [{ min_price: 8, max_price: 500, sample_count: 2 }] },
    meta: { suspicious_samples: 2, market_types: { Wholesale: 2 } },
  });
  t.match(await statistics({ market_type: "Retail" }), { meta: { suspicious_samples: 0 } });
  t.match(await statistics({ start_date: "2025-05-01" }), { meta: { suspicious_samples: 1 } });
});

t.test("exports have the marks as columns and the filter as a parameter", async (t) => {
  const app = await startApp(t, dataset);
  const rowsOf = async (path: string): Promise<Record<string, unknown>[]> => {
    const { status, text } = await app.signedGet(`/api/v1/exports/${path}`);
    t.equal(status, 200, path);
    return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Record<string, unknown>]));
  };
  const marked = (await rowsOf("prices.ndjson")).filter(({ suspicious }) => suspicious);
  t.same(
    marked.map((row) => [row["price"], row["suspicious_reason"]]),
    [
      [500, "decimal_slip"],
      [8, "far"],
    ],
  );
  t.equal((await rowsOf("prices.ndjson?suspicious=false")).length, 9);
  t.equal((await rowsOf("prices.ndjson?suspicious=true")).length, 2);
  const days = "start_date=2025-01-01&end_date=2025-12-31&group_by=market";
  t.match(await rowsOf(`statistics.ndjson?${days}`), [
    { sample_count: 10, suspicious_samples: 2 },
    { sample_count: 1, suspicious_samples: 2 },
  ]);
  t.match(await rowsOf(`statistics.ndjson?${days}&suspicious=false`), [
    { sample_count: 8, suspicious_samples: 0 },
    { sample_count: 1, suspicious_samples: 0 },
  ]);
});
