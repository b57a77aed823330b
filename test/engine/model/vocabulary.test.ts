import t from "tap";
import { cropCategories, groupings, marketTypes, weekDays } from "../../../src/engine/model/vocabulary.ts";

t.test("the closed lists are those of the interface specification", async (t) => {
  t.same(cropCategories, ["Cash Crops", "Food Crops", "Horticulture"]);
  t.same(marketTypes, ["Wholesale", "Retail", "Rural", "Urban"]);
  t.same(groupings, ["day", "week", "month", "quarter", "year", "market", "county"]);
});

t.test("the week has the seven days from Monday on, in English", async (t) => {
  const name = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" });
  const monday = Date.UTC(2026, 0, 5);
  t.same(
    weekDays,
    [0, 1, 2, 3, 4, 5, 6].map((later) => name.format(monday + later * 86_400_000)),
  );
});
