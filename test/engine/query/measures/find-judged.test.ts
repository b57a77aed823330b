import fc from "fast-check";
import t from "tap";
import { monthNumber } from "../../../../src/engine/model/calendar.ts";
import type { Dataset } from "../../../../src/engine/model/dataset.ts";
import { marketTypes } from "../../../../src/engine/model/vocabulary.ts";
import { findJudged, type JudgedSubject } from "../../../../src/engine/query/measures/find-judged.ts";
import { anomalyLevels } from "../../../../src/engine/query/measures/subjects.ts";
import { buildStore } from "../../../../src/engine/store/build-store.ts";
import { recordAt } from "../../../../src/engine/store/catalogue.ts";
import type { Store } from "../../../../src/engine/store/store.ts";
import { finish } from "../../../support/explorer-request.ts";
import { runsOf } from "../../../support/fixed-seed.ts";
import { type NaiveAnomaly, naiveJudged } from "../../../support/naive-measures.ts";
import { agree } from "../../../support/naive-queries.ts";
import { randomSeriesDataset } from "../../../support/random-series-dataset.ts";

const names = ["yearBefore", "fiveYears", "alps"] as const;

interface NaiveJudged {
  readonly newest: NaiveAnomaly;
  readonly latest: Record<(typeof names)[number], NaiveAnomaly | undefined>;
}

/** Judges every month, and takes the newest, at most three before: of a change one of five markets, else of any. */
function judgedTwin(dataset: Dataset, level: (typeof anomalyLevels)[number]): NaiveJudged[] {
  const months = Array.from({ length: 100 }, (_, at) => monthNumber("2015-01") + 99 - at);
  const judgedWith = (marketsMin?: number): NaiveAnomaly[] =>
    months.flatMap((month) => naiveJudged(dataset, { level, month, marketsMin }));
  const [byDefault, byFive, byOne] = [judgedWith(), judgedWith(5), judgedWith(1)];
  return naiveJudged(dataset, { level }).map((newest) => {
    const isOwn = (entry: NaiveAnomaly): boolean => {
      const isSame =
        entry.market === newest.market && entry.county === newest.county && entry.marketType === newest.marketType;
      return isSame && entry.month >= newest.month - 3;
    };
    const latest = (name: (typeof names)[number]) => {
      const has = (entry: NaiveAnomaly): boolean => isOwn(entry) && typeof entry[name] === "number";
      const ofFew = level === "market" ? byDefault : byOne;
      if (name === "yearBefore") return (level === "market" ? byDefault : byFive).find(has) ?? ofFew.find(has);
      return byDefault.find(has);
    };
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

t.test("each measure is that of the newest month that has it, within three months of the newest price", async (t) => {
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
