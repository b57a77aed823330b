import t from "tap";
import { wordsOf } from "../../../src/contract/words.ts";
import { citationCharactersMax, citationOf, datasetName } from "../../../src/engine/export/citation.ts";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import type { SourceDetails } from "../../../src/engine/model/dataset.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

const wfp: SourceDetails = {
  title: "World Food Programme (WFP), Kenya - Food Prices",
  url: "https://data.humdata.org/dataset/wfp-food-prices-for-kenya",
  licence: { id: "CC BY 3.0 IGO", url: "https://creativecommons.org/licenses/by/3.0/igo/" },
  generated: null,
};
const team: SourceDetails = {
  title: null,
  url: null,
  licence: { id: "CC0 1.0", url: "https://cc0.example/" },
  generated: null,
};
const { snapshot } = tinyDataset({
  snapshot: {
    id: "20261126T222137Z-ecc93bf6ef50",
    createdAt: Date.UTC(2026, 10, 21, 23, 13, 20) as Instant,
    sources: { WFP: wfp, Team: team },
  },
});
const title = "Food prices in Kenya, snapshot 20261126T222137Z-ecc93bf6ef50, published 2026-11-22, accessed <date>.";

t.test("the dataset has the name of its pages", async (t) => {
  t.equal(datasetName, wordsOf("en").say("siteName"));
});

t.test("a citation names source, address, licence and snapshot, and the day of publication in Kenya", async (t) => {
  const text =
    "World Food Programme (WFP), Kenya - Food Prices, https://data.humdata.org/dataset/wfp-food-prices-for-kenya, " +
    "CC BY 3.0 IGO, " +
    `https://creativecommons.org/licenses/by/3.0/igo/. ${title}`;
  t.equal(citationOf(snapshot, ["WFP"]), text);
  t.equal(citationOf(snapshot, []), title);
  t.equal(citationOf(snapshot, ["Team"]), `Team, CC0 1.0, https://cc0.example/. ${title}`);
  t.equal(citationOf(snapshot, ["constructor"]), `constructor. ${title}`);
});

t.test("with more sources it says less of each, and never has more than 300 characters", async (t) => {
  t.match(
    citationOf(snapshot, ["WFP", "Team"]),
    /^World Food .*kenya, CC BY 3\.0 IGO; Team, https:\/\/cc0\.example\/, CC0 1\.0\. F/,
  );
  t.match(
    citationOf(snapshot, ["WFP", "Team", "A".repeat(60)]),
    /^World Food Programme \(WFP\), Kenya - Food Prices, CC BY/,
  );
  t.match(citationOf(snapshot, ["WFP", "Team", "A".repeat(130)]), /^WFP, CC BY 3\.0 IGO; Team, CC0 1\.0; A+\. F/);
  const many = Array.from({ length: 50 }, (_, at) => `Source ${at}`);
  t.match(citationOf(snapshot, many), /^Source 0, Source 1, .*, and \d+ more\. Food/);
  t.equal(citationOf(snapshot, ["x".repeat(400)]), `1 source. ${title}`);
  for (let count = 0; count <= 50; count++) {
    for (const sources of [many.slice(0, count), ["WFP", "Team", "B".repeat(4 * count)]]) {
      t.ok(citationOf(snapshot, sources).length <= citationCharactersMax, String(count));
    }
  }
});
