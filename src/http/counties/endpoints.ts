import type { CountyId } from "../../domain/ids.ts";
import { instantText } from "../../domain/instant.ts";
import type { CountyRecord } from "../../domain/records.ts";
import type { Store } from "../../store/store.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { answerText, byStore, textsByRecord } from "../json-text.ts";
import * as s from "../schema.ts";

const countyParams = s.exactly({ id: s.countyNumber });

const countyFields = {
  id: s.integer,
  code: s.text,
  name: s.text,
  capital: s.text,
  population: s.nullable(s.integer),
  area_sq_km: s.nullable(s.number),
};

const subCountyWithWards = s.exactly({ id: s.integer, name: s.text, wards: s.texts });

const listedCountyAnswer = s.exactly({
  ...countyFields,
  sub_counties: s.list(s.exactly({ id: s.integer, name: s.text })),
});

const countyDetailAnswer = s.exactly({
  ...countyFields,
  coordinates: s.nullable(s.exactly({ latitude: s.number, longitude: s.number })),
  sub_counties: s.list(subCountyWithWards),
  economy: s.nullable(s.exactly({ main_activities: s.texts, agricultural_products: s.texts })),
  created_at: s.instant,
  updated_at: s.instant,
});

const subCountiesAnswer = s.exactly({
  county: s.exactly({ id: s.integer, name: s.text }),
  sub_counties: s.list(subCountyWithWards),
});

export const countyEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/counties",
    access: "public",
    summary: "Counties, by id",
    answer: s.listAnswer(listedCountyAnswer),
    handle: ({ store }) => answerText(countyListText(store)),
  }),
  endpoint({
    method: "GET",
    path: "/counties/:id",
    access: "public",
    summary: "One county",
    params: countyParams,
    answer: s.oneAnswer(countyDetailAnswer),
    handle: ({ store, params }) => answerText(countyDetailTexts(store)(findCounty(store, params.id))),
  }),
  endpoint({
    method: "GET",
    path: "/counties/:id/sub-counties",
    access: "public",
    summary: "Sub-counties of a county with their wards",
    params: countyParams,
    answer: s.oneAnswer(subCountiesAnswer),
    handle: ({ store, params }) => answerText(subCountiesTexts(store)(findCounty(store, params.id))),
  }),
];

function findCounty({ catalogue }: Store, id: number): CountyRecord {
  const county = catalogue.counties.get(id as CountyId);
  if (county === undefined) throw new ApiError("NOT_FOUND", `County ${id} is not in this snapshot.`);
  return county;
}

const countyListText = byStore(({ catalogue }) =>
  JSON.stringify(
    [...catalogue.counties.values()].map((county) => ({
      ...presentCountyFields(county),
      sub_counties: county.subCounties.map(({ id, name }) => ({ id, name })),
    })),
  ),
);

const countyDetailTexts = textsByRecord((county: CountyRecord) => {
  const { economy } = county;
  return {
    ...presentCountyFields(county),
    coordinates: county.coordinates,
    sub_counties: county.subCounties,
    economy: economy && {
      main_activities: economy.mainActivities,
      agricultural_products: economy.agriculturalProducts,
    },
    created_at: instantText(county.createdAt),
    updated_at: instantText(county.updatedAt),
  };
});

const subCountiesTexts = textsByRecord(({ id, name, subCounties }: CountyRecord) => ({
  county: { id, name },
  sub_counties: subCounties,
}));

function presentCountyFields({ id, code, name, capital, population, areaSqKm }: CountyRecord): object {
  return { id, code, name, capital, population, area_sq_km: areaSqKm };
}
