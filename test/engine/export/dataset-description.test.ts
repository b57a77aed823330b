/** The dataset in the vocabulary of schema.org, as the pages have it. Its types are checked by those of schema-dts. */
import t from "tap";
import { describeDataset, describeSnapshot } from "../../../src/engine/export/dataset-description.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

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
