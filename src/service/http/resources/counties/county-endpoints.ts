/** The endpoints of counties and their sub-counties. */

import { type DeclaredEndpoint, endpoint } from "../../../../contract/endpoint.ts";
import { ApiError } from "../../../../contract/errors.ts";
import * as s from "../../../../contract/schema.ts";
import { countyTable } from "../../../../engine/export/small-tables.ts";
import { blocksOf } from "../../../../engine/export/table-columns.ts";
import type { CountyId } from "../../../../engine/model/ids.ts";
import type { CountyRecord } from "../../../../engine/model/records.ts";
import type { Store } from "../../../../engine/store/store.ts";
import { answerText, listText, textsByRecord } from "../../answer/json-text.ts";
import { exportEndpoints } from "../export-endpoint.ts";

const countyParams = s.exactly({ id: s.countyNumber });

const countyQuery = s.exactly({ detail: s.flag("Adds the codes that other data has for it.") });

const countyFields = {
  id: s.identifier("Number of the county, 1 to 47."),
  code: s.text("The number as three digits."),
  name: s.text("Name of the county."),
  capital: s.text("Capital or headquarters."),
  population: s.nullable(s.integer("Inhabitants at the latest census.", "persons")),
  area_sq_km: s.nullable(s.number("Land area.", "km²")),
};

const subCountyFields = { id: s.identifier("Number of the sub-county."), name: s.text("Name of the sub-county.") };

const subCountiesWithWards = s.list(
  s.object("SubCountyWithWards", "A sub-county with its wards.", {
    ...subCountyFields,
    wards: s.texts("Names of its wards."),
  }),
  "Sub-counties with their wards, by number.",
);

const economy = s.object("CountyEconomy", "What a county lives on.", {
  main_activities: s.texts("Main economic activities."),
  agricultural_products: s.texts("Crops and other products that are grown there."),
});

const countyCodes = s.fieldsOfDetail({
  pcode: s.nullableText("P-code, as humanitarian data has it; null when unknown."),
  iso_3166_2: s.nullableText("Code of ISO 3166-2, whose number is not that of the county; null when unknown."),
});

const listedCountyAnswer = s.object("CountySummary", "A county, as lists have it.", {
  ...countyFields,
  sub_counties: s.list(s.object("SubCounty", "A sub-county.", subCountyFields), "Sub-counties, by number."),
  ...countyCodes,
});

const countyDetailAnswer = s.object("County", "A county.", {
  ...countyFields,
  coordinates: s.nullable(s.object("Coordinates", "Where the centre of the county is.", s.position)),
  sub_counties: subCountiesWithWards,
  economy: s.nullable(economy),
  ...s.timestamps,
  ...countyCodes,
});

const subCountiesAnswer = s.object("CountySubCounties", "The sub-counties of a county.", {
  county: s.countyReference,
  sub_counties: subCountiesWithWards,
});

export const countyEndpoints: readonly DeclaredEndpoint[] = [
  endpoint({
    path: "/counties",
    access: "public",
    summary: "Counties, by id",
    id: "listCounties",
    task: "All counties",
    description:
      "All counties with their sub-counties; their numbers are what `county_id` filters by. `detail` adds P-codes " +
      "and ISO codes: join by these or by name, never an ISO number with a county number (KE-30 is Nairobi, county " +
      "30 is Baringo).",
    query: countyQuery,
    answer: s.listAnswer(listedCountyAnswer, "Counties, by number."),
    handle({ store, query }) {
      const counties = [...store.catalogue.counties.values()];
      return answerText(listText(counties, listedCountyTexts(store, query.detail)));
    },
  }),
  endpoint({
    path: "/counties/:id",
    access: "public",
    summary: "One county",
    id: "getCounty",
    task: "One county",
    description: "One county with its wards, its centre and what it lives on.",
    example: { params: { id: 47 } },
    params: countyParams,
    query: countyQuery,
    answer: s.oneAnswer(countyDetailAnswer),
    handle: ({ store, params, query }) =>
      answerText(countyDetailTexts(store, query.detail)(findCounty(store, params.id))),
  }),
  endpoint({
    path: "/counties/:id/sub-counties",
    access: "public",
    summary: "Sub-counties of a county with their wards",
    id: "listSubCounties",
    task: "Sub-counties and wards",
    description: "The sub-counties and wards of one county.",
    example: { params: { id: 47 } },
    params: countyParams,
    answer: s.oneAnswer(subCountiesAnswer),
    handle: ({ store, params }) => answerText(subCountiesTexts(store)(findCounty(store, params.id))),
  }),
  ...exportEndpoints({
    table: "counties",
    task: "Counties",
    rowName: "ExportedCounty",
    access: "public",
    summary: "All counties with their codes, by number",
    description:
      "All counties with P-codes and ISO codes, to join with other data: join by these, never an ISO number with a " +
      "county number (KE-30 is Nairobi, county 30 is Baringo).",
    columns: countyTable,
    rows: ({ catalogue }) => blocksOf([...catalogue.counties.values()]),
  }),
];

function findCounty({ catalogue }: Store, id: number): CountyRecord {
  const county = catalogue.counties.get(id as CountyId);
  if (county === undefined) throw new ApiError("NOT_FOUND", `County ${id} is not in this snapshot.`);
  return county;
}

const listedCountyTexts = textsByRecord<CountyRecord>(listedCountyAnswer);

const countyDetailTexts = textsByRecord<CountyRecord>(countyDetailAnswer);

const subCountiesTexts = textsByRecord(subCountiesAnswer, (county: CountyRecord) => ({ ...county, county }));
