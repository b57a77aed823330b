import t from "tap";
import type { Day } from "../../src/domain/calendar-day.ts";
import { dayText, fixedUtcOffset } from "../../src/domain/calendar-day.ts";
import {
  completeOptions,
  type SampleOptions,
  sampleLimits,
  samplePeriod,
  timeZone,
  utcOffset,
} from "../../src/sample/sample-options.ts";

t.test("what is not given is 120 products, 250 markets, 10 years", (t) => {
  t.same(completeOptions({ prices: 5, seed: 0 }), { prices: 5, seed: 0, products: 120, markets: 250, years: 10 });
  t.same(completeOptions({ prices: 5, seed: 0, years: 3, markets: 1 }).years, 3);
  t.end();
});

t.test("every option is accepted at its limits and refused beyond them, by name", (t) => {
  for (const name of Object.keys(sampleLimits) as (keyof SampleOptions)[]) {
    const { min, max } = sampleLimits[name];
    const options = (value: number): SampleOptions => ({ prices: 10, seed: 1, [name]: value });
    for (const value of [min, max]) t.equal(completeOptions(options(value))[name], value);
    for (const value of [min - 1, max + 1, min + 0.5, Number.NaN]) {
      t.throws(() => completeOptions(options(value)), {
        name: "RangeError",
        message: `${name} is ${value}, expected a whole number from ${min} to ${max}`,
      });
    }
  }
  t.end();
});

t.test("a sample ends with October 2026, whatever the clock says, and its leap days are in it", (t) => {
  const text = (years: number) => {
    const { dayFirst, dayCount } = samplePeriod(years);
    return [dayText(dayFirst), dayText((dayFirst + dayCount - 1) as Day), dayCount];
  };
  t.same(text(1), ["2025-11-01", "2026-10-31", 365]);
  t.same(text(3), ["2023-11-01", "2026-10-31", 1096]);
  t.same(text(10), ["2016-11-01", "2026-10-31", 3652]);
  t.same(text(50)[0], "1976-11-01");
  t.end();
});

t.test("the offset is that of the time zone", (t) => {
  t.equal(utcOffset, fixedUtcOffset(timeZone));
  t.end();
});
