import t from "tap";
import { type Day, dayFromText, monthNumber, monthText } from "../../../src/engine/model/calendar.ts";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import type { PriceStatistics } from "../../../src/engine/query/questions.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { askStatistics, type GroupedAnswer } from "../../support/statistics-groups.ts";
import { type TinyPrice, tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

const markets = [{ name: "Wakulima" }, { name: "Gikomba" }, { name: "Kongowea", countyId: 1 as CountyId }];

/** A price of a market on each of some days. */
function on(market: number, ...days: string[]): Partial<TinyPrice>[] {
  return days.map((day) => ({ market, recordedAt: `${day}T06:00:00Z` }));
}

function ask(
  prices: readonly Partial<TinyPrice>[],
  grouping: PriceStatistics["grouping"],
  { from = "2022-01-01", to = "2023-12-31", ...more }: Partial<PriceStatistics> & { from?: string; to?: string } = {},
): GroupedAnswer {
  return askStatistics(buildStore(tinyDataset({ markets, prices })), {
    productUuid: uuidOf("product", 1),
    dayFirst: dayFromText(from) as Day,
    dayLast: dayFromText(to) as Day,
    coverageWithin: { first: monthNumber(from.slice(0, 7)), last: monthNumber(to.slice(0, 7)) },
    countsMonths: true,
    grouping,
    ...more,
  }) as GroupedAnswer;
}

/** Of each group: its name, months with prices of months in the period, first and last month, markets. */
function coverageOf({ groups }: GroupedAnswer): string[] {
  return groups.map(({ label, coverage }) => {
    if (coverage === undefined) return `${label}: none`;
    const { monthsWithPrices, monthsInPeriod, months, markets: count } = coverage;
    return `${label}: ${monthsWithPrices}/${monthsInPeriod} ${monthText(months.first)}–${monthText(months.last)} @${count}`;
  });
}

const twoMonths = [...on(0, "2022-01-10", "2022-01-20", "2022-02-10"), ...on(2, "2022-01-10")];

t.test("a year with prices of two months says so, whatever markets and days they are of", async (t) => {
  const answer = ask([...twoMonths, ...on(1, "2023-05-01", "2023-07-01", "2023-12-31")], "year");
  t.same(coverageOf(answer), ["2022: 2/12 2022-01–2022-02 @2", "2023: 3/12 2023-05–2023-12 @1"]);
  t.equal(answer.monthsWithPrices, 5);
});

t.test("months of a group are counted within the days asked for", async (t) => {
  t.same(coverageOf(ask(twoMonths, "year", { from: "2022-01-15", to: "2022-03-02" })), [
    "2022: 2/3 2022-01–2022-02 @1",
  ]);
  t.same(coverageOf(ask(twoMonths, "quarter", { from: "2022-02-01" })), ["2022-Q1: 1/2 2022-02–2022-02 @1"]);
  t.same(coverageOf(ask(twoMonths, "quarter")), ["2022-Q1: 2/3 2022-01–2022-02 @2"]);
  t.same(coverageOf(ask(twoMonths, "month")), ["2022-01: 1/1 2022-01–2022-01 @2", "2022-02: 1/1 2022-02–2022-02 @1"]);
});

t.test("a week has the months of its days", async (t) => {
  const week = [...on(0, "2022-01-31", "2022-02-01"), ...on(1, "2022-01-31", "2022-02-06"), ...on(2, "2022-02-07")];
  t.same(coverageOf(ask(week, "week")), ["2022-W05: 2/2 2022-01–2022-02 @2", "2022-W06: 1/1 2022-02–2022-02 @1"]);
  t.same(coverageOf(ask(week, "week", { from: "2022-02-01" }))[0], "2022-W05: 1/1 2022-02–2022-02 @2");
  t.same(coverageOf(ask(on(0, "2022-02-01", "2022-01-30"), "week")), [
    "2022-W04: 1/1 2022-01–2022-01 @1",
    "2022-W05: 1/2 2022-02–2022-02 @1",
  ]);
  t.same(coverageOf(ask(week, "day"))[0], "2022-01-31: 1/1 2022-01–2022-01 @2");
});

t.test("a market or county has all months asked for, and a month of two of its markets counts once", async (t) => {
  const prices = [...twoMonths, ...on(1, "2022-01-05", "2023-03-05")];
  t.same(coverageOf(ask(prices, "county")), ["Mombasa: 1/24 2022-01–2022-01 @1", "Nairobi: 3/24 2022-01–2023-03 @2"]);
  t.same(coverageOf(ask(prices, "market")), [
    "Gikomba: 2/24 2022-01–2023-03 @1",
    "Kongowea: 1/24 2022-01–2022-01 @1",
    "Wakulima: 2/24 2022-01–2022-02 @1",
  ]);
  t.equal(ask(prices, "market").monthsWithPrices, 3);
});

t.test("prices that do not convert or are left out stand behind nothing", async (t) => {
  const others = [
    ...on(1, "2022-06-01").map((price) => ({ ...price, currency: "USD" })),
    ...on(1, "2022-07-01").map((price) => ({ ...price, unit: "bunch" })),
  ];
  const answer = ask([...twoMonths, ...others], "year");
  t.same(coverageOf(answer), ["2022: 2/12 2022-01–2022-02 @2"]);
  t.equal(answer.monthsWithPrices, 2);
  const flagged = [...twoMonths, ...on(1, "2022-09-01").map((price) => ({ ...price, priceFlag: "actual" as const }))];
  t.same(coverageOf(ask(flagged, "year", { priceFlag: "actual" })), ["2022: 1/12 2022-09–2022-09 @1"]);
  t.equal(ask(flagged, "year", { priceFlag: "actual" }).monthsWithPrices, 1);
});

t.test("nothing is counted that is not asked for", async (t) => {
  const answer = ask(twoMonths, "year", { coverageWithin: undefined, countsMonths: false });
  t.match(answer, { coverage: null, monthsWithPrices: null, sameMarkets: null });
});

t.test("the same markets are those with a price in each group", async (t) => {
  const prices = [
    ...on(0, "2022-01-01", "2022-02-01", "2022-04-01"),
    ...on(1, "2022-01-01", "2022-02-01", "2022-02-05", "2022-02-09"),
    ...on(2, "2022-01-01", "2022-02-01", "2022-04-01", "2022-04-02"),
  ];
  const same = ask(prices, "month", { sameMarkets: true });
  t.equal(same.sameMarkets, 2);
  t.same(
    same.groups.map(({ label, figures }) => [label, figures.count]),
    [
      ["2022-01", 2],
      ["2022-02", 2],
      ["2022-04", 3],
    ],
  );
  t.equal(ask(prices, "month", { sameMarkets: false }).sameMarkets, null);
  t.equal(ask(prices, "month", { sameMarkets: true, to: "2022-03-01" }).sameMarkets, 3, "April is no group");
  t.equal(ask(prices, "year", { sameMarkets: true }).sameMarkets, 3);
});

t.test("where no market is in each group, there is no group", async (t) => {
  const none = ask([...on(0, "2022-01-01"), ...on(1, "2022-02-01")], "month", { sameMarkets: true });
  t.same([none.sameMarkets, none.groups, none.overall], [0, [], null]);
  t.equal(ask([], "month", { sameMarkets: true }).sameMarkets, 0);
});

t.test("a month whose prices are cut in two by one that is left out is one group", async (t) => {
  const flagged = (market: number, ...flags: ("actual" | "aggregate")[]): Partial<TinyPrice>[] =>
    flags.map((priceFlag, day) => ({ market, priceFlag, recordedAt: `2022-01-0${day + 1}T06:00:00Z` }));
  const prices = [
    ...flagged(0, "actual", "aggregate", "actual"),
    ...on(1, "2022-02-01").map((price) => ({ ...price, priceFlag: "actual" as const })),
  ];
  const same = ask(prices, "month", { sameMarkets: true, priceFlag: "actual" });
  t.equal(same.sameMarkets, 0, "two pieces of January are not January and February");
  t.same(coverageOf(ask(prices, "month", { priceFlag: "actual" }))[0], "2022-01: 1/1 2022-01–2022-01 @1");
});
