import t from "tap";
import { weekDays } from "../../../src/domain/vocabulary.ts";
import { type SampleMarket, sampleMarkets } from "../../../src/sample/markets.ts";
import { bundleSize, MarketCalendar } from "../../../src/sample/pricing/market-calendar.ts";
import { SeededRandom } from "../../../src/sample/random/seeded-random.ts";
import { SeededUuids } from "../../../src/sample/random/seeded-uuids.ts";
import { samplePeriod } from "../../../src/sample/sample-options.ts";

const period = samplePeriod(10);
const markets = sampleMarkets(60, 10, new SeededRandom(1, "markets"), new SeededUuids(1));

function calendarOf(priceCount: number, some: readonly SampleMarket[] = markets): MarketCalendar {
  const popularity = some.map(() => 1);
  return new MarketCalendar(period, some, popularity, priceCount);
}

t.test("a market is open on its market days in its years, and only then", (t) => {
  const calendar = calendarOf(1000);
  for (let day = 0; day < period.dayCount; day += 3) {
    const weekDay = weekDays[(new Date((period.dayFirst + day) * 86_400_000).getUTCDay() + 6) % 7];
    const year = Math.floor(day / 365.25);
    const wanted = [...markets.keys()].filter((position) => {
      const { record, yearFirst, yearLast } = markets[position] as SampleMarket;
      return record.operatingDays.some((name) => name === weekDay) && yearFirst <= year && year <= yearLast;
    });
    t.same(calendar.openMarkets(day)?.markets ?? [], wanted);
  }
  t.end();
});

t.test("the prices known never become fewer, come in bundles, and are all there at the end", (t) => {
  for (const priceCount of [1, 15, 16, 17, 3000, 100_003]) {
    const calendar = calendarOf(priceCount);
    let before = 0;
    for (let day = 0; day < period.dayCount; day++) {
      const known = calendar.pricesUpTo(day);
      if (known < before || (known % bundleSize !== 0 && known !== priceCount)) t.fail(`${known} after ${before}`);
      before = known;
    }
    t.equal(before, priceCount);
  }
  t.end();
});

t.test(
  "prices become known on days with an open market only, also where there is one market with one market day",
  (t) => {
    const sunday = { ...(markets[0] as SampleMarket) };
    const once = { ...sunday, record: { ...sunday.record, operatingDays: ["Sunday"] as const } };
    const calendar = calendarOf(9999, [once]);
    let daysWithPrices = 0;
    for (let day = 0; day < period.dayCount; day++) {
      if (calendar.pricesUpTo(day) === (day === 0 ? 0 : calendar.pricesUpTo(day - 1))) continue;
      daysWithPrices++;
      t.equal(new Date((period.dayFirst + day) * 86_400_000).getUTCDay(), 0);
    }
    t.ok(daysWithPrices > 400);
    t.equal(calendar.pricesUpTo(period.dayCount - 1), 9999);
    t.end();
  },
);
