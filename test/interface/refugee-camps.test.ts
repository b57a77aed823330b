/** The parameter `refugee_camps`, and changes with the markets that they are of, over HTTP. */
import { parse } from "csv-parse/sync";
import t, { type Test } from "tap";
import { endpointOf } from "../support/ask-endpoint.ts";
import { type RunningApp, startApp } from "../support/start-app.ts";
import { type TinyPrice, tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const prefix = "/api/v1";
const product = uuidOf("product", 1);
const populations = ["include", "exclude", "only"] as const;

/** Three camps, whose prices fall by half in a year, and three other markets, whose prices rise by a tenth. */
const dataset = tinyDataset({
  products: [{}],
  markets: [true, false, true, false, true, false].map((isCamp, at) => {
    return { name: `Soko ${6 - at}`, type: "Retail", setting: isCamp ? "refugee_camp" : null } as const;
  }),
  prices: ["2025-03", "2025-12", "2026-03"].flatMap((month, at) =>
    [0, 1, 2, 3, 4, 5].map((market): Partial<TinyPrice> => {
      const factor = market % 2 === 0 ? [1, 0.8, 0.5] : [1, 1.05, 1.1];
      return { market, price: (100 + 10 * market) * (factor[at] as number), recordedAt: `${month}-15T09:00:00+03:00` };
    }),
  ),
});

type Row = Readonly<Record<string, unknown>>;
interface Body {
  readonly data: readonly Row[];
  readonly meta: Row;
}

function get(t: Test, app: RunningApp, path: string): Promise<Body> {
  const [endpoint = "", query] = path.split("?");
  return endpointOf<Body>(t, app, `GET ${endpoint}`).ask(query === undefined ? "" : `?${query}`);
}

function change(entry: Row | undefined, name: string): Row {
  return entry?.[name] as Row;
}

t.test("without the parameter anomalies of a county and the country, index and seasons leave camps out", async (t) => {
  const app = await startApp(t, dataset);
  for (const level of ["county", "country"]) {
    const [byDefault, excluded] = await Promise.all(
      ["", "&refugee_camps=exclude"].map((query) => get(t, app, `/prices/anomalies?level=${level}${query}`)),
    );
    t.strictSame(byDefault, excluded, level);
    t.match(byDefault?.meta, { method: "anomalies-3", refugee_camps: "exclude", refugee_camp_series_left_out: 1 });
  }
  const markets = await get(t, app, "/prices/anomalies");
  t.match(markets.meta, { refugee_camps: "include", refugee_camp_series_left_out: 0, total: 6 });
  const index = `/prices/index?product_uuid=${product}&market_type=Retail`;
  t.match((await get(t, app, index)).meta, { refugee_camps: "exclude", refugee_camp_series_left_out: 1 });
  const elsewhere = await get(t, app, `${index}&start_month=2025-04&end_month=2025-05`);
  t.match(elsewhere.meta, { refugee_camp_series_left_out: 0 }, "months without a price of camps");
  const season = `/prices/seasonality?product_uuid=${product}`;
  t.match((await get(t, app, `${season}&market_type=Retail`)).meta, {
    ...{ method: "anomalies-3", refugee_camps: "exclude", refugee_camp_series_left_out: 1 },
  });
  const ofMarket = await get(t, app, `${season}&market_uuid=${uuidOf("market", 1)}`);
  t.match(ofMarket.meta, { refugee_camps: "include", refugee_camp_series_left_out: 0 });
});

t.test("a change is the median of the markets of the population", async (t) => {
  const app = await startApp(t, dataset);
  const percents = { include: -20, exclude: 10, only: -50 };
  for (const name of populations) {
    const { data, meta } = await get(t, app, `/prices/anomalies?level=country&refugee_camps=${name}`);
    const [entry] = data;
    t.match(meta, { refugee_camps: name, refugee_camp_series_left_out: name === "exclude" ? 1 : 0 });
    const isBoth = name === "include";
    t.match(entry, { markets: isBoth ? 6 : 3, refugee_camp_markets: name === "exclude" ? 0 : 3 });
    t.strictSame(change(entry, "year_before"), {
      month: "2025-03",
      change_percent: percents[name],
      change_percent_min: isBoth ? -50 : percents[name],
      change_percent_max: isBoth ? 10 : percents[name],
      matched_markets: isBoth ? 6 : 3,
    });
    t.match(change(entry, "previous"), { month: "2025-12", matched_markets: isBoth ? 6 : 3 });
  }
  const sorted = await get(t, app, "/prices/anomalies?sort=previous&direction=asc");
  const previous = sorted.data.map((entry) => change(entry, "previous")["change_percent"]);
  t.strictSame(previous, [-37.5, -37.5, -37.5, 4.761905, 4.761905, 4.761905]);
});

t.test("detail names the markets of changes of at most four, by name", async (t) => {
  const app = await startApp(t, dataset);
  const path = "/prices/anomalies?level=country&refugee_camps=";
  const [entry] = (await get(t, app, `${path}only&detail=true`)).data;
  const matched = [4, 2, 0].map((at) => ({
    market: { uuid: uuidOf("market", at + 1), name: `Soko ${6 - at}` },
    change_percent: -50,
  }));
  t.strictSame(change(entry, "year_before")["matched"], matched);
  t.equal((change(entry, "previous")["matched"] as object[]).length, 3);
  const [ofSix] = (await get(t, app, `${path}include&detail=true`)).data;
  t.notOk("matched" in change(ofSix, "year_before"));
  const [plain] = (await get(t, app, `${path}only`)).data;
  t.notOk("matched" in change(plain, "year_before"));
  const [ofMarket] = (await get(t, app, "/prices/anomalies?detail=true")).data;
  t.strictSame(Object.keys(change(ofMarket, "year_before")), ["month", "median_price", "change_percent"]);
});

t.test("a population that leaves nothing is answered empty, without a 400", async (t) => {
  const app = await startApp(t, dataset);
  const camp = uuidOf("market", 1);
  t.strictSame((await get(t, app, `/prices/anomalies?market_uuid=${camp}&refugee_camps=exclude`)).data, []);
  t.strictSame((await get(t, app, `/prices/series?market_uuid=${camp}&refugee_camps=exclude`)).data, []);
  t.strictSame((await get(t, app, `/prices/latest?market_uuid=${camp}&refugee_camps=exclude`)).data, []);
  const season = `/prices/seasonality?product_uuid=${product}&market_uuid=${camp}&refugee_camps=exclude`;
  const { data, meta } = await get(t, app, season);
  t.match(data, { months: null, first_month: null, not_computable: [{ reason: "NO_PRICE", found: 0, needed: 1 }] });
  t.match(meta, { refugee_camp_series_left_out: 1 });
  const withoutCamps = await startApp(t, tinyDataset({ prices: [{}] }));
  for (const level of ["market", "county", "country"]) {
    const answer = await get(t, withoutCamps, `/prices/anomalies?level=${level}&refugee_camps=only`);
    t.strictSame(answer.data, []);
  }
  const index = `/prices/index?product_uuid=${product}&market_type=Wholesale&refugee_camps=only`;
  t.strictSame((await get(t, withoutCamps, index)).data, []);
});

t.test("answers name the population of their prices where it was asked for, statistics always", async (t) => {
  const app = await startApp(t, dataset);
  const post = (path: string, body: object) => endpointOf<Row>(t, app, `POST ${path}`).ask(body);
  const days = { product_uuid: product, start_date: "2025-01-01", end_date: "2026-12-31" };
  for (const refugee_camps of populations) {
    const camps = refugee_camps === "exclude" ? 0 : 3;
    t.match((await post("/prices/search", { refugee_camps }))["meta"], { refugee_camps });
    t.match((await get(t, app, `/prices/latest?refugee_camps=${refugee_camps}`)).meta, { refugee_camps });
    t.match((await get(t, app, `/prices/series?refugee_camps=${refugee_camps}`)).meta, { refugee_camps });
    for (const suspicious of [true, false]) {
      const body = { ...days, refugee_camps, group_by: "year", detail: true, ...(suspicious ? {} : { suspicious }) };
      t.match(await post("/prices/statistics", body), {
        data: { statistics: [{ markets: refugee_camps === "include" ? 6 : 3, refugee_camp_markets: camps }] },
        meta: { refugee_camps, refugee_camp_samples: 3 * camps },
      });
    }
  }
  const plain = await post("/prices/search", {});
  t.notOk("refugee_camps" in (plain["meta"] as object), "the answer that is specified");
  t.strictSame(Object.keys(await get(t, app, "/prices/latest")), ["data"]);
  t.match((await post("/prices/statistics", days))["meta"], { refugee_camps: "include", refugee_camp_samples: 9 });
});

t.test(
  "exports take the parameter; those of index, anomalies and statistics say it in their last column",
  async (t) => {
    const app = await startApp(t, dataset);
    const rowsOf = async (path: string): Promise<Record<string, string>[]> =>
      parse((await app.signedGet(`${prefix}/exports/${path}`)).text, { columns: true });
    for (const path of ["index.csv?", "anomalies.csv?level=country", "statistics.csv?"]) {
      for (const name of populations) {
        const rows = await rowsOf(`${path}&refugee_camps=${name}`);
        t.ok(rows.length > 0, `${path} ${name}`);
        for (const row of rows) {
          t.strictSame(Object.entries(row).at(-1), ["refugee_camps", name]);
          t.equal(row["refugee_camp_markets"], name === "exclude" ? "0" : "3");
        }
      }
      const byDefault = path.startsWith("statistics") ? "include" : "exclude";
      t.strictSame(await rowsOf(path), await rowsOf(`${path}&refugee_camps=${byDefault}`));
    }
    t.equal((await rowsOf("prices.csv?refugee_camps=only")).length, 9);
    t.equal((await rowsOf("series.csv?refugee_camps=exclude")).length, 3);
    const [, ...panel] = await rowsOf("statistics.csv?group_by=month,market&refugee_camps=only");
    t.strictSame(new Set(panel.map(({ market }) => market)), new Set(["Soko 6", "Soko 4", "Soko 2"]));
  },
);
