/** The text of groups as slices of kept texts is the text that is written again. */

import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { ByteText } from "../../../src/contract/byte-text.ts";
import { type Day, dayText } from "../../../src/engine/model/calendar.ts";
import { marketTypes, type TimeGrouping } from "../../../src/engine/model/vocabulary.ts";
import { priceStatistics, type StatisticsAnswer } from "../../../src/engine/query/price-statistics.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { finish } from "../../../src/engine/store/steps.ts";
import type { JsonText } from "../../../src/service/http/answer/json-writer.ts";
import { blockGroups, groupListText, RollupTexts } from "../../../src/service/http/resources/prices/statistics-text.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

const firstDay = 14_610 as Day;
/** Two blocks of weeks, and a dozen of days. */
const dayCount = 12 * blockGroups;

/** A price on most days of two products; some in a unit that does not convert, so that groups are without figures. */
const store = buildStore(
  tinyDataset({
    prices: Array.from({ length: dayCount }, (_, at) => at)
      .filter((at) => at % 7 !== 3)
      .map((at) => ({
        product: at % 3 === 0 ? 1 : 0,
        market: at % 2,
        price: 1 + ((at * 7919) % 1000) / 8,
        unit: at % 5 === 0 ? "piece" : "kg",
        recordedAt: `${dayText((firstDay + at) as Day)}T06:00:00Z`,
      })),
  }),
);

const question = fc.record({
  productUuid: fc.constantFrom(uuidOf("product", 1), uuidOf("product", 2)),
  grouping: fc.constantFrom<TimeGrouping>("day", "week", "month", "quarter"),
  first: fc.integer({ min: -200, max: dayCount }),
  length: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: dayCount + 40 })),
  marketType: fc.option(fc.constantFrom(...marketTypes), { nil: undefined }),
});

function answerOf({ first, length, ...asked }: typeof question extends fc.Arbitrary<infer T> ? T : never) {
  const days = { dayFirst: (firstDay + first) as Day, dayLast: (firstDay + first + length) as Day };
  return finish(priceStatistics(store, { ...asked, ...days }) as Generator<number, StatisticsAnswer>);
}

function whole(text: JsonText): ByteText {
  return (typeof text === "string" ? text : [...text].join("")) as ByteText;
}

t.test("kept texts, also where few of them are kept, give what is written again", async (t) => {
  // The second has memory for a block or two.
  const kept = [new RollupTexts(2 ** 25), new RollupTexts(40_000)];
  let fromRollups = 0;
  fc.assert(
    fc.property(question, (asked) => {
      const { found } = answerOf(asked);
      if (found.rollup !== null && found.rollup.to > found.rollup.from) fromRollups++;
      const again = whole(groupListText(store, asked.grouping, found));
      JSON.parse(again);
      for (const texts of kept) assert.equal(whole(groupListText(store, asked.grouping, found, texts)), again);
    }),
    { numRuns: runsOf(500) },
  );
  t.ok(fromRollups > runsOf(60), `${fromRollups} answers had groups of a rollup`);
});

t.test("an answer of many groups is sent in pieces, one of few is whole", async (t) => {
  const texts = new RollupTexts(2 ** 25);
  const textOf = (length: number): JsonText => {
    const asked = { productUuid: uuidOf("product", 1), grouping: "day", marketType: undefined } as const;
    return groupListText(store, "day", answerOf({ ...asked, first: 0, length }).found, texts);
  };
  t.type(textOf(blockGroups), "string");
  const pieces = [...(textOf(dayCount) as Iterable<ByteText>)];
  t.ok(pieces.length > 6 && pieces.every(({ length }) => length < 32_768), `${pieces.length} pieces`);
});
