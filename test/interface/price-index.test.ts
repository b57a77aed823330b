/** `GET /prices/index` and its exports over HTTP; test/engine/query/measures has the fit. */
import t, { type Test } from "tap";
import { endpointOf, startEndpoint } from "../support/ask-endpoint.ts";
import { tuplesOf, valuesOf } from "../support/fields-of.ts";
import { type RunningApp, startApp } from "../support/start-app.ts";
import { pricesAt, tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const name = "GET /prices/index";
const maize = uuidOf("product", 1);
const question = `product_uuid=${maize}&market_type=Retail`;

interface Body {
  readonly data: readonly {
    readonly month: string;
    readonly comparable_price: number;
    readonly index: number | null;
    readonly median_price: number;
    readonly markets: number;
    readonly sample_count: number;
    readonly component: number;
  }[];
  readonly meta: {
    readonly unit: string;
    readonly currency: string | null;
    readonly market_count: number;
    readonly residual_deviation_percent: number | null;
    readonly months_without_rate: number;
  };
}

function ask(t: Test, app: RunningApp, query: string): Promise<Body> {
  return endpointOf<Body>(t, app, name).ask(`?${question}${query}`);
}

const retail = Array.from(
  { length: 4 },
  (_, at) => ({ type: "Retail", countyId: at === 3 ? 1 : 47 }) as const,
) as never;

/** Three markets, of which the last alone has two months long before; and a wholesale one in the last place. */
function exampleDataset() {
  return tinyDataset({
    products: [{}, {}],
    markets: [...(retail as object[]), { type: "Wholesale" }],
    exchangeRates: [
      { month: "2026-01", currency: "KES", rate: 100, source: "Bank" },
      { month: "2026-02", currency: "KES", rate: 125, source: "Bank" },
    ],
    prices: [
      ...pricesAt(
        { "2026-01": 40, "2026-02": 50, "2026-03": 60 },
        { "2026-02": 100, "2026-03": 110 },
        {},
        { "2020-05": 7, "2020-06": 14 },
      ),
      { market: 4, price: 999, recordedAt: "2026-01-15T09:00:00+03:00" },
    ],
  });
}

t.test("the whole answer, worked out by hand", async (t) => {
  const app = await startApp(t, exampleDataset());
  const { data, meta } = await ask(t, app, "&base=2026-01&start_month=2026-01");
  t.match(meta, {
    method: "comparable-1",
    suspicious_rule: "suspicious-2",
    unit: "kg",
    currency: "KES",
    market_count: 3,
    // The residuals of market A and B in February and March are ±ln(12 / 11) / 4, and one degree is free.
    residual_deviation_percent: Math.round(1e8 * Math.expm1(Math.log(12 / 11) / 2)) / 1e6,
    months_without_rate: 0,
  });
  // From February to March both rise by the geometric mean of 1.2 and 1.1; the level keeps the mean of the logarithms.
  const rise = Math.sqrt(1.2 * 1.1);
  const rows = data.map((row) => [row.month, row.median_price, row.markets, row.sample_count, row.component]);
  t.strictSame(rows, [
    ["2026-01", 40, 1, 1, 1],
    ["2026-02", 75, 2, 2, 1],
    ["2026-03", 85, 2, 2, 1],
  ]);
  const indexes = data.map(({ index }) => index as number);
  t.equal(indexes[0], 100);
  t.ok(Math.abs((indexes[2] as number) / (indexes[1] as number) - rise) < 1e-6);
  // As the guide has it.
  t.equal(Math.round((indexes[1] as number) * 100) / 100, 127.75);
  const logs = data.map(({ comparable_price }) => Math.log(comparable_price));
  const mean = ((logs[0] as number) + 2 * (logs[1] as number) + 2 * (logs[2] as number)) / 5;
  t.ok(Math.abs(mean - Math.log(40 * 50 * 60 * 100 * 110) / 5) < 1e-6, `${mean}`);
});

t.test("what lies in another component has no index, and a base outside the months asked for counts", async (t) => {
  const app = await startApp(t, exampleDataset());
  const { data } = await ask(t, app, "&base=2026-02&end_month=2026-01");
  t.strictSame(
    data.map(({ month, component, index }) => [month, component, index === null]),
    [
      ["2020-05", 2, true],
      ["2020-06", 2, true],
      ["2026-01", 1, false],
    ],
  );
  t.strictSame(valuesOf(data.slice(0, 2), "comparable_price"), [7, 14], "a market alone is its own price");
  const other = await ask(t, app, "&base=2020-05");
  t.strictSame(valuesOf(other.data, "index"), [100, 200, null, null, null]);
  t.ok(
    (await ask(t, app, "")).data.every(({ index }) => index === null),
    "without a base",
  );
});

t.test("a county is fitted alone; markets of other types and counties do not count", async (t) => {
  const app = await startApp(t, exampleDataset());
  const { data, meta } = await ask(t, app, "&county_id=1");
  t.strictSame(tuplesOf(data, "month", "comparable_price", "component"), [
    ["2020-05", 7, 1],
    ["2020-06", 14, 1],
  ]);
  t.match(meta, { market_count: 1, residual_deviation_percent: null });
});

t.test("another unit multiplies, and dollars divide each month by its rate after the fit", async (t) => {
  const app = await startApp(t, exampleDataset());
  const inKilograms = await ask(t, app, "&base=2026-01");
  const perBag = await ask(t, app, "&base=2026-01&unit=90%20kg%20bag");
  t.equal(perBag.meta.unit, "90 kg bag");
  for (const [at, { comparable_price, median_price, index }] of perBag.data.entries()) {
    const own = inKilograms.data[at] as Body["data"][number];
    t.ok(Math.abs(comparable_price - 90 * own.comparable_price) < 1e-4);
    t.equal(median_price, 90 * own.median_price);
    t.equal(index, own.index);
  }
  const inDollars = await ask(t, app, "&base=2026-01&currency=USD");
  t.match(inDollars.meta, {
    currency: "USD",
    months_without_rate: 3,
    market_count: 3,
    residual_deviation_percent: inKilograms.meta.residual_deviation_percent,
  });
  const [, , january, february] = inKilograms.data as [never, never, Body["data"][number], Body["data"][number]];
  t.equal(inDollars.data.length, 2);
  t.ok(Math.abs((inDollars.data[0]?.comparable_price as number) - january.comparable_price / 100) < 1e-6);
  t.ok(Math.abs((inDollars.data[1]?.index as number) - ((february.index as number) * 100) / 125) < 1e-5);
  t.equal(inDollars.data[1]?.median_price, 75 / 125);
  const ofMonths = await ask(t, app, "&currency=USD&start_month=2026-03");
  t.match([ofMonths.data.length, ofMonths.meta.months_without_rate], [0, 1], "of the months asked for");
});

t.test("wrong questions are refused, each with its field", async (t) => {
  const app = await startApp(t, exampleDataset());
  const { miss, refuseAll } = endpointOf<Body>(t, app, name);
  await refuseAll([
    ["?market_type=Retail", "product_uuid"],
    [`?product_uuid=${maize}`, "market_type"],
    [`?${question}&start_month=2026-02&end_month=2026-01`, "start_month"],
    [`?${question}&base=2026-04`, "base"],
    [`?${question}&base=2026-01&county_id=1`, "base"],
    [`?${question}&base=2026-03&currency=USD`, "base"],
    [`?${question}&unit=litre`, "unit"],
    [`?${question}&unit=nothing`, "unit"],
    [`?${question}&currency=EUR`, "currency"],
  ]);
  await miss(`?product_uuid=${uuidOf("product", 9)}&market_type=Retail`);
  const { data } = await ask(t, app, "&start_month=2026-02&end_month=2026-02");
  t.equal(data.length, 1, "a month to itself");
});

t.test("what has no prices is an empty answer, whatever its base", async (t) => {
  const app = await startApp(t, exampleDataset());
  const empty = { market_count: 0, residual_deviation_percent: null, months_without_rate: 0 };
  for (const [query, currency] of [
    [`${question}&county_id=2`, "KES"],
    [`${question}&county_id=2&base=2026-01`, "KES"],
    [`${question}&refugee_camps=only&base=2026-01`, "KES"],
    [`product_uuid=${maize}&market_type=Urban`, "KES"],
    [`product_uuid=${uuidOf("product", 2)}&market_type=Retail`, null],
    [`product_uuid=${uuidOf("product", 2)}&market_type=Retail&currency=USD`, "USD"],
  ]) {
    const { data, meta } = await endpointOf<Body>(t, app, name).ask(`?${query}`);
    t.strictSame(data, [], query ?? "");
    t.match(meta, { ...empty, currency });
  }
  const noRates = await startEndpoint(t, name, { prices: [{}] });
  await noRates.refuse(`?${question}&currency=USD`, "currency");
});

type Row = Readonly<Record<string, string | number | null>>;

async function rows(t: Test, app: RunningApp, query: string): Promise<Row[]> {
  const { status, text } = await app.signedGet(`/api/v1/exports/index.ndjson?${query}`);
  t.equal(status, 200, query);
  return text === ""
    ? []
    : text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Row);
}

