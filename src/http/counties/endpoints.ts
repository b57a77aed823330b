import type { CountyId } from "../../domain/ids.ts";
import { instantText } from "../../domain/instant.ts";
import type { CountyRecord } from "../../domain/records.ts";
import type { Store } from "../../store/store.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import {
  countyNumber,
  exactly,
  instant,
  integer,
  listAnswer,
  nullable,
  number,
  oneAnswer,
  Type,
  text,
  texts,
} from "../schema.ts";

const countyParams = exactly({ id: countyNumber });

const countyFields = {
  id: integer,
  code: text,
  name: text,
  capital: text,
  population: nullable(integer),
  area_sq_km: nullable(number),
};

const subCountyWithWards = exactly({ id: integer, name: text, wards: texts });

const listedCountyAnswer = exactly({
  ...countyFields,
  sub_counties: Type.Array(exactly({ id: integer, name: text })),
});

const countyDetailAnswer = exactly({
  ...countyFields,
  coordinates: nullable(exactly({ latitude: number, longitude: number })),
  sub_counties: Type.Array(subCountyWithWards),
  economy: nullable(exactly({ main_activities: texts, agricultural_products: texts })),
  created_at: instant,
  updated_at: instant,
});

const subCountiesAnswer = exactly({
  county: exactly({ id: integer, name: text }),
  sub_counties: Type.Array(subCountyWithWards),
});

export const countyEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/counties",
    access: "public",
    summary: "Counties, by id",
    answer: listAnswer(listedCountyAnswer),
    handle: ({ store }) => ({ data: [...store.catalogue.counties.values()].map(presentListedCounty) }),
  }),
  endpoint({
    method: "GET",
    path: "/counties/:id",
    access: "public",
    summary: "One county",
    params: countyParams,
    answer: oneAnswer(countyDetailAnswer),
    handle: ({ store, params }) => ({ data: presentCountyDetail(findCounty(store, params.id)) }),
  }),
  endpoint({
    method: "GET",
    path: "/counties/:id/sub-counties",
    access: "public",
    summary: "Sub-counties of a county with their wards",
    params: countyParams,
    answer: oneAnswer(subCountiesAnswer),
    handle: ({ store, params }) => ({ data: presentSubCounties(findCounty(store, params.id)) }),
  }),
];

function findCounty({ catalogue }: Store, id: number): CountyRecord {
  const county = catalogue.counties.get(id as CountyId);
  if (county === undefined) throw new ApiError("NOT_FOUND", `County ${id} is not in this snapshot.`);
  return county;
}

function presentListedCounty(county: CountyRecord): object {
  return { ...presentCountyFields(county), sub_counties: county.subCounties.map(({ id, name }) => ({ id, name })) };
}

function presentCountyDetail(county: CountyRecord): object {
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
}

function presentSubCounties({ id, name, subCounties }: CountyRecord): object {
  return { county: { id, name }, sub_counties: subCounties };
}

function presentCountyFields({ id, code, name, capital, population, areaSqKm }: CountyRecord): object {
  return { id, code, name, capital, population, area_sq_km: areaSqKm };
}
