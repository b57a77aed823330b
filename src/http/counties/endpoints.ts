import type { CountyId } from "../../domain/ids.ts";
import type { CountyRecord } from "../../domain/records.ts";
import type { Store } from "../../store/store.ts";
import { listAnswer, oneAnswer } from "../answer-schema.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { noInput } from "../input.ts";
import { presentCountyDetail, presentCountySummary, presentSubCounties } from "./present.ts";
import { countyDetailAnswer, countyParams, countySummaryAnswer, subCountiesAnswer } from "./schemas.ts";

export const countyEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/counties",
    access: "public",
    summary: "Counties, by id",
    params: noInput,
    query: noInput,
    body: noInput,
    answer: listAnswer(countySummaryAnswer),
    handle: ({ store }) => ({ data: [...store.catalogue.counties.values()].map(presentCountySummary) }),
  }),
  endpoint({
    method: "GET",
    path: "/counties/:id",
    access: "public",
    summary: "One county",
    params: countyParams,
    query: noInput,
    body: noInput,
    answer: oneAnswer(countyDetailAnswer),
    handle: ({ store, params }) => ({ data: presentCountyDetail(findCounty(store, params.id)) }),
  }),
  endpoint({
    method: "GET",
    path: "/counties/:id/sub-counties",
    access: "public",
    summary: "Sub-counties of a county with their wards",
    params: countyParams,
    query: noInput,
    body: noInput,
    answer: oneAnswer(subCountiesAnswer),
    handle: ({ store, params }) => ({ data: presentSubCounties(findCounty(store, params.id)) }),
  }),
];

function findCounty({ catalogue }: Store, id: number): CountyRecord {
  const county = catalogue.counties.get(id as CountyId);
  if (county === undefined) throw new ApiError("NOT_FOUND", `County ${id} is not in this snapshot.`);
  return county;
}
