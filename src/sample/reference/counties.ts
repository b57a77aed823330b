import type { CountyId } from "../../domain/ids.ts";
import type { CountyRecord, SubCountyRecord } from "../../domain/records.ts";
import { type Place, places } from "./places.ts";
import { referenceInstant } from "./reference-instant.ts";

/** Sub-counties of a sample are invented: three parts of every county. */
const partNames = ["North", "Central", "South"];

const activities = ["Mixed farming", "Dairy farming", "Fishing", "Trade", "Livestock keeping", "Irrigation", "Tourism"];
const produce = [
  "Maize",
  "Beans",
  "Milk",
  "Tea",
  "Potatoes",
  "Tomatoes",
  "Goats",
  "Mangoes",
  "Sorghum",
  "Onions",
  "Fish",
];

/** The counties of every sample, in order of id; the same for all seeds. */
export const countyRecords: readonly CountyRecord[] = places.map(countyOf);

/** The sub-county in which a town lies. */
export function subCountyOfTown({ county }: Place, town: number): string {
  return `${county} ${partNames[town % partNames.length]}`;
}

function countyOf(place: Place, index: number): CountyRecord {
  return {
    id: place.id as CountyId,
    code: String(place.id).padStart(3, "0"),
    name: place.county,
    capital: place.capital,
    population: place.populationThousands * 1000,
    areaSqKm: place.areaSqKm,
    coordinates: { latitude: place.latitude, longitude: place.longitude },
    subCounties: partNames.map((_, part) => subCountyOf(place, index, part)),
    // A few unknown ones, for what is null has to be shown too.
    economy:
      index % 12 === 11
        ? null
        : {
            mainActivities: threeFrom(activities, index),
            agriculturalProducts: threeFrom(produce, index * 5),
          },
    createdAt: referenceInstant,
    updatedAt: referenceInstant,
  };
}

function subCountyOf(place: Place, index: number, part: number): SubCountyRecord {
  return {
    id: index * partNames.length + part + 1,
    name: subCountyOfTown(place, part),
    wards: place.towns.filter((_, town) => town % partNames.length === part),
  };
}

function threeFrom(list: readonly string[], start: number): string[] {
  return [0, 1, 2].map((step) => list[(start + step * 2) % list.length] as string);
}
