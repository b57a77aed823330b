import { instantText } from "../../domain/instant.ts";
import type { CountyRecord } from "../../domain/records.ts";

/** A county in the list. */
export function presentCountySummary(county: CountyRecord): object {
  return { ...presentCountyFields(county), sub_counties: county.subCounties.map(({ id, name }) => ({ id, name })) };
}

/** A county by itself. */
export function presentCountyDetail(county: CountyRecord): object {
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

/** The sub-counties of a county with their wards. */
export function presentSubCounties({ id, name, subCounties }: CountyRecord): object {
  return { county: { id, name }, sub_counties: subCounties };
}

function presentCountyFields({ id, code, name, capital, population, areaSqKm }: CountyRecord): object {
  return { id, code, name, capital, population, area_sq_km: areaSqKm };
}
