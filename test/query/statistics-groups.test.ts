import t from "tap";
import { type Day, dayFromText } from "../../src/domain/calendar-day.ts";
import type { CountyId } from "../../src/domain/ids.ts";
import { groupByCounty, groupByMarket } from "../../src/query/group-by-place.ts";
import type { GroupList } from "../../src/query/group-list.ts";
import type { PriceStatistics } from "../../src/query/questions.ts";
import { type GroupQuestion, groupByTime } from "../../src/query/statistics-groups.ts";
import { buildStore } from "../../src/store/build-store.ts";
import { GroupFiguresBuilder } from "../../src/store/group-figures.ts";
import { measuringIn } from "../../src/store/measuring.ts";
import type { TimeGrouping } from "../../src/store/periods.ts";
import type { Store } from "../../src/store/store.ts";
import { county, type TinyPrice, tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

/** What a group is, how many prices it has, the sum of them, and whether its figures were ready or summed up. */
type Group = readonly [name: string, count: number, sum: number, way: "ready" | "summed up"];

const on = (...days: string[]): Partial<TinyPrice>[] => days.map((text) => ({ recordedAt: `${text}T06:00:00Z` }));
const days = (first: string, last: string) => ({
  dayFirst: dayFromText(first) as Day,
  dayLast: dayFromText(last) as Day,
});
const allDays = days("2000-01-01", "2030-12-31");

/** Prices 1, 2, 4, 8 … so that a sum tells which prices it is made of. */
function storeOf(prices: readonly Partial<TinyPrice>[], parts: Parameters<typeof tinyDataset>[0] = {}): Store {
  return buildStore(tinyDataset({ ...parts, prices: prices.map((price, at) => ({ price: 2 ** at, ...price })) }));
}

function asked(store: Store, grouping: PriceStatistics["grouping"], given: Partial<PriceStatistics>): GroupQuestion {
  const question = { productUuid: uuidOf("product", 1), ...allDays, grouping, ...given };
  const product = store.catalogue.productCodes.get(question.productUuid) ?? -1;
  const { unit: ownUnit = "", currency = null } = store.measures[product] ?? {};
  const unit = question.unit ?? ownUnit;
  const measuring = measuringIn(store.catalogue, store.prices, unit, currency);
  return { question, product, measuring, isOwnUnit: unit === ownUnit };
}

function groupsByTime(store: Store, grouping: TimeGrouping, given: Partial<PriceStatistics> = {}): Group[] {
  const list = finish(groupByTime(store, asked(store, grouping, given), grouping, new GroupFiguresBuilder()));
  const { byTime, byTimeOfType } = store.figures;
  const ready = [byTime[grouping], ...(grouping === "day" ? [] : [byTimeOfType[grouping]])];
  t.ok(list.places.every((place) => place < 0) || ready.some(({ figures }) => figures === list.ready));
  return told(list, (period) => store.periods[grouping].labels[period]);
}

function groupsByMarket(store: Store, given: Partial<PriceStatistics> = {}): Group[] {
  const list = finish(groupByMarket(store, asked(store, "market", given), new GroupFiguresBuilder()));
  t.equal(list.ready, store.figures.bySeries);
  return told(list, (market) => store.catalogue.markets[market]?.record.name);
}

function groupsByCounty(store: Store, given: Partial<PriceStatistics> = {}): Group[] {
  const list = finish(groupByCounty(store, asked(store, "county", given), new GroupFiguresBuilder()));
  const { byCounty, bySeries } = store.figures;
  t.equal(list.ready, given.marketUuid === undefined ? byCounty.figures : bySeries);
  return told(list, String);
}

function told({ ready, made, places, keys }: GroupList, nameOf: (key: number) => string | undefined): Group[] {
  t.equal(keys.length, places.length);
  return places.map((place, group) => {
    const figures = place < 0 ? made : ready;
    const at = place < 0 ? -1 - place : place;
    const count = figures.counts[at] ?? -1;
    const sum = Math.round((figures.means[at] ?? -1) * count * 1e6) / 1e6;
    return [nameOf(keys[group] ?? -1) ?? "none", count, sum, place < 0 ? "summed up" : "ready"];
  });
}

function finish<T>(work: Generator<number, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

t.test("whole months are ready, and a month is whole when all its days with prices are within the days", async (t) => {
  const store = storeOf(on("2026-01-10", "2026-01-20", "2026-02-05", "2026-03-02", "2026-03-30"));
  const months: Group[] = [
    ["2026-01", 2, 3, "ready"],
    ["2026-02", 1, 4, "ready"],
    ["2026-03", 2, 24, "ready"],
  ];
  t.same(groupsByTime(store, "month"), months);
  t.same(groupsByTime(store, "month", days("2026-01-10", "2026-03-30")), months);
  t.same(groupsByTime(store, "month", days("2026-01-10", "2026-03-01")), months.slice(0, 2));
  t.same(groupsByTime(store, "month", days("2026-01-21", "2026-02-28")), months.slice(1, 2));
});

t.test("the first and the last period are summed up where the days cut them", async (t) => {
  const store = storeOf(on("2026-01-10", "2026-01-20", "2026-02-05", "2026-03-02", "2026-03-30"));
  t.same(groupsByTime(store, "month", days("2026-01-11", "2026-03-29")), [
    ["2026-01", 1, 2, "summed up"],
    ["2026-02", 1, 4, "ready"],
    ["2026-03", 1, 8, "summed up"],
  ]);
  t.same(groupsByTime(store, "month", days("2026-01-20", "2026-12-31")), [
    ["2026-01", 1, 2, "summed up"],
    ["2026-02", 1, 4, "ready"],
    ["2026-03", 2, 24, "ready"],
  ]);
  t.same(groupsByTime(store, "month", days("2025-01-01", "2026-03-02")), [
    ["2026-01", 2, 3, "ready"],
    ["2026-02", 1, 4, "ready"],
    ["2026-03", 1, 8, "summed up"],
  ]);
  t.same(
    groupsByTime(store, "month", days("2026-01-11", "2026-02-04")),
    [["2026-01", 1, 2, "summed up"]],
    "the first of one month alone",
  );
});

t.test("two periods that are both cut, and one that is cut at both ends, are each summed up once", async (t) => {
  const store = storeOf(on("2026-01-05", "2026-01-06", "2026-01-08", "2026-01-11", "2026-01-12", "2026-01-18"));
  t.same(groupsByTime(store, "week", days("2026-01-06", "2026-01-12")), [
    ["2026-W02", 3, 14, "summed up"],
    ["2026-W03", 1, 16, "summed up"],
  ]);
  t.same(groupsByTime(store, "week", days("2026-01-06", "2026-01-08")), [["2026-W02", 2, 6, "summed up"]]);
  t.same(groupsByTime(store, "month", days("2026-01-07", "2026-01-07")), []);
  t.same(groupsByTime(store, "week", days("2026-01-05", "2026-01-08")), [["2026-W02", 3, 7, "summed up"]]);
  t.same(groupsByTime(store, "week", days("2026-01-08", "2026-01-11")), [["2026-W02", 2, 12, "summed up"]]);
});

t.test("days are ready, and are never cut", async (t) => {
  const store = storeOf(on("2026-01-05", "2026-01-05", "2026-01-06", "2026-01-08"));
  t.same(groupsByTime(store, "day", days("2026-01-05", "2026-01-06")), [
    ["2026-01-05", 2, 3, "ready"],
    ["2026-01-06", 1, 4, "ready"],
  ]);
});

t.test("periods that are cut where another product alone has prices are of the product asked for", async (t) => {
  const store = storeOf([
    ...on("2026-01-10", "2026-03-10"),
    ...on("2026-01-01", "2026-02-15", "2026-03-31").map((price) => ({ ...price, product: 1 })),
  ]);
  t.same(groupsByTime(store, "month", days("2026-01-02", "2026-03-30")), [
    ["2026-01", 1, 1, "summed up"],
    ["2026-03", 1, 2, "summed up"],
  ]);
  t.same(groupsByTime(store, "month", days("2026-01-11", "2026-03-09")), [], "neither end has any");
  t.same(groupsByTime(store, "month", days("2026-02-01", "2026-02-28")), [], "nor has the whole month");
});

t.test("days without any prices, or the wrong way round, have no periods", async (t) => {
  const store = storeOf(on("2026-01-10", "2026-03-10"));
  for (const [first, last] of [
    ["2026-01-11", "2026-03-09"],
    ["2020-01-01", "2026-01-09"],
    ["2026-03-11", "2030-01-01"],
    ["2026-03-10", "2026-01-10"],
  ] as const) {
    t.same(groupsByTime(store, "month", days(first, last)), [], `${first} to ${last}`);
  }
  t.same(groupsByTime(storeOf([]), "month"), [], "no prices at all");
});

const markets = [
  { name: "Wakulima", type: "Wholesale", countyId: 47 as CountyId },
  { name: "Gikomba", type: "Retail", countyId: 47 as CountyId },
  { name: "Kongowea", type: "Wholesale", countyId: 1 as CountyId },
  { name: "Mkomani", type: "Rural", countyId: 1 as CountyId },
] as const;
const [wakulima, gikomba, kongowea, mkomani] = [0, 1, 2, 3];
/** A price of each market in January (1, 2, 4, 8) and one in February (16, 32, 64, 128). */
const twoMonths = storeOf(
  [wakulima, gikomba, kongowea, mkomani].flatMap((market) => [
    { market, price: 2 ** (market ?? 0), recordedAt: "2026-01-10T06:00:00Z" },
    { market, price: 2 ** (4 + (market ?? 0)), recordedAt: "2026-02-10T06:00:00Z" },
  ]),
  { markets },
);
const inFebruary = days("2026-02-01", "2026-02-28");

t.test("weeks and months of a type of market are ready, its days are summed up", async (t) => {
  const wholesale = { marketType: "Wholesale" } as const;
  t.same(groupsByTime(twoMonths, "month", wholesale), [
    ["2026-01", 2, 5, "ready"],
    ["2026-02", 2, 80, "ready"],
  ]);
  t.same(groupsByTime(twoMonths, "week", { ...wholesale, ...inFebruary }), [["2026-W07", 2, 80, "ready"]]);
  t.same(groupsByTime(twoMonths, "day", { ...wholesale, ...inFebruary }), [["2026-02-10", 2, 80, "summed up"]]);
  t.same(groupsByTime(twoMonths, "month", { marketType: "Urban" }), []);
});

t.test("a period of a type of market that the days cut holds that type alone", async (t) => {
  const store = storeOf(
    [
      ...on("2026-01-10", "2026-01-12", "2026-02-10", "2026-02-12"),
      ...on("2026-01-12", "2026-02-10").map((price) => ({ ...price, market: gikomba ?? 0 })),
    ],
    { markets },
  );
  t.same(groupsByTime(store, "month", { marketType: "Wholesale", ...days("2026-01-11", "2026-02-11") }), [
    ["2026-01", 1, 2, "summed up"],
    ["2026-02", 1, 4, "summed up"],
  ]);
});

t.test("periods of a market, of a county and in another unit are summed up", async (t) => {
  t.same(groupsByTime(twoMonths, "month", { marketUuid: uuidOf("market", 2) }), [
    ["2026-01", 1, 2, "summed up"],
    ["2026-02", 1, 32, "summed up"],
  ]);
  t.same(groupsByTime(twoMonths, "month", { countyId: 1 as CountyId }), [
    ["2026-01", 2, 12, "summed up"],
    ["2026-02", 2, 192, "summed up"],
  ]);
  t.same(groupsByTime(twoMonths, "month", { countyId: 1 as CountyId, marketType: "Rural" }), [
    ["2026-01", 1, 8, "summed up"],
    ["2026-02", 1, 128, "summed up"],
  ]);
  t.same(groupsByTime(twoMonths, "month", { unit: "g", ...inFebruary }), [["2026-02", 4, 0.24, "summed up"]]);
  t.same(groupsByTime(twoMonths, "month", { unit: "kg", ...inFebruary }), [["2026-02", 4, 240, "ready"]], "its own");
});

t.test("a type of market with few of a product's prices gives its groups like one with many", async (t) => {
  // Four prices at Mkomani among a hundred: their rows are sorted rather than looked for among all.
  const prices = Array.from({ length: 100 }, (_, at) => ({
    market: (at % 25 === 24 ? mkomani : wakulima) ?? 0,
    price: 1000 * (1 + at),
    recordedAt: `2026-0${1 + Math.floor(at / 50)}-${String(1 + (at % 25)).padStart(2, "0")}T06:00:00Z`,
  }));
  const store = storeOf(prices, { markets });
  t.same(groupsByTime(store, "month", { marketType: "Rural", unit: "g" }), [
    ["2026-01", 2, 75, "summed up"],
    ["2026-02", 2, 175, "summed up"],
  ]);
  const sumOf = (from: number) => prices.slice(from, from + 50).reduce((sum, { price }) => sum + price / 1000, 0);
  t.same(groupsByTime(store, "month", { marketType: "Wholesale", unit: "g" }), [
    ["2026-01", 48, sumOf(0) - 75, "summed up"],
    ["2026-02", 48, sumOf(50) - 175, "summed up"],
  ]);
  const inFebruary = days("2026-02-01", "2026-02-24");
  t.same(groupsByTime(store, "month", { marketType: "Rural", unit: "g", ...inFebruary }), [], "none of those days");
});

t.test("markets whose prices all lie within the days are ready, the others are summed up", async (t) => {
  t.same(groupsByMarket(twoMonths), [
    ["Gikomba", 2, 34, "ready"],
    ["Kongowea", 2, 68, "ready"],
    ["Mkomani", 2, 136, "ready"],
    ["Wakulima", 2, 17, "ready"],
  ]);
  const store = storeOf(
    [...on("2026-01-10", "2026-02-10"), { market: gikomba ?? 0, recordedAt: "2026-02-11T06:00:00Z" }],
    {
      markets,
    },
  );
  t.same(groupsByMarket(store, inFebruary), [
    ["Gikomba", 1, 4, "ready"],
    ["Wakulima", 1, 2, "summed up"],
  ]);
  t.same(groupsByMarket(store, days("2026-01-01", "2026-02-10")), [["Wakulima", 2, 3, "ready"]]);
});

t.test("conditions on markets leave whole markets ready; another unit does not", async (t) => {
  t.same(groupsByMarket(twoMonths, { marketType: "Rural" }), [["Mkomani", 2, 136, "ready"]]);
  t.same(groupsByMarket(twoMonths, { countyId: 47 as CountyId, marketType: "Wholesale" }), [
    ["Wakulima", 2, 17, "ready"],
  ]);
  t.same(groupsByMarket(twoMonths, { marketUuid: uuidOf("market", 3) }), [["Kongowea", 2, 68, "ready"]]);
  t.same(groupsByMarket(twoMonths, { marketUuid: uuidOf("market", 9) }), []);
  t.same(groupsByMarket(twoMonths, { unit: "g", marketType: "Rural" }), [["Mkomani", 2, 0.136, "summed up"]]);
});

t.test("counties whose prices all lie within the days are ready, the others are summed up", async (t) => {
  t.same(groupsByCounty(twoMonths), [
    ["1", 4, 204, "ready"],
    ["47", 4, 51, "ready"],
  ]);
  t.same(groupsByCounty(twoMonths, days("2026-01-10", "2026-02-10")), [
    ["1", 4, 204, "ready"],
    ["47", 4, 51, "ready"],
  ]);
  for (const [first, last, one, other] of [
    ["2026-01-11", "2026-02-10", 192, 48],
    ["2026-01-10", "2026-02-09", 12, 3],
  ] as const) {
    t.same(groupsByCounty(twoMonths, days(first, last)), [
      ["1", 2, one, "summed up"],
      ["47", 2, other, "summed up"],
    ]);
  }
  t.same(groupsByCounty(twoMonths, days("2026-01-11", "2026-02-09")), []);
});

t.test("counties by type of market or by market are ready, in another unit they are summed up", async (t) => {
  t.same(groupsByCounty(twoMonths, { marketType: "Wholesale" }), [
    ["1", 2, 68, "ready"],
    ["47", 2, 17, "ready"],
  ]);
  t.same(groupsByCounty(twoMonths, { marketType: "Rural" }), [["1", 2, 136, "ready"]]);
  t.same(groupsByCounty(twoMonths, { countyId: 47 as CountyId }), [["47", 4, 51, "ready"]]);
  t.same(groupsByCounty(twoMonths, { countyId: 47 as CountyId, marketType: "Retail" }), [["47", 2, 34, "ready"]]);
  t.same(groupsByCounty(twoMonths, { countyId: 30 as CountyId }), []);
  t.same(groupsByCounty(twoMonths, { marketUuid: uuidOf("market", 4) }), [["1", 2, 136, "ready"]]);
  t.same(groupsByCounty(twoMonths, { unit: "g", countyId: 47 as CountyId }), [["47", 4, 0.051, "summed up"]]);
  t.same(groupsByCounty(twoMonths, { productUuid: uuidOf("product", 2) }), [], "a product without prices");
});

t.test("counties come by folded name, ready or summed up", async (t) => {
  const counties = [county(1, { name: "Zanzi" }), county(2, { name: "Élgeyo" }), county(3, { name: "elgeyo" })];
  const store = storeOf([...on("2026-01-01"), { market: 1 }, { market: 2 }, { market: 0 }], {
    counties,
    markets: [1, 3, 2].map((id) => ({ countyId: id as CountyId })),
  });
  const names = (given: Partial<PriceStatistics>) => groupsByCounty(store, given).map(([name, , , way]) => [name, way]);
  t.same(names({}), [
    ["2", "ready"],
    ["3", "ready"],
    ["1", "ready"],
  ]);
  t.same(names(days("2026-01-02", "2026-12-31")), [
    ["2", "ready"],
    ["3", "ready"],
    ["1", "summed up"],
  ]);
});

t.test("a group of which nothing can be measured is there, with what was left out", async (t) => {
  const store = storeOf([{}, { unit: "bunch", market: 2, recordedAt: "2026-02-10T06:00:00Z" }]);
  t.same(groupsByTime(store, "month"), [
    ["2026-01", 1, 1, "ready"],
    ["2026-02", 0, 0, "ready"],
  ]);
  t.same(
    groupsByMarket(store).map(([name, count]) => [name, count]),
    [
      ["Kongowea", 0],
      ["Wakulima", 1],
    ],
  );
  t.same(
    groupsByCounty(store).map(([name, count]) => [name, count]),
    [
      ["1", 0],
      ["47", 1],
    ],
  );
});