t.test("an export has each product and type of market, in the country or in counties", async (t) => {
  const app = await startApp(t, exampleDataset());
  const series = (all: readonly Row[]): unknown[] => [
    ...new Set(all.map(({ market_type: type, county_id: county }) => `${type} ${county ?? "Kenya"}`)),
  ];
  t.strictSame(series(await rows(t, app, "")), ["Wholesale Kenya", "Retail Kenya"]);
  t.strictSame(series(await rows(t, app, "level=county")), ["Retail 1", "Wholesale 47", "Retail 47"]);
  t.strictSame(series(await rows(t, app, "county_ids=1,2")), ["Retail 1"]);
  t.strictSame(series(await rows(t, app, "county_id=47&market_type=Retail")), ["Retail 47"]);
  t.strictSame(await rows(t, app, `product_uuid=${uuidOf("product", 2)}`), []);
  t.strictSame(await rows(t, app, `product_uuid=${uuidOf("product", 9)}`), [], "an unknown product");

  const query = "base=2026-01&start_month=2020-06&unit=90%20kg%20bag&currency=USD";
  const one = await ask(t, app, `&${query}`);
  const same = (await rows(t, app, `${query}&market_type=Retail`)).map((row) =>
    Object.fromEntries(Object.keys(one.data[0] as object).map((name) => [name, row[name]])),
  );
  t.same(same, one.data, "the figures of a series are those of its question");
  const [wholesale] = await rows(t, app, "base=2020-05");
  t.match(wholesale, { market_type: "Wholesale", index: null }, "a series without a value in the base has no index");

  await endpointOf(t, app, "GET /exports/index.csv").refuseAll([
    ["?level=country&county_id=1", "county_id"],
    ["?level=country&county_ids=1", "county_ids"],
    ["?county_id=1&county_ids=2", "county_ids"],
    ["?start_month=2026-02&end_month=2026-01", "start_month"],
    ["?currency=EUR", "currency"],
    ["?unit=litre", "unit"],
  ]);
});
