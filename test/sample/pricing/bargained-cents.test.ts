import t from "tap";
import { bargainedCents } from "../../../src/sample/pricing/bargained-cents.ts";

t.test("sellers say round prices, rounder for larger ones", (t) => {
  t.same(
    [123.4, 499.9, 500, 1999, 2049, 9951, 10_251, 49_751, 49_749, 512_400, 9_990_000].map((cents) =>
      bargainedCents(cents, false),
    ),
    [120, 500, 500, 2000, 2000, 10_000, 10_500, 50_000, 49_500, 510_000, 10_000_000],
  );
  t.end();
});

t.test("a mean is told to the cent, and nothing costs less than a cent", (t) => {
  t.equal(bargainedCents(1234.5, true), 1235);
  t.equal(bargainedCents(0.1, true), 1);
  t.equal(bargainedCents(0.1, false), 1);
  t.end();
});
