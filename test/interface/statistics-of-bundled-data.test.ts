/** What guides say of statistics of the bundled data, computed by requests. */
import t from "tap";
import { recordAt } from "../../src/engine/store/catalogue.ts";
import { readGuide } from "../../src/site/docs/guides.ts";
import { bundledStore } from "../support/bundled-data.ts";
import { startApp } from "../support/start-app.ts";

interface Answer {
  readonly data: { readonly statistics: readonly Readonly<Record<string, string | number>>[] };
  readonly meta: Readonly<Record<string, unknown>>;
}

/** The request of the guide: the first block of JSON behind a text. */
function requestBehind(guide: string, text: string): object {
  const block = /\n(\{.*\})\n/.exec(guide.slice(guide.indexOf(text)));
  return JSON.parse(block?.[1] ?? "null") as object;
}

t.test("retail maize of 2022 is two months of twelve, as /docs/statistics shows", async (t) => {
  const store = await bundledStore();
  const app = await startApp(t, undefined, { deps: { currentStore: () => store } });
  const guide = readGuide("statistics");
  const body = requestBehind(guide, "## Example: what stands behind a figure");
  const ask = async (more: object): Promise<Answer> => {
    return (await app.signedPost("/api/v1/prices/statistics", { ...body, ...more })).body as Answer;
  };
  const { data, meta } = await ask({});
  const columns = ["period", "median_price", "sample_count", "months_with_prices", "months_in_period"];
  const rows = data.statistics.map((row) => {
    return `| ${[...columns, "first_month", "last_month", "markets"].map((name) => row[name]).join(" | ")} |`;
  });
  t.equal(rows.length, 3);
  for (const row of rows) t.ok(guide.includes(`\n${row}\n`), row);
  t.match(data.statistics[1], { period: "2022", months_with_prices: 2, first_month: "2022-01", last_month: "2022-02" });
  t.match(meta, { months_with_prices: 26, months_in_period: 36 });
  const same = await ask({ same_markets: true });
  t.equal(same.meta["same_markets"], 9);
  const [first, second, third] = same.data.statistics.map(({ median_price: price }) => Number(price).toFixed(1));
  const medians = `medians are ${first}, ${second} and ${third} shillings`;
  t.ok(guide.replaceAll("\n", " ").includes(medians), medians);
});

t.test("two thirds of the prices of 2025 are from camps in two counties, as /docs/statistics says", async (t) => {
  const { catalogue, prices, periods } = await bundledStore();
  const year = [...prices.uuids.keys()]
    .slice(0, prices.rowCount)
    .filter((row) => periods.day.labels[periods.dayCodes[row] as number]?.startsWith("2025"));
  const inCamps = year.filter((row) => recordAt(catalogue.markets, prices.markets[row] as number).setting !== null);
  const guide = readGuide("statistics").replaceAll("\n", " ");
  const share = Math.round((100 * inCamps.length) / year.length);
  t.ok(guide.includes(`${share} % of the bundled prices of 2025 are from twelve markets in the camps`), `${share} %`);
  const camps = catalogue.markets.map(({ record }) => record).filter(({ setting }) => setting !== null);
  t.equal(camps.length, 12);
  const counties = new Set(camps.map(({ countyId }) => catalogue.counties.get(countyId)?.name));
  t.strictSame([...counties].sort(), ["Garissa", "Turkana"]);
});
