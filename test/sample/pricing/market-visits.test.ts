import t from "tap";
import { dayMilliseconds } from "../../../src/domain/calendar-day.ts";
import { type SampleMarket, sampleMarkets } from "../../../src/sample/markets.ts";
import { MarketCalendar } from "../../../src/sample/pricing/market-calendar.ts";
import { MarketVisits } from "../../../src/sample/pricing/market-visits.ts";
import { SeededRandom } from "../../../src/sample/random/seeded-random.ts";
import { SeededUuids } from "../../../src/sample/random/seeded-uuids.ts";
import { samplePeriod, utcOffset } from "../../../src/sample/sample-options.ts";

const period = samplePeriod(2);

function visitsOf(
  priceCount: number,
  markets: readonly SampleMarket[] = sampleMarkets(40, 2, new SeededRandom(1, "markets"), new SeededUuids(1)),
) {
  const calendar = new MarketCalendar(
    period,
    markets,
    markets.map(() => 1),
    priceCount,
  );
  const visits = new MarketVisits(period, calendar, markets, new SeededRandom(1, "visits"));
  const made = [];
  for (let left = priceCount; left > 0; left -= visits.current.priceCount) {
    visits.next();
    made.push({ ...visits.current });
  }
  return { made, markets, calendar, visits };
}

t.test("visits bring exactly the prices of the sample, then no more", (t) => {
  for (const priceCount of [1, 5, 20_000]) {
    const { made, visits } = visitsOf(priceCount);
    t.equal(
      made.reduce((sum, visit) => sum + visit.priceCount, 0),
      priceCount,
    );
    t.ok(made.every((visit) => visit.priceCount >= 1 && visit.priceCount <= 27));
    t.throws(() => visits.next(), { name: "RangeError", message: `price ${priceCount + 1} is beyond the sample` });
  }
  t.end();
});

t.test("every visit is to an open market, on the day that it says by Nairobi's clocks, and entered after it", (t) => {
  const { made, calendar } = visitsOf(20_000);
  for (const { day, market, recordedAt, enteredAt } of made) {
    if (!calendar.openMarkets(day)?.markets.includes(market)) t.fail(`market ${market} is closed on day ${day}`);
    t.equal(Math.floor((recordedAt + utcOffset) / dayMilliseconds) - period.dayFirst, day);
    t.ok(enteredAt > recordedAt && enteredAt <= recordedAt + 10 * dayMilliseconds);
  }
  t.ok(made.every(({ day }) => day >= 0 && day < period.dayCount));
  t.end();
});

t.test("visits come by day on the whole, but not strictly; half of them keep the market's usual time", (t) => {
  const { made, markets } = visitsOf(20_000);
  const backwards = made.filter(({ day }, at) => at > 0 && day < (made[at - 1]?.day ?? 0)).length;
  t.ok(backwards > made.length / 20 && backwards < made.length / 4, `${backwards} of ${made.length} go back`);
  const timeOf = (instant: number) => (instant + utcOffset) % dayMilliseconds;
  const usual = made.filter(({ market, recordedAt }) => timeOf(recordedAt) === markets[market]?.usualTime).length;
  t.ok(Math.abs(usual / made.length - 0.48) < 0.05);
  t.end();
});

t.test("late reports are of market days too, where the only market is held on Sundays", (t) => {
  const [market] = sampleMarkets(1, 2, new SeededRandom(1, "markets"), new SeededUuids(1)) as [SampleMarket];
  const { made } = visitsOf(2000, [{ ...market, record: { ...market.record, operatingDays: ["Sunday"] } }]);
  const isSunday = (day: number) => new Date((period.dayFirst + day) * dayMilliseconds).getUTCDay() === 0;
  t.ok(made.every(({ day }) => isSunday(day)));
  t.ok(made.some(({ recordedAt, enteredAt }) => enteredAt - recordedAt > 6 * dayMilliseconds));
  t.end();
});
