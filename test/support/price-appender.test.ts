import t from "tap";
import type { Instant } from "../../src/engine/model/calendar.ts";
import { shortDictionarySizeMax } from "../../src/engine/model/dataset.ts";
import { missingCode } from "../../src/engine/model/shared-columns.ts";
import { pricesOfDataset } from "../engine/store/stored-prices.ts";
import { type AppendedPrice, PriceAppender } from "./price-appender.ts";
import { price, tinyDataset, uuidOf } from "./tiny-dataset.ts";

const record = (fields: Partial<AppendedPrice> = {}): AppendedPrice => ({ ...price(), ...fields }) as AppendedPrice;

t.test("prices are read back as they were appended, and each text is in its dictionary once", async (t) => {
  const times = { recordedAt: -1 as Instant, createdAt: 7 as Instant, updatedAt: 8 as Instant };
  const texts = { unit: "90 kg bag", currency: "USD", source: "KAMIS", qualityGrade: "B", notes: "dear" };
  const records = [
    record({ uuid: uuidOf("price", 9), ...times, ...texts, product: 1, market: 2, price: 0.1, priceFlag: "actual" }),
    record({ uuid: uuidOf("price", 2) }),
    record({ uuid: uuidOf("price", 3), ...texts }),
  ];
  const appender = new PriceAppender(records.length);
  for (const one of records) appender.append(one);
  const table = appender.finish();
  const found = pricesOfDataset({ ...tinyDataset(), prices: table });
  const wanted = records.map(({ product, market, ...fields }) => {
    return { ...fields, productUuid: uuidOf("product", product + 1), marketUuid: uuidOf("market", market + 1) };
  });
  t.same(found, wanted);
  t.same(
    [table.unitNames, table.currencyCodes],
    [
      ["90 kg bag", "kg"],
      ["USD", "KES"],
    ],
  );
  t.same([table.sourceNames, table.gradeNames, table.noteTexts], [["KAMIS", "WFP"], ["B"], ["dear"]]);
});

t.test("one record more or fewer than announced is refused, with both numbers", async (t) => {
  const appender = new PriceAppender(2);
  appender.append(record());
  t.throws(() => appender.finish(), { name: "RangeError", message: /1.*2/ });
  appender.append(record());
  t.throws(() => appender.append(record({ unit: "litre" })), { name: "RangeError", message: /3.*2/ });
  t.same(appender.finish().unitNames, ["kg"], "the refused record left nothing behind");
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
