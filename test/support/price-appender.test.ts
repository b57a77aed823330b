import t from "tap";
import type { Instant } from "../../src/engine/model/calendar.ts";
import { shortDictionarySizeMax } from "../../src/engine/model/dataset.ts";
import { readUuid } from "../../src/engine/model/ids.ts";
import { missingCode } from "../../src/engine/model/shared-columns.ts";
import { type AppendedPrice, PriceAppender } from "./price-appender.ts";
import { uuidOf } from "./tiny-dataset.ts";

function record(overrides: Partial<AppendedPrice> = {}): AppendedPrice {
  const recordedAt = Date.UTC(2026, 0, 15, 6) as Instant;
  return {
    uuid: uuidOf("price", 1),
    product: 0,
    market: 0,
    price: 100,
    unit: "kg",
    currency: "KES",
    recordedAt,
    source: "WFP",
    qualityGrade: null,
    priceFlag: null,
    notes: null,
    createdAt: recordedAt,
    updatedAt: recordedAt,
    ...overrides,
  };
}

t.test("records lie in the columns in order of arrival", async (t) => {
  const appender = new PriceAppender(2);
  appender.append(
    record({ uuid: uuidOf("price", 9), product: 3, market: 70_000, price: 0.1, recordedAt: 5 as Instant }),
  );
  appender.append(
    record({
      uuid: uuidOf("price", 2),
      product: 70_000,
      market: 1,
      price: 4500,
      recordedAt: -1 as Instant,
      createdAt: 7 as Instant,
      updatedAt: 8 as Instant,
    }),
  );
  const table = appender.finish();
  t.equal(table.rowCount, 2);
  t.same([readUuid(table.uuids, 0), readUuid(table.uuids, 1)], [uuidOf("price", 9), uuidOf("price", 2)]);
  t.same([...table.products], [3, 70_000]);
  t.same([...table.markets], [70_000, 1]);
  t.same([...table.prices], [0.1, 4500]);
  t.same([...table.recordedAt], [5, -1]);
  t.same([table.createdAt[1], table.updatedAt[1]], [7, 8]);
});

t.test("texts are codes of dictionaries, each text once", async (t) => {
  const appender = new PriceAppender(3);
  appender.append(
    record({ unit: "90 kg bag", currency: "USD", source: "KAMIS", qualityGrade: "B", notes: "aggregate" }),
  );
  appender.append(record({ unit: "kg", currency: "KES", source: "WFP", qualityGrade: "A", notes: "actual" }));
  appender.append(
    record({ unit: "90 kg bag", currency: "USD", source: "KAMIS", qualityGrade: "B", notes: "aggregate" }),
  );
  const table = appender.finish();
  for (const column of [table.units, table.currencies, table.sources, table.grades, table.notes]) {
    t.same([...column], [0, 1, 0]);
  }
  t.same(table.unitNames, ["90 kg bag", "kg"]);
  t.same(table.currencyCodes, ["USD", "KES"]);
  t.same(table.sourceNames, ["KAMIS", "WFP"]);
  t.same(table.gradeNames, ["B", "A"]);
  t.same(table.noteTexts, ["aggregate", "actual"]);
});

t.test("a grade or note that is null is in no dictionary", async (t) => {
  const appender = new PriceAppender(1);
  appender.append(record());
  const table = appender.finish();
  t.same([table.grades[0], table.gradeNames], [missingCode(table.grades), []]);
  t.same([table.notes[0], table.noteTexts], [missingCode(table.notes), []]);
});

t.test("no records make empty columns", async (t) => {
  const table = new PriceAppender(0).finish();
  t.equal(table.rowCount, 0);
  t.equal(table.uuids.length, 0);
  t.same(table.unitNames, []);
});

t.test("one record more than announced is refused, with both numbers", async (t) => {
  const appender = new PriceAppender(2);
  appender.append(record());
  appender.append(record());
  t.throws(() => appender.append(record({ unit: "litre" })), { name: "RangeError", message: /3.*2/ });
  t.same(appender.finish().unitNames, ["kg"], "the refused record left nothing behind");
});

t.test("one record fewer than announced cannot be finished", async (t) => {
  const appender = new PriceAppender(2);
  appender.append(record());
  t.throws(() => appender.finish(), { name: "RangeError", message: /1.*2/ });
});

t.test("as many different grades fit as codes are left beside the one for null, and no more", async (t) => {
  const appender = new PriceAppender(shortDictionarySizeMax + 1);
  for (let grade = 0; grade < shortDictionarySizeMax; grade++)
    appender.append(record({ qualityGrade: `grade ${grade}` }));
  t.throws(() => appender.append(record({ qualityGrade: "one too many" })), {
    name: "RangeError",
    message: /quality grades of prices/,
  });
  appender.append(record({ qualityGrade: null }));
  const { grades } = appender.finish();
  t.same([grades.at(0), grades.at(-2), grades.at(-1)], [0, missingCode(grades) - 1, missingCode(grades)]);
});
