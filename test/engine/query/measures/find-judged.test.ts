import fc from "fast-check";
import t from "tap";
import { monthNumber } from "../../../../src/engine/model/calendar.ts";
import type { Dataset } from "../../../../src/engine/model/dataset.ts";
import { marketTypes } from "../../../../src/engine/model/vocabulary.ts";
import { findJudged, type JudgedSubject, unusualProducts } from "../../../../src/engine/query/measures/find-judged.ts";
import { anomalyLevels } from "../../../../src/engine/query/measures/subjects.ts";
import { buildStore } from "../../../../src/engine/store/build-store.ts";
import { recordAt } from "../../../../src/engine/store/catalogue.ts";
import type { Store } from "../../../../src/engine/store/store.ts";
import { finish } from "../../../support/explorer-request.ts";
import { runsOf } from "../../../support/fixed-seed.ts";
import { type NaiveAnomaly, naiveJudged } from "../../../support/naive-measures.ts";
import { agree } from "../../../support/naive-queries.ts";
import { randomSeriesDataset } from "../../../support/random-series-dataset.ts";
import { tinyDataset } from "../../../support/tiny-dataset.ts";

const names = ["yearBefore", "fiveYears", "alps"] as const;

interface NaiveJudged {
  readonly newest: NaiveAnomaly;
  readonly latest: Record<(typeof names)[number], NaiveAnomaly | undefined>;
}

/** Judges every month, and takes the newest that has the measure. */
function judgedTwin(dataset: Dataset, level: (typeof anomalyLevels)[number]): NaiveJudged[] {
  const months = Array.from({ length: 100 }, (_, at) => monthNumber("2015-01") + 99 - at);
  const byMonth = months.flatMap((month) => naiveJudged(dataset, { level, month }));
  return naiveJudged(dataset, { level }).map((newest) => {
    const own = byMonth.filter((entry) => {
      return entry.market === newest.market && entry.county === newest.county && entry.marketType === newest.marketType;
    });
    const latest = (name: (typeof names)[number]) => own.find((entry) => typeof entry[name] === "number");
    return {
      newest,
      latest: { yearBefore: latest("yearBefore"), fiveYears: latest("fiveYears"), alps: latest("alps") },
    };
  });
}

function figuresOf({ yearBefore, fiveYears, alps }: JudgedSubject): Record<(typeof names)[number], number | undefined> {
  return {
    yearBefore: yearBefore?.measure.changePercent,
    fiveYears: fiveYears?.measure.percentOfUsual,
    alps: alps?.measure.value,
  };
}

function subjectOf({ catalogue }: Store, { newest }: JudgedSubject): unknown[] {
  const { market, countyId, marketType } = newest;
  const uuid = market === undefined ? null : recordAt(catalogue.markets, market).uuid;
  return [uuid, countyId ?? null, marketTypes[marketType]];
}

t.test("each measure is that of the newest month that has it", async (t) => {
  const question = fc.tuple(randomSeriesDataset(), fc.constantFrom(...anomalyLevels));
  let earlier = 0;
  fc.assert(
    fc.property(question, ([dataset, level]) => {
      const store = buildStore(dataset);
      const judged = finish(findJudged(store, { level, measures: names }));
      const expected = judgedTwin(dataset, level);
      t.strictSame(
        judged.map((found) => [subjectOf(store, found), found.newest.month]),
        expected.map(({ newest: { market, county, marketType, month } }) => [[market, county, marketType], month]),
      );
      for (const [at, found] of judged.entries()) {
        for (const name of names) {
          const twin = expected[at]?.latest[name];
          if (found[name]?.month !== twin?.month) throw new Error(`${name}: ${found[name]?.month}, not ${twin?.month}`);
          const figure = figuresOf(found)[name];
          if (figure !== undefined && !agree(figure, twin?.[name] as number, 100))
            throw new Error(`${name}: ${figure}`);
          if (twin !== undefined && twin.month < found.newest.month) earlier++;
        }
      }
    }),
    { numRuns: runsOf(150, 300) },
  );
  t.ok(earlier > 3, `${earlier} of an earlier month`);
});

t.test("unusual products are those judged in the last twelve months, the furthest first, up or down", async (t) => {
  const months = ["2023-01", "2024-01", "2025-01", "2026-01"];
  const prices = (product: number, before: number, newest: number, newestMonth: string) =>
    [0, 1, 2].flatMap((market) =>
      [...months.filter((month) => month < newestMonth), newestMonth].map((month) => ({
        ...{ product, market, price: month === newestMonth ? newest : before },
        recordedAt: `${month}-15T09:00:00+03:00`,
      })),
    );
  const store = buildStore(
    tinyDataset({
      products: ["A third more", "Half", "Old", "Once"].map((name) => ({ name })),
      markets: [0, 1, 2].map(() => ({ type: "Retail" })),
      prices: [
        ...prices(0, 90, 120, "2026-01"),
        ...prices(1, 100, 50, "2026-01"),
        ...prices(2, 100, 300, "2025-01"),
        { product: 3, recordedAt: "2026-01-15T09:00:00+03:00" },
      ],
    }),
  );
  const found = unusualProducts(store, finish(findJudged(store, { level: "country", measures: names })));
  t.equal(found?.monthFirst, monthNumber("2025-02"));
  t.strictSame(
    found?.products.map(({ newest }) => recordAt(store.catalogue.products, newest.product).name),
    ["Half", "A third more"],
  );
  t.equal(found?.unjudged, 1);
  t.equal(unusualProducts(buildStore(tinyDataset()), []), undefined);
});
