import t from "tap";
import { programVersion } from "../../src/engine/files/program-version.ts";
import type { Instant } from "../../src/engine/model/calendar.ts";
import { startEndpoint } from "../support/ask-endpoint.ts";
import { valuesOf } from "../support/fields-of.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const name = "GET /dataset";

interface Body {
  data: Record<string, unknown>;
}

/** The next day in Nairobi, which citations name. */
const published = { id: "20261120T213000Z-0123456789ab", createdAt: Date.UTC(2026, 10, 20, 21, 30) as Instant };
const licence = { id: "CC BY 3.0 IGO", url: null };
const details = { title: "World Food Programme", url: "https://wfp.example/", licence };

t.test("says what the snapshot is, how to cite it and what it holds", async (t) => {
  const { ask } = await startEndpoint<Body>(t, name, {
    snapshot: {
      ...published,
      note: "The first",
      attribution: ["Prices: somebody, CC BY", "Places: somebody else"],
      sources: { WFP: { ...details, generated: null } },
      periods: { WFP: "month" },
    },
    prices: [
      { recordedAt: "2026-02-01T06:00:00Z" },
      { recordedAt: "2026-01-01T06:00:00Z", source: "KAMIS", currency: "USD" },
      { recordedAt: "2026-01-02T06:00:00Z", market: 1 },
      { recordedAt: "2026-01-03T06:00:00Z", market: 1, unit: "g" },
    ],
  });
  const { data } = await ask();
  t.match(data, {
    citation:
      "World Food Programme, https://wfp.example/, CC BY 3.0 IGO; KAMIS. Food prices in Kenya, " +
      "snapshot 20261120T213000Z-0123456789ab, published 2026-11-21, accessed <date>.",
    series_count: 4,
    first_recorded_at: "2026-01-01T06:00:00.000Z",
    silent_products: { count: 1, listed: [{ uuid: uuidOf("product", 2), name: "Kale", last_recorded_at: null }] },
    silent_markets: { count: 1, listed: [{ uuid: uuidOf("market", 3), type: "Wholesale", last_recorded_at: null }] },
    program_version: programVersion().version,
  });
  t.strictSame(data["sources"], [
    { source: "WFP", price_count: 3, last_recorded_at: "2026-02-01T06:00:00.000Z", period: "month", ...details },
    {
      ...{ source: "KAMIS", price_count: 1, last_recorded_at: "2026-01-01T06:00:00.000Z" },
      ...{ period: null, title: null, url: null, licence: null },
    },
  ]);
});

t.test("silent are products and markets without a price for 60 days, the first hundred listed", async (t) => {
  const markets = Array.from({ length: 105 }, (_, at) => ({ name: `Market ${at}` }));
  const { ask } = await startEndpoint<Body>(t, name, {
    markets,
    prices: [
      // 60 days before the newest day, by the clocks of Nairobi, and a minute less.
      { recordedAt: "2026-03-02T20:59:00Z" },
      { recordedAt: "2025-12-31T21:00:00Z", product: 1, market: 1 },
      { recordedAt: "2025-12-31T20:59:00Z", market: 2 },
      { recordedAt: "2025-12-31T20:59:00Z", product: 1, market: 2 },
      { recordedAt: "2025-11-30T06:00:00Z", market: 3 },
    ],
  });
  const { data } = await ask();
  t.strictSame(data["silent_products"], { count: 0, listed: [] });
  const silent = data["silent_markets"] as { count: number; listed: readonly { name: string }[] };
  t.equal(silent.count, 103);
  t.equal(silent.listed.length, 100);
  t.same(valuesOf(silent.listed.slice(0, 4), "name"), ["Market 2", "Market 3", "Market 10", "Market 100"]);
});

t.test("without prices the times are null; a price of 1970 has one", async (t) => {
  const { app, ask } = await startEndpoint<Body>(t, name);
  const nothing = { first_recorded_at: null, last_recorded_at: null, sources: [], currencies: [], series_count: 0 };
  t.match(await ask(), { data: nothing });
  app.swap(tinyDataset({ prices: [{ recordedAt: 0 as Instant }] }));
  const epoch = "1970-01-01T00:00:00.000Z";
  t.match(await ask(), { data: { first_recorded_at: epoch, last_recorded_at: epoch } });
});
