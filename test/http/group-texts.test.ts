/** Kept text of rollup groups against text that is made anew, and both against JSON.stringify of each group. */
import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { CountyId } from "../../src/domain/ids.ts";
import { roundFigure } from "../../src/domain/round-figure.ts";
import { type ByteText, bytesOf } from "../../src/http/answer/byte-text.ts";
import type { JsonText } from "../../src/http/answer/json-text.ts";
import { groupListText, RollupTexts } from "../../src/http/resources/prices/group-texts.ts";
import { priceStatistics, type StatisticsAnswer } from "../../src/query/price-statistics.ts";
import type { PriceStatistics } from "../../src/query/questions.ts";
import { buildStore } from "../../src/store/build-store.ts";
import type { Store } from "../../src/store/store.ts";
import { largeDataset } from "../support/large-dataset.ts";
import { randomStatistics } from "../support/random-questions.ts";

const dataset = largeDataset();
const store = buildStore(dataset);
const room = 2 ** 24;

function whole(text: JsonText): string {
  return bytesOf((typeof text === "string" ? text : [...text].join("")) as ByteText).toString();
}

async function answerOf(asked: Store, question: PriceStatistics): Promise<StatisticsAnswer | undefined> {
  const answer = await priceStatistics(asked, question);
  return "problem" in answer ? undefined : answer;
}

/** The twin: each group as an object, all of them as one text. */
function plainText({ catalogue, periods }: Store, { grouping }: PriceStatistics, answer: StatisticsAnswer): string {
  const identity = (key: number): object => {
    if (grouping === "market") {
      const { uuid, name } = catalogue.markets[key]?.record ?? assert.fail("no such market");
      return { period: name, market: { uuid, name } };
    }
    if (grouping === "county") {
      const { name } = catalogue.counties.get(key as CountyId) ?? assert.fail("no such county");
      return { period: name, county: { id: key, name } };
    }
    return { period: periods[grouping].labels[key] };
  };
  return JSON.stringify(
    answer.groups.map(({ key, mean, min, max, median, count, deviation }) => ({
      ...identity(key),
      average_price: roundFigure(mean),
      min_price: roundFigure(min),
      max_price: roundFigure(max),
      median_price: roundFigure(median),
      sample_count: count,
      std_deviation: roundFigure(deviation),
    })),
  );
}

t.test("random answers are the same bytes from kept text, from little kept text, and made anew", async (t) => {
  const kept = new RollupTexts(room);
  // So little that blocks are dropped and made again all the time, and some never kept.
  const little = new RollupTexts(30_000);
  let fromRollups = 0;
  await fc.assert(
    fc.asyncProperty(randomStatistics(dataset), async (question) => {
      const answer = await answerOf(store, question);
      if (answer === undefined) return;
      const { ofRollup } = answer.found;
      if (ofRollup !== null && ofRollup.to > ofRollup.from) fromRollups++;
      const wanted = plainText(store, question, answer);
      for (const texts of [undefined, kept, little]) {
        assert.equal(whole(groupListText(store, question.grouping, answer.found, texts)), wanted);
      }
      assert.ok(kept.bytesOf(store) <= room && little.bytesOf(store) <= 30_000);
    }),
    { numRuns: 300 },
  );
  t.ok(fromRollups > 20, `${fromRollups} answers have groups of a rollup`);
  t.ok(kept.bytesOf(store) > 0);
});

t.test("every part of every rollup is a slice, across blocks and groups without figures", async (t) => {
  const texts = new RollupTexts(room);
  for (const grouping of ["day", "week", "month"] as const) {
    const rollup = store.rollups[grouping];
    const length = rollup.keys.length;
    const ends = [0, 1, 2, 127, 128, 129, 255, 256, 257, length - 1, length].filter((end) => end <= length);
    for (const from of ends) {
      for (const to of ends.filter((end) => end >= from)) {
        const found = { before: [], ofRollup: { rollup, from, to }, after: [] };
        const made = whole(groupListText(store, grouping, found, undefined));
        assert.equal(whole(groupListText(store, grouping, found, texts)), made);
        const count = Array.from(rollup.counts.subarray(from, to)).filter((count) => count > 0).length;
        assert.equal((JSON.parse(made) as unknown[]).length, count);
      }
    }
  }
  t.ok(texts.bytesOf(store) > 0);
});

t.test("each store has texts of its own", async (t) => {
  const texts = new RollupTexts(room);
  const other = buildStore(dataset);
  const rollup = store.rollups.month;
  const found = { before: [], ofRollup: { rollup, from: 0, to: 1 }, after: [] };
  groupListText(store, "month", found, texts);
  t.ok(texts.bytesOf(store) > 0);
  t.equal(texts.bytesOf(other), 0);
});
