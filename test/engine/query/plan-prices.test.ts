import t from "tap";
import { type Day, dayFromText } from "../../../src/engine/model/calendar.ts";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import type { PriceFilter } from "../../../src/engine/query/questions.ts";
import { planPrices } from "../../../src/engine/query/search-prices.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

/**
 * Eight prices, one a day from 1 January. Maize has six and kale two; Wakulima has three, Gikomba four, Kongowea one,
 * so Nairobi (47) has seven and Mombasa (1) one.
 */
const store = buildStore(
  tinyDataset({
    prices: [
      { product: 0, market: 0 },
      { product: 0, market: 0 },
      { product: 0, market: 0 },
      { product: 0, market: 1 },
      { product: 0, market: 1 },
      { product: 1, market: 1 },
      { product: 1, market: 1 },
      { product: 0, market: 2 },
    ].map((price, at) => ({ ...price, recordedAt: `2026-01-0${at + 1}T06:00:00Z` })),
  }),
);

const [maize, kale, unknownProduct] = [1, 2, 9].map((number) => ({ productUuid: uuidOf("product", number) }));
const [wakulima, gikomba, kongowea, unknownMarket] = [1, 2, 3, 9].map((number) => ({
  marketUuid: uuidOf("market", number),
}));
const county = (id: number) => ({ countyId: id as CountyId });
const wholesale = { marketType: "Wholesale" } as const;
const days = (first: string, last: string) => ({
  dayFirst: dayFromText(first) as Day,
  dayLast: dayFromText(last) as Day,
});

/** The list walked, how much of it, and what is left to check: the names of the markets that will do, and the price. */
function planOf(filter: PriceFilter): [walk: string, length: number, left: string] {
  const { walk, range, check } = planPrices(store, filter);
  const left: string[] = [];
  if (check !== null) {
    const { marketMask } = check;
    if (marketMask !== null) {
      const names = store.catalogue.marketsByName
        .filter((code) => marketMask[code] === 1)
        .map((code) => store.catalogue.markets[code]?.record.name);
      left.push(`market ${names.join(" or ")}`);
    }
    if (check.priceMin !== -Infinity || check.priceMax !== Infinity) {
      left.push(`price ${check.priceMin} to ${check.priceMax}`);
    }
  }
  return [walk, range.to - range.from, left.join(", ")];
}

const plans: [claim: string, filter: PriceFilter, ...ReturnType<typeof planOf>][] = [
  ["no condition walks all prices by time", {}, "time", 8, ""],
  ["a product is a list", { ...maize }, "product", 6, ""],
  ["a market is a list", { ...gikomba }, "market", 4, ""],
  ["a county is a list", county(47), "county", 7, ""],
  ["a county without markets holds nothing", county(30), "nothing", 0, ""],
  ["a product at a market is a run", { ...kale, ...gikomba }, "run", 2, ""],
  ["the last run is a run too", { ...maize, ...kongowea }, "run", 1, ""],
  ["a product at a market where it has no prices holds nothing", { ...kale, ...kongowea }, "nothing", 0, ""],
  [
    "of product and county the product is walked",
    { ...kale, ...county(47) },
    "product",
    2,
    "market Gikomba or Wakulima",
  ],
  ["also where the county is shorter", { ...maize, ...county(1) }, "product", 6, "market Kongowea"],
  ["a market in its county leaves nothing to check", { ...wakulima, ...county(47), ...wholesale }, "market", 3, ""],
  ["a run in its county leaves nothing to check", { ...maize, ...wakulima, ...county(47), ...wholesale }, "run", 3, ""],
  ["a run outside the county holds nothing", { ...maize, ...wakulima, ...county(1) }, "nothing", 0, ""],
  ["a run of another type holds nothing", { ...maize, ...gikomba, ...wholesale }, "nothing", 0, ""],
  ["a market outside the county holds nothing", { ...wakulima, ...county(1) }, "nothing", 0, ""],
  ["a market of another type holds nothing", { ...gikomba, ...wholesale }, "nothing", 0, ""],
  ["an unknown product holds nothing", { ...unknownProduct, ...gikomba }, "nothing", 0, ""],
  ["an unknown market holds nothing", { ...maize, ...unknownMarket }, "nothing", 0, ""],
  ["a type of markets is checked along the time", wholesale, "time", 8, "market Kongowea or Wakulima"],
  ["a type of markets is checked along a county", { ...wholesale, ...county(47) }, "county", 7, "market Wakulima"],
  [
    "a type of markets is checked along a product",
    { ...wholesale, ...maize },
    "product",
    6,
    "market Kongowea or Wakulima",
  ],
  [
    "along a product county and type are checked together",
    { ...kale, ...county(47), ...wholesale },
    "product",
    2,
    "market Wakulima",
  ],
  ["a least price is checked", { priceMin: 5 }, "time", 8, "price 5 to Infinity"],
  ["a greatest price is checked", { ...gikomba, priceMax: 5 }, "market", 4, "price -Infinity to 5"],
  ["a price is checked along a run", { ...maize, ...gikomba, priceMin: 5 }, "run", 2, "price 5 to Infinity"],
  ["days cut a run", { ...maize, ...wakulima, ...days("2026-01-02", "2026-01-08") }, "run", 2, ""],
  ["days cut the time", days("2026-01-02", "2026-01-04"), "time", 3, ""],
  ["days cut a product", { ...maize, ...days("2026-01-05", "2026-01-08") }, "product", 2, ""],
  ["days cut a market", { ...gikomba, ...days("2026-01-06", "2026-01-31") }, "market", 2, ""],
  ["days cut a county", { ...county(47), ...days("2026-01-07", "2026-01-08") }, "county", 1, ""],
  ["a first day alone cuts", { dayFirst: dayFromText("2026-01-08") as Day }, "time", 1, ""],
  ["a last day alone cuts", { dayLast: dayFromText("2026-01-01") as Day }, "time", 1, ""],
  ["days the wrong way round hold nothing", { ...maize, ...days("2026-01-05", "2026-01-02") }, "product", 0, ""],
];

t.test("a plan walks one list that holds all answers and checks what it does not guarantee", async (t) => {
  for (const [claim, filter, ...wanted] of plans) t.same(planOf(filter), wanted, claim);
});

t.test("a number that no county can have holds nothing", async (t) => {
  for (const id of [-1, 0, 1.5, 48, 2 ** 32, Number.NaN]) t.same(planOf(county(id)), ["nothing", 0, ""], String(id));
});
