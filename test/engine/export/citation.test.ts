import t from "tap";
import { wordsOf } from "../../../src/contract/words.ts";
import { citationCharactersMax, citationOf, datasetName } from "../../../src/engine/export/citation.ts";
import { describeDataset, describeSnapshot } from "../../../src/engine/export/dataset-description.ts";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import type { SourceDetails } from "../../../src/engine/model/dataset.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
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

/** The dataset in the vocabulary of schema.org, as the pages have it. Its types are checked by those of schema-dts. */
const sources = {
  WFP: {
    title: "Food prices",
    url: "https://data.example/wfp",
    licence: { id: "CC BY", url: "https://cc.example" },
    generated: null,
  },
  Own: { title: null, url: null, licence: { id: "CC0", url: null }, generated: null },
  Third: { title: "Third", url: null, licence: null, generated: null },
};

t.test("sources and licences are named once, by address where there is one", async (t) => {
  t.match(describeDataset({ sources }, undefined), {
    "@context": "https://schema.org",
    "@type": "Dataset",
    license: ["https://cc.example", "CC0"],
    isBasedOn: ["https://data.example/wfp", "Third"],
  });
});

t.test("a snapshot has its version, its days and its files", async (t) => {
  const store = buildStore(
    tinyDataset({
      snapshot: { sources },
      // 21:30 UTC is the next day in Kenya.
      prices: [{ recordedAt: "2026-01-01T21:30:00Z" }, { recordedAt: "2026-03-01T00:00:00Z" }],
    }),
  );
  const file = { name: "prices.csv.gz", bytes: 12, sha256: "ab", path: "/explore/downloads/x/prices.csv.gz" };
  const description = describeSnapshot(store, [file], "https://prices.example") as object;
  t.match(description, {
    identifier: store.snapshot.id,
    creator: [{ "@type": "Organization" }, {}, {}],
    publisher: { name: "Food prices in Kenya", url: "https://prices.example" },
    variableMeasured: [{ "@type": "PropertyValue", name: "price" }, { name: "price_per_base_unit" }],
    version: store.snapshot.id,
    temporalCoverage: "2026-01-02/2026-03-01",
    distribution: [
      { "@type": "DataDownload", encodingFormat: "application/gzip", contentUrl: `https://prices.example${file.path}` },
    ],
  });
  t.notMatch(JSON.stringify(description), /<date>|"undefined/);
  const alone = JSON.stringify(describeSnapshot(store, [file], undefined));
  t.notMatch(alone, /distribution|contentUrl|prices\.example/, "without an address of its own it names none");
  const empty = describeSnapshot(buildStore(tinyDataset({ prices: [] })), [], undefined);
  t.notOk("temporalCoverage" in (empty as object) || "distribution" in (empty as object));
});
