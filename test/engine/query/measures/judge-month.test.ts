import t from "tap";
import { alpsMonthsMin, isComputed, judgeSeries } from "../../../../src/engine/query/measures/judge-month.ts";

t.test("the measures do not depend on the year, also before the year 0", async (t) => {
  const count = 2 * alpsMonthsMin;
  const medians = Float64Array.from({ length: count }, (_, at) => 50 + (at % 12) + ((at * at) % 7));
  const from = (first: number): object =>
    judgeSeries({ months: Int32Array.from({ length: count }, (_, at) => first + at), medians }, count - 1);
  const known = judgeSeries({ months: Int32Array.from({ length: count }, (_, at) => 24_240 + at), medians }, count - 1);
  t.ok(isComputed(known.alps) && isComputed(known.fiveYears));
  for (const first of [0, -12, -1200, -5]) t.strictSame(from(first), known, String(first));
});
