import t from "tap";
import { whiteMaize } from "../../../src/contract/example-values.ts";
import { monthNumber } from "../../../src/engine/model/calendar.ts";
import type { Uuid } from "../../../src/engine/model/ids.ts";
import { findAnomalies } from "../../../src/engine/query/measures/find-anomalies.ts";
import { isComputed } from "../../../src/engine/query/measures/judge-month.ts";
import { recordAt } from "../../../src/engine/store/catalogue.ts";
import { suspiciousReasonOf, suspiciousRule } from "../../../src/engine/store/suspicious-prices.ts";
import { readGuide } from "../../../src/site/docs/guides.ts";
import { productPage } from "../../../src/site/explore/product-page.ts";
import { bundledStore } from "../../support/bundled-data.ts";
import { explorerRequest, finish } from "../../support/explorer-request.ts";
import { parseMarkup, textWithin } from "../../support/parse-markup.ts";

const store = await bundledStore();

/**
 * The least and the greatest ALPS value of white maize at wholesale markets, to two decimals, and how many there are.
 */
function alpsRange(month: string): [number, number, number] {
  const question = { productUuids: [whiteMaize as Uuid], marketType: "Wholesale", month: monthNumber(month) } as const;
  const { entries } = finish(findAnomalies(store, { level: "market", order: "alps", ...question }));
  const values = entries.flatMap(({ measures: { alps } }) => (isComputed(alps) ? [alps.value] : []));
  return [Math.min(...values), Math.max(...values), values.length].map(
    (value) => Math.round(value * 100) / 100,
  ) as never;
}

t.test("droughts stand out and a good harvest does not, as /docs/anomalies says", async (t) => {
  t.strictSame(alpsRange("2011-07"), [2.71, 3.21, 4]);
  t.strictSame(alpsRange("2017-05"), [1.34, 2.38, 4]);
  t.strictSame(alpsRange("2018-01"), [-1.54, -0.86, 5]);
});

/** The prices that are marked, by product, as a person has looked at them. */
const markedPrices = [
  "| Beans (dolichos) | Karatina | 2024-06 | 1500 per 90 kg bag | decimal_slip |",
  "| Beans (dolichos) | Karatina | 2024-05 | 1500 per 90 kg bag | decimal_slip |",
  "| Beans (kidney) | Kitengela | 2021-06 | 1134 per 90 kg bag | far |",
  "| Beans (mung) | Kitengela | 2021-06 | 1250 per 90 kg bag | decimal_slip |",
  "| Cabbage | Kitui Town | 2021-07 | 6930 per 126 kg bag | far |",
  "| Cabbage | Kitengela | 2021-06 | 35 per 126 kg bag | far |",
  "| Cowpeas | Kangemi (Wholesale) | 2025-08 | 2100.42 per 90 kg bag | far |",
  "| Kale | Kitengela | 2021-06 | 175 per 50 kg bag | far |",
  "| Maize (white, dry) | Kitengela | 2021-06 | 802 per 90 kg bag | far |",
  "| Meat (beef) | Hagadera (Dadaab) | 2024-03 | 10 per kg | far |",
  "| Meat (beef) | Ifo (Dadaab) | 2025-10 | 5 per kg | decimal_slip |",
  "| Milk (camel, fresh) | Mogadishu (Kakuma) | 2021-03 | 50 per litre | far |",
  "| Milk (cow, fresh) | Dagahaley (Dadaab) | 2025-07 | 50 per litre | far |",
  "| Onions (dry) | Kitengela | 2021-06 | 8100 per 13 kg net | far |",
  "| Onions (dry) | Kibuye | 2021-04 | 3825 per 13 kg net | far |",
  "| Potatoes (Irish, white) | Kaanwa | 2021-05 | 30 per 50 kg bag | far |",
  "| Salt | Ifo (Dadaab) | 2024-06 | 39.26 per 200 g packet | far |",
  "| Salt | Ifo (Dadaab) | 2024-05 | 35.98 per 200 g packet | far |",
  "| Salt | Kakuma 3 | 2025-08 | 55 per 200 g packet | far |",
  "| Salt | Kalobeyei (Village 1) | 2023-07 | 49.38 per 200 g packet | far |",
  "| Tomatoes | Eldoret Town | 2024-03 | 426.88 per 64 kg crate | decimal_slip |",
];

/** Product, market, month, price and reason of a price that is marked. */
function markedRow(row: number): string {
  const { catalogue, periods, prices, suspicious } = store;
  const cells = [
    recordAt(catalogue.products, prices.products[row] as number).name,
    recordAt(catalogue.markets, prices.markets[row] as number).name,
    periods.day.labels[periods.dayCodes[row] as number]?.slice(0, 7),
    `${prices.prices[row]} per ${prices.unitNames[prices.units[row] as number]}`,
    suspiciousReasonOf(suspicious, row),
  ];
  return `| ${cells.join(" | ")} |`;
}

t.test("the prices that are suspicious by suspicious-2 are those, and as many as /docs/anomalies says", async (t) => {
  const marked = Array.from(store.suspicious.rows, markedRow);
  t.equal(suspiciousRule, "suspicious-2");
  t.strictSame(marked, markedPrices);
  t.match(readGuide("anomalies"), `It marks ${marked.length} of the bundled prices`);
});

/** What the page of a product says of its price, and whether that is much. */
function leadOf(name: string): string {
  const record = store.catalogue.products.find((product) => product.record.name === name)?.record;
  if (record === undefined) throw new Error(`no product is called ${name}`);
  return finish(productPage(explorerRequest(store, `/products/${record.uuid}`), record.uuid)).lead.text;
}

t.test(
  "pages compare beef at matched markets, and onions and tomatoes with the market that has a change",
  async (t) => {
    const textOf = (name: string): string => textWithin(parseMarkup(leadOf(name), /./)).replaceAll(/\s+/g, " ");
    const beef = textOf("Meat (beef)");
    t.match(beef, "in refugee camps, March 2026, at 7 markets");
    t.match(beef, "▲ +17% since March 2025 at 6 markets");
    const [onions, tomatoes] = [textOf("Onions (dry)"), textOf("Tomatoes")];
    for (const lead of [beef, onions, tomatoes]) t.notMatch(lead, /74%|111%|26%/);
  },
);
