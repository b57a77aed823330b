import t from "tap";
import { populations } from "../../../src/engine/model/vocabulary.ts";
import { findJudged } from "../../../src/engine/query/measures/find-judged.ts";
import { allInCountry, stateMeasures } from "../../../src/engine/query/state-of-prices.ts";
import { bundledStore } from "../../support/bundled-data.ts";
import { finish } from "../../support/explorer-request.ts";

t.test("all products of a population are judged once for a store", async (t) => {
  const store = await bundledStore();
  for (const refugeeCamps of populations) {
    const judged = finish(allInCountry(store, refugeeCamps));
    t.ok(finish(allInCountry(store, refugeeCamps)).every((found, at) => found === judged[at]));
    t.strictSame(judged, finish(findJudged(store, { level: "country", refugeeCamps, measures: stateMeasures })));
  }
});
